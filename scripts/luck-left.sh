#!/usr/bin/env bash
# Which part of the variance of steady's score against brisk is left once luck is taken out, by the
# judge that comes with the program and by the one that was taught on these players' hands; and of the
# first seat's score between two steady players.
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
# A column of the first row of a table.
csv() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$1"; }
judge='"luck_adjusted": "lab\/judges\/steady-brisk.judge"'
experiment=experiments/luck-steady-brisk.json
sed "s/$judge/\"luck_adjusted\": true/" "$experiment" >"$folder/usual.json"
sed 's/"steady", "brisk"\],/"steady"], "mirror": true,/; /question/d' "$folder/usual.json" >"$folder/mirror.json"
play "$folder/usual.json" "steady against brisk, the program's judge" matchups.csv variance_left
play "$experiment" "steady against brisk, their own judge" matchups.csv variance_left
play "$folder/mirror.json" "the first seat between two steady players, the program's judge" \
    variants.csv first_seat_variance_left
