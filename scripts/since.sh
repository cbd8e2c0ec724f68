#!/usr/bin/env bash
# Compares the cost of a deal today with an older revision, in instructions (callgrind) and in seconds of
# one thread. The older program is built in its own folder and plays its own version of the experiment.
# Uses the difference between runs of 2n and n deals, so that startup and output do not count.
# Usage: scripts/since.sh REVISION [EXPERIMENT] [DEALS]
set -euo pipefail
cd "$(dirname "$0")/.."
revision=${1:?a revision to compare with}
experiment=${2:-original-vs-revised}
deals=${3:-100}
folder=$(mktemp -d)
trap 'git worktree remove --force "$folder/then"; rm -rf "$folder"' EXIT
git worktree add --quiet --detach "$folder/then" "$revision"
unset CARGO_TARGET_DIR
for place in "$folder/then" "$PWD"; do
    (cd "$place" && cargo build --quiet --release --bin parlour)
done
# Plays $2 deals in the folder $1, under the given measuring command.
play() {
    (cd "$1" && "${@:3}" target/release/parlour run "experiments/$experiment.json" --deals "$2" \
        --threads 1 --quiet --out "$folder/out") 2>&1
    rm -rf "$folder/out"
}
count() {
    play "$1" "$2" valgrind --tool=callgrind --callgrind-out-file=/dev/null | awk '/Collected/ { print $4 }'
}
seconds() {
    TIMEFORMAT=%U
    { time play "$1" "$2" >/dev/null 2>&1; } 2>&1
}
instructions() { echo $((($(count "$1" $((2 * deals))) - $(count "$1" "$deals")) / deals)); }
then=$(instructions "$folder/then")
now=$(instructions "$PWD")
awk -v a="$then" -v b="$now" 'BEGIN { printf "%d instructions a deal then, %d now: %.3f\n", a, b, b / a }'
# In turn, so that a slow phase of the machine slows both.
for _ in 1 2 3 4 5; do
    echo "$(seconds "$folder/then" $((10 * deals))) $(seconds "$PWD" $((10 * deals)))"
done | awk '{ print $1, $2, $2 / $1 }' | sort -k3n |
    awk 'NR == 3 { printf "%.2f seconds then, %.2f now: %.3f (median of five)\n", $1, $2, $3 }'
