#!/usr/bin/env bash
# Plays 4,000 deals between an external player that remembers all hands and the same player without
# memory. Fails unless the memory is worthless: a score of 0.500 within 0.015.
# Usage: scripts/cheating-player.sh [PROGRAM] [DEALS]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/parlour}")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
bot=$PWD/scripts/bots/leopard_elephant.py
for memory in remembers forgets; do
    printf '{"about":"x","kind":"external","command":["python3","%s","%s"]}' "$bot" "$memory" \
        >"$here/$memory.json"
done
"$program" match leopard "$here/remembers.json" "$here/forgets.json" --deals "${2:-4000}" --json >"$here/said"
python3 - "$here/said" <<'PY'
import json, sys
row = next(row for row in json.load(open(sys.argv[1]))["matchups"] if row["strategy"] == "remembers")
score = row["score"]["value"] if isinstance(row["score"], dict) else row["score"]
print(f"with memory: {score:.3f} of {row['hands']} hands")
sys.exit(abs(score - 0.5) > 0.015)
PY
