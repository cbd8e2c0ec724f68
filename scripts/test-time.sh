#!/usr/bin/env bash
# Measures the README's test command in a fresh clone, in CPU seconds (user and system), dependencies
# included. Usage: scripts/test-time.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet . "$folder/clone"
cd "$folder/clone"
unset CARGO_TARGET_DIR
cargo fetch --quiet
TIMEFORMAT='%U %S'
took=$({ time cargo test --release >"$folder/said" 2>&1 || touch "$folder/failed"; } 2>&1)
awk '/^test result/ { passed += $4; failed += $6 } END { printf "%d tests passed, %d failed\n", passed, failed }' "$folder/said"
awk '{ printf "%.0f CPU seconds, %.1f minutes\n", $1 + $2, ($1 + $2) / 60 }' <<<"$took"
if [ -e "$folder/failed" ]; then tail -60 "$folder/said"; exit 1; fi
