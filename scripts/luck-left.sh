#!/usr/bin/env bash
# Measures the share of variance that is left after luck adjustment: of the score of steady against brisk,
# with the built-in network and with the one trained on these players, and of the first seat's score
# between two steady players.
# Usage: scripts/luck-left.sh [DEALS]
set -euo pipefail
cd "$(dirname "$0")/.."
deals=${1:-3000}
cargo build --quiet --release --bin parlour
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
play() {
    target/release/parlour run "$1" --deals "$deals" --quiet --out "$folder/$2" >/dev/null
    echo "$2: $(csv "$folder/$2/$3" "$4") of the variance left"
}
# Prints a column of the first row of a table.
csv() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$1"; }
judge='"luck_adjusted": "lab\/networks\/steady-brisk.network"'
experiment=experiments/luck-steady-brisk.json
sed "s/$judge/\"luck_adjusted\": true/" "$experiment" >"$folder/usual.json"
sed 's/"steady", "brisk"\],/"steady"], "mirror": true,/; /question/d' "$folder/usual.json" >"$folder/mirror.json"
play "$folder/usual.json" "steady against brisk, the program's judge" matchups.csv remaining_variance
play "$experiment" "steady against brisk, their own judge" matchups.csv remaining_variance
play "$folder/mirror.json" "the first seat between two steady players, the program's judge" \
    variants.csv first_seat_remaining_variance
