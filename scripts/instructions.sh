#!/usr/bin/env bash
# Counts instructions a turn of random playouts of a Leopard variant with callgrind: the difference
# between 4,000 and 2,000 hands, so that startup does not count.
# Usage: scripts/instructions.sh [VARIANT] [PROFILE]
set -euo pipefail
variant=${1:-revised}
profile=${2:-release}
cd "$(dirname "$0")/.."
[ -n "${PARLOUR_BUILT:-}" ] || cargo build --quiet --profile "$profile" -p parlour-lab
program=${CARGO_TARGET_DIR:-target}/$profile/lab
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" playouts "$variant" "$1" 2>&1 |
        awk '/moves/ { moves = $3 } /Collected/ { instructions = $4 } END { print moves, instructions }'
}
read -r moves2 instructions2 < <(count 2000)
read -r moves4 instructions4 < <(count 4000)
echo "$variant: $(((instructions4 - instructions2) / (moves4 - moves2))) instructions a turn, deals included"
