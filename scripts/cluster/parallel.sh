#!/usr/bin/env bash
# A run with GNU parallel, on this machine or on machines that ssh reaches. Repeat the command to resume:
# finished shards are skipped.
#
#   parallel.sh EXPERIMENT FOLDER 1000                    on all cores of this machine
#   parallel.sh EXPERIMENT FOLDER 1000 --sshlogin 32/one,64/two   32 and 64 at a time
#
# EXPERIMENT and FOLDER must have the same path on every machine; PARLOUR names the program if it is not on
# the path. Further options go to parallel.
set -euo pipefail
parlour=${PARLOUR:-parlour}
experiment=$(realpath "$1")
folder=$(realpath -m "$2")
of=$3
mkdir -p "$folder/shards"
# Ctrl-C stops all shards; each saves its progress.
parallel --termseq INT,10000,KILL,25 --joblog "$folder/parts.log" --resume-failed --retries 3 "${@:4}" \
    "$parlour" run "$experiment" --shard "{}/$of" --threads 1 --quiet --resume \
    --out "$folder/shards/{}-of-$of" ::: $(seq "$of")
"$parlour" merge "$folder"/shards/* --out "$folder/results"
