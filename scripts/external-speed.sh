#!/usr/bin/env bash
# Measures moves a second of an external Python player on two threads, and of one that does not read its
# input: the limit of pipes and Python.
# Usage: scripts/external-speed.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/parlour}")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cat >"$here/reads.py" <<'PY'
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello": print('{"protocol":1,"name":"reads"}', flush=True)
    elif kind == "choose": print('{"index":0}', flush=True)
PY
cat >"$here/echo.py" <<'PY'
import sys
for line in sys.stdin:
    if line.startswith('{"type":"choose"'): print('{"index":0}', flush=True)
    elif line.startswith('{"type":"hello"'): print('{"protocol":1,"name":"echo"}', flush=True)
PY
for player in reads echo; do
    printf '{"about":"x","kind":"external","command":["python3","%s"]}' "$here/$player.py" >"$here/$player.json"
    begin=$(date +%s%N)
    "$program" match leopard "$here/$player.json" random --deals 1000 --threads 2 --json >"$here/said"
    end=$(date +%s%N)
    python3 - "$here/said" "$player" $((end - begin)) <<'PY'
import json, sys
row = json.load(open(sys.argv[1]))["matchups"][0]
asked = row["turns"] * row["hands"] / 2
print(f"{sys.argv[2]}: {asked / int(sys.argv[3]) * 1e9:,.0f} moves a second, {asked:,.0f} in all")
PY
done
