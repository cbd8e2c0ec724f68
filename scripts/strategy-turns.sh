#!/usr/bin/env bash
# Counts instructions a turn of strategies that play themselves in `parlour run`, with callgrind: the
# difference between 2n and n deals, so that startup and output do not count. 50 deals are enough for
# slow strategies.
# Usage: scripts/strategy-turns.sh [STRATEGY,...] [VARIANT] [PROFILE] [DEALS]
set -euo pipefail
strategies=${1:-steady,brisk}
variant=${2:-revised}
profile=${3:-release}
deals=${4:-1000}
cd "$(dirname "$0")/.."
cargo build --quiet --profile "$profile" --bin parlour
program=${CARGO_TARGET_DIR:-target}/$profile/parlour
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Turns and instructions of a run with $2 deals of a strategy against itself.
count() {
    local out=$folder/$1-$2
    cat >"$folder/mirror.json" <<END
{ "game": "leopard", "variants": ["$variant"], "strategies": ["$1"], "schedule": "round-robin",
  "mirror": true, "deals": $deals, "seed": 1 }
END
    instructions=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" run \
        "$folder/mirror.json" --deals "$2" --threads 1 --quiet --out "$out" 2>&1 |
        awk '/Collected/ { print $4 }')
    turns=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%.0f", $at["turns"] * $at["hands"] }' "$out/variants.csv")
    echo "$turns" "$instructions"
}
for strategy in ${strategies//,/ }; do
    read -r turns1 instructions1 < <(count "$strategy" "$deals")
    read -r turns2 instructions2 < <(count "$strategy" $((2 * deals)))
    echo "$strategy, $variant: $(((instructions2 - instructions1) / (turns2 - turns1)))" \
        "instructions a turn in a run"
done
