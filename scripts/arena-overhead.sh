#!/usr/bin/env bash
# What `parlour run` costs above bare playouts: executed instructions a turn of random against
# random under a Leopard variant, by callgrind, as a multiple of those of uniformly random playouts
# (scripts/instructions.sh). One thread; the difference between 8,000 and 4,000 deals (two hands
# each), so that starting the program, the lines of the progress file and the results
# do not count.
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
# The turns and the instructions of a run of so many deals.
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
