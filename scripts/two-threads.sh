#!/usr/bin/env bash
# Measures the speedup of `parlour run` with two threads: the ratio of wall times of random against random,
# five times in turn. For comparison it runs two single-threaded programs at once, the limit of the
# machine, which must be idle otherwise.
# Usage: scripts/two-threads.sh [VARIANT] [DEALS]
set -euo pipefail
variant=${1:-revised}
deals=${2:-300000}
cd "$(dirname "$0")/.."
cargo build --quiet --release --bin parlour
program=${CARGO_TARGET_DIR:-target}/release/parlour
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/mirror.json" <<END
{ "game": "leopard", "variants": ["$variant"], "strategies": ["random"], "schedule": "round-robin",
  "mirror": true, "deals": $deals, "seed": 1 }
END
play() { "$program" run "$folder/mirror.json" --threads "$1" --quiet --out "$folder/$2"; }
now() { date +%s.%N; }
for round in 1 2 3 4 5; do
    start=$(now); play 1 "$round-one"
    one=$(now); play 2 "$round-two"
    two=$(now); play 1 "$round-a" & play 1 "$round-b"; wait
    both=$(now)
    awk "BEGIN { a = $one - $start; b = $two - $one; c = $both - $two
        printf \"one thread %.2f s, two %.2f s: %.2f times; two programs: %.2f times\n\", a, b, a / b, 2 * a / c }"
done
