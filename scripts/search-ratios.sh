#!/usr/bin/env bash
# Counts instructions with callgrind: playouts by greedy, brisk and steady and an ISMCTS iteration, as
# multiples of a random playout (difference between 4,000 and 2,000 hands); then a move of some
# strategies, as multiples of the first (difference between 24 and 12 moves).
# Usage: scripts/search-ratios.sh [VARIANT] [PROFILE] [STRATEGY,...]
set -euo pipefail
variant=${1:-revised}
profile=${2:-release}
strategies=${3:-ismcts-2000,expert,ismcts-500}
cd "$(dirname "$0")/.."
cargo build --quiet --profile "$profile" -p parlour-lab
program=${CARGO_TARGET_DIR:-target}/$profile/lab
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" playouts "$variant" "$@" 2>&1 |
        awk '/Collected/ { print $4 }'
}
each() { echo $((($(count 4000 "$1") - $(count 2000 "$1")) / 2000)); }
random=$(each random)
echo "$variant: a random playout takes $random instructions"
for kind in greedy brisk steady ismcts ismcts-brisk; do
    cost=$(each "$kind")
    awk -v kind="$kind" -v cost="$cost" -v random="$random" \
        'BEGIN { printf "%s: %d instructions, %.2f random playouts\n", kind, cost, cost / random }'
done
first=
for by in ${strategies//,/ }; do
    cost=$((($(count 24 moves "$by") - $(count 12 moves "$by")) / 12))
    first=${first:-$cost}
    awk -v by="$by" -v cost="$cost" -v first="$first" \
        'BEGIN { printf "a move of %s: %.1f million instructions, %.2f of the first\n", by, cost / 1e6, cost / first }'
done
