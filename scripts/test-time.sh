#!/usr/bin/env bash
# What the README's test command takes in a fresh clone, dependencies compiled too, in CPU seconds
# (user and system). Usage: scripts/test-time.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet . "$folder/clone"
cd "$folder/clone"
unset CARGO_TARGET_DIR
cargo fetch --quiet
TIMEFORMAT='%U %S'
took=$({ time cargo test --release --quiet >"$folder/said" 2>&1; } 2>&1) || { cat "$folder/said"; exit 1; }
awk '/^test result/ { passed += $4 } END { printf "%d tests passed\n", passed }' "$folder/said"
awk '{ printf "%.0f CPU seconds, %.1f minutes\n", $1 + $2, ($1 + $2) / 60 }' <<<"$took"
