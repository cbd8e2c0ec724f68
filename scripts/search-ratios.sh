#!/usr/bin/env bash
# What a playout costs as a multiple of a bare random one, deals included, in instructions executed
# under callgrind: of greedy, of brisk, and an iteration of a tree search of an opening. Each is
# the difference between 4,000 and 2,000 hands. Usage: scripts/search-ratios.sh [VARIANT] [PROFILE]
set -euo pipefail
variant=${1:-revised}
profile=${2:-release}
cd "$(dirname "$0")/.."
cargo build --quiet --profile "$profile" -p parlour-lab
program=${CARGO_TARGET_DIR:-target}/$profile/lab
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" playouts "$variant" "$1" "$2" 2>&1 |
        awk '/Collected/ { print $4 }'
}
each() { echo $((($(count 4000 "$1") - $(count 2000 "$1")) / 2000)); }
random=$(each random)
echo "$variant: a random playout takes $random instructions"
for kind in greedy brisk ismcts ismcts-brisk; do
    cost=$(each "$kind")
    awk -v kind="$kind" -v cost="$cost" -v random="$random" \
        'BEGIN { printf "%s: %d instructions, %.2f random playouts\n", kind, cost, cost / random }'
done
