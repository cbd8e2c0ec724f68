#!/usr/bin/env bash
# Compares the cost of `parlour run` with bare playouts: instructions a turn of random against random,
# counted by callgrind, divided by those of random playouts (scripts/instructions.sh). Uses one thread
# and the difference between 8,000 and 4,000 deals, so that startup and output do not count.
# Usage: scripts/arena-overhead.sh [VARIANT] [PROFILE]
set -euo pipefail
variant=${1:-revised}
profile=${2:-release}
cd "$(dirname "$0")/.."
[ -n "${PARLOUR_BUILT:-}" ] || cargo build --quiet --profile "$profile" --bin parlour
program=${CARGO_TARGET_DIR:-target}/$profile/parlour
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/mirror.json" <<END
{ "game": "leopard", "variants": ["$variant"], "strategies": ["random"], "schedule": "round-robin",
  "mirror": true, "deals": 1000, "seed": 1 }
END
# Turns and instructions of a run with $1 deals.
count() {
    local out=$folder/$1
    instructions=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" run \
        "$folder/mirror.json" --deals "$1" --threads 1 --quiet --out "$out" 2>&1 |
        awk '/Collected/ { print $4 }')
    turns=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%.0f", $at["turns"] * $at["hands"] }' "$out/variants.csv")
    echo "$turns" "$instructions"
}
read -r turns1 instructions1 < <(count 4000)
read -r turns2 instructions2 < <(count 8000)
run=$(((instructions2 - instructions1) / (turns2 - turns1)))
bare=$(scripts/instructions.sh "$variant" "$profile" | awk '{ print $2 }')
echo "$variant: $run instructions a turn in a run, $bare in a playout:" \
    "$(awk "BEGIN { printf \"%.2f\", $run / $bare }") times"
