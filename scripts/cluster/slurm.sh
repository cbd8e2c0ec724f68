#!/usr/bin/env bash
# A run as an array of Slurm jobs of one core each. A requeued task resumes.
#
#   sbatch --array=1-1000 slurm.sh EXPERIMENT FOLDER    writes FOLDER/shards/
#   sbatch --dependency=afterok:JOB slurm.sh merge FOLDER   merges them into FOLDER/results
#   sbatch --array=17,203 --export=ALL,OF=1000 slurm.sh EXPERIMENT FOLDER   plays missing shards
#
# EXPERIMENT and FOLDER must be readable from every node; PARLOUR names the program if it is not on the path.
#SBATCH --job-name=parlour
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:INT@60
set -euo pipefail
parlour=${PARLOUR:-parlour}
experiment=$1
folder=$2

if [ "$experiment" = merge ]; then
    exec "$parlour" merge "$folder"/shards/* --out "$folder/results"
fi
part=$SLURM_ARRAY_TASK_ID
of=${OF:-$SLURM_ARRAY_TASK_COUNT}
mkdir -p "$folder/shards"
# The program is interrupted a minute before the time limit and saves its progress.
"$parlour" run "$experiment" --shard "$part/$of" --threads 1 --quiet --resume --out "$folder/shards/$part-of-$of" &
trap 'kill -INT $!; wait $!' INT
wait $!
