#!/bin/sh
# Sizes, CPU time and memory of lists of hands as text and as Parquet: the table of docs/scaling.md.
# scripts/parquet.sh [PROGRAM]
set -eu
program=$(realpath "${1:-target/release/parlour}")
cd "$(mktemp -d)"
for list in "hands 100000" "records 10000"; do
    set -- $list
    printf '{"game":"leopard","variants":["revised"],"strategies":["greedy","steady"],"deals":%s}' "$2" > e.json
    for format in text parquet; do
        /usr/bin/time -f "$1 $format: %U + %S s CPU, %M kB" "$program" run ./e.json --threads 1 \
            --quiet "--$1" --format "$format" --out "$1-$format" > /dev/null
        du -sb "$1-$format/$1".*
    done
done
