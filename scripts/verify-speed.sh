#!/usr/bin/env bash
# Measures time and memory of `verify` for a million records of Leopard on one core.
# Usage: scripts/verify-speed.sh [PROGRAM]
set -euo pipefail
program=$(realpath "${1:-target/release/parlour}")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
"$program" match leopard random greedy --variant revised --deals 5000 --records some.jsonl --quiet >/dev/null
for _ in {1..100}; do cat some.jsonl; done >million.jsonl
wc -l <million.jsonl | awk '{ print $1, "records" }'
/usr/bin/time -f '%e s, %U s of one core and %S s of the system, %M KB at most' "$program" verify million.jsonl
