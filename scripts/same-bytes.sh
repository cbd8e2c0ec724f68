#!/usr/bin/env bash
# Compares results of different builds and settings: generic, native and debug builds, 1, 2, 3 and 8 threads
# under load, and uneven shards merged in two orders. Each plays Leopard with searches, Leap Frog with
# four seats, and Eleusis. All files must be equal except for the timing in the manifest.
#
# Usage: scripts/same-bytes.sh [FOLDER] [PROFILE]
#   FOLDER: where the builds go (target/same-bytes), about 400 MB; PROFILE: of the fast builds (release)
set -euo pipefail
cd "$(dirname "$0")/.."
builds=$(realpath -m "${1:-target/same-bytes}")
profile=${2:-release}
here=$(mktemp -d)
load=()
# The programs that only make load are killed by process id.
trap 'if ((${#load[@]})); then kill "${load[@]}"; fi 2>/dev/null; rm -rf "$here"' EXIT

echo "building three programs"
build() { cargo build --quiet --bin parlour --target-dir "$builds/$1" "${@:2}"; }
RUSTFLAGS="" build usual --profile "$profile"
RUSTFLAGS="-C target-cpu=native" build native --profile "$profile"
RUSTFLAGS="" build debug
usual=$builds/usual/$profile/parlour
native=$builds/native/$profile/parlour
debug=$builds/debug/debug/parlour

cd "$here"
cat >leopard.json <<'JSON'
{"game": "leopard", "variants": ["revised", "running-original"], "deals": 7, "seed": 9, "luck_adjusted": true,
 "strategies": ["steady", "self-taught", {"name": "search", "base": "ismcts-500", "budget": {"iterations": 60}},
                {"name": "flat", "base": "monte-carlo-500", "budget": {"iterations": 60}}]}
JSON
cat >leapfrog.json <<'JSON'
{"game": "leapfrog", "variants": [{"name": "four", "base": "murray-mini-5x5", "seats": 4}], "deals": 7, "seed": 9,
 "strategies": ["greedy", "careful", "random", {"name": "tree", "base": "mcts-1000", "budget": {"iterations": 40}}],
 "schedule": "line-up", "line_ups": [["greedy", "careful", "random", "tree"], ["tree", "tree", "greedy", "greedy"]]}
JSON
cat >eleusis.json <<'JSON'
{"game": "eleusis", "variants": ["eleusis", {"name": "express-5", "base": "express", "seats": 5}], "deals": 5, "seed": 9,
 "strategies": ["bayes", "cautious", "random"], "schedule": "line-up",
 "line_ups": [["bayes", "cautious", "bayes", "random", "cautious"]]}
JSON
games=(leopard leapfrog eleusis)

# play PROGRAM GAME OUT [OPTION...]
play() { "$1" run "./$2.json" --records --hands --quiet --out "$3" "${@:4}"; }
# compared GAME OUT: `same`, or the first file that differs.
compared() {
    python3 - "good/$1" "$2" <<'PYTHON'
import json, pathlib, sys
def files(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            bytes_ = path.read_bytes()
            if path.name == "manifest.json":
                manifest = json.loads(bytes_)
                del manifest["timing"]
                bytes_ = json.dumps(manifest).encode()
            found[str(path.relative_to(folder))] = bytes_
    return found
good, other = map(files, sys.argv[1:])
names = sorted(good.keys() | other.keys())
print(next((name for name in names if good.get(name) != other.get(name)), "same"))
PYTHON
}
fell=0
# row NAME WORD...: a line of the table, with a word for each game.
row() {
    printf '%-34s %-12s %-12s %-12s %s\n' "$@"
    for word in "${@:2}"; do [[ $word == same || $word == - ]] || fell=1; done
}
# whole NAME PROGRAM [OPTION...]: plays all games.
whole() {
    local words=() game
    for game in "${games[@]}"; do
        rm -rf out
        play "$2" "$game" out "${@:3}"
        words+=("$(compared "$game" out)")
    done
    local signature=-
    [[ $# -gt 2 ]] || { [[ $("$2" bench --signature) == "$good" ]] && signature=same || signature=other; }
    row "$1" "${words[@]}" "$signature"
}

mkdir good
for game in "${games[@]}"; do play "$usual" "$game" "good/$game" --threads 1; done
good=$("$usual" bench --signature)
printf '%-34s %-12s %-12s %-12s %s\n' "" "${games[@]}" "signature ($good)"
whole "built for this processor" "$native"
whole "built to find faults" "$debug"
for _ in 1 2 3; do
    sha256sum /dev/zero >/dev/null &
    load+=($!)
done
for threads in 1 2 3 8; do whole "under load, threads: $threads" "$usual" --threads "$threads"; done
kill "${load[@]}" || true
load=()
for order in "1-2 2-4 4-4" "4-4 1-2 2-4"; do
    words=()
    for game in "${games[@]}"; do
        rm -rf parts out
        parts=()
        for part in $order; do
            # One half and two quarters of the chunks, each played by another build.
            case $part in 1-2) by=$usual ;; 2-4) by=$native ;; *) by=$debug ;; esac
            play "$by" "$game" "parts/$part" --shard "${part/-//}"
            parts+=("parts/$part")
        done
        "$usual" merge "${parts[@]}" --out out >/dev/null
        words+=("$(compared "$game" out)")
    done
    row "shards ${order//-/\/}, three builds" "${words[@]}" -
done
exit "$fell"
