#!/usr/bin/env bash
# Compares the cost of a move of a strong player today with another one in an older revision, in
# instructions (callgrind) and in seconds of one thread. Both play the same deals against `steady`,
# whose cost, about a thousandth, counts as theirs.
# Usage: scripts/strong-moves.sh REVISION [PLAYER THEN] [PLAYER NOW] [DEALS]
set -euo pipefail
cd "$(dirname "$0")/.."
revision=${1:?a revision to compare with}
before=${2:-ismcts-2000}
after=${3:-expert}
deals=${4:-2}
folder=$(mktemp -d)
trap 'git worktree remove --force "$folder/then"; rm -rf "$folder"' EXIT
git worktree add --quiet --detach "$folder/then" "$revision"
unset CARGO_TARGET_DIR
for place in "$folder/then" "$PWD"; do
    (cd "$place" && cargo build --quiet --release --bin parlour)
done
# Plays deals of a player with the program of a folder, under the given measuring command.
play() {
    cat >"$folder/match.json" <<END
{ "game": "leopard", "variants": ["revised"], "strategies": ["$2", "steady"],
  "schedule": "round-robin"$4, "deals": $3, "seed": 1812 }
END
    rm -rf "$folder/out"
    (cd "$1" && "${@:5}" target/release/parlour run "$folder/match.json" --threads 1 --quiet --out "$folder/out") 2>&1
}
count() { play "$@" valgrind --tool=callgrind --callgrind-out-file=/dev/null | awk '/Collected/ { print $4 }'; }
seconds() {
    TIMEFORMAT=%U
    { time play "$@" >/dev/null 2>&1; } 2>&1
}
# Turns of the player: half of all.
turns() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%.0f", $at["turns"] * $at["hands"] / 2 }' "$folder/out/variants.csv"
}
# Instructions a move: the difference between 2n and n deals.
a_move() {
    local few many few_turns many_turns
    few=$(count "$1" "$2" "$deals" "$3")
    few_turns=$(turns)
    many=$(count "$1" "$2" $((2 * deals)) "$3")
    many_turns=$(turns)
    echo $(((many - few) / (many_turns - few_turns)))
}
plain=', "luck_adjusted": false'
then=$(a_move "$folder/then" "$before" "")
now=$(a_move "$PWD" "$after" "$plain")
awk -v a="$then" -v b="$now" -v before="$before" -v after="$after" 'BEGIN {
    printf "%s then: %.1f million instructions a move; %s now: %.1f million: %.3f\n", before, a / 1e6, after, b / 1e6, b / a }'
# In turn, so that a slow phase of the machine slows both.
for _ in 1 2 3 4 5; do
    a=$(seconds "$folder/then" "$before" $((5 * deals)) "")
    a_turns=$(turns)
    b=$(seconds "$PWD" "$after" $((5 * deals)) "$plain")
    echo "$a $a_turns $b $(turns)"
done | awk '{ a = 1000 * $1 / $2; b = 1000 * $3 / $4; print a, b, b / a }' | sort -k3n |
    awk 'NR == 3 { printf "%.1f ms a move then, %.1f now: %.3f (median of five)\n", $1, $2, $3 }'
