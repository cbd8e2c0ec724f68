#!/usr/bin/env bash
# Kills a run with SIGKILL at 100 moments, resumes it, and compares every file with an undisturbed run.
# 40 moments are spread over the run; 60 follow the appearance of a file, or of its temporary version.
# Prints a line for each moment and fails if a byte differs.
#
# Usage: scripts/kills.sh [PROGRAM]
set -uo pipefail
program=$(realpath "${1:-target/release/parlour}")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
cat >e.json <<'JSON'
{"game": "leopard", "variants": ["original", "revised"], "strategies": ["random", "greedy", "steady"],
 "deals": 500, "seed": 7, "confirm": true, "luck_adjusted": true}
JSON
# With records and hands, which are concatenated at the end.
run=("$program" run e.json --records --hands --quiet)
began=$(date +%s%N)
"${run[@]}" --out good || exit 1
long=$((($(date +%s%N) - began) / 1000000))
rm -rf good && mkdir good && "${run[@]}" --out good --threads 1 || exit 1

failed=0
finished=0
# moment NAME: kills the process $child, resumes and compares.
moment() {
    kill -9 "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    local had file how=same
    had=$(find out -name '*.csv' -o -name 'progress.jsonl' -o -name manifest.json 2>/dev/null | wc -l)
    [[ -e out/manifest.json ]] && finished=$((finished + 1))
    # A file with its final name is complete.
    for file in out/*.csv out/records.jsonl; do
        [[ ! -e $file ]] || cmp -s "$file" "good/${file#out/}" || how="${file#out/} is cut"
    done
    "${run[@]}" --out out --resume >said 2>&1 || how="status $? $(head -c 200 said);"
    for file in good/*.csv good/*.jsonl good/report.html good/confirm/progress.jsonl; do
        cmp -s "$file" "out/${file#good/}" || how+=" ${file#good/} differs"
    done
    [[ $(cd good && find . | sort) == $(cd out && find . | sort) ]] || how+=" other files there"
    [[ $how == same ]] || failed=$((failed + 1))
    printf '%-40s %2s files there  %s\n' "$1" "$had" "$how"
    rm -rf out
}

for ((i = 0; i < 40; i++)); do
    "${run[@]}" --out out 2>/dev/null &
    child=$!
    sleep "$(awk -v t="$long" -v i="$i" 'BEGIN { printf "%.4f", t * (i + 0.5) / 40000 }')"
    moment "$((long * (2 * i + 1) / 80)) ms of $long"
done
for file in progress.jsonl .checkpoints/hands-000000 .checkpoints/records-000003 confirm/progress.jsonl hands.csv records.jsonl \
    matchups.csv strategies.csv variants.csv differences.csv confirmed.csv report.html; do
    for after in 0 1 2 4 8; do
        "${run[@]}" --out out 2>/dev/null &
        child=$!
        while [[ ! -e out/$file ]] && kill -0 "$child" 2>/dev/null; do :; done
        ((after == 0)) || sleep "0.00$after"
        moment "$after ms after $file"
    done
done
echo "100 moments, $finished after the end of the run, $failed failed"
((failed == 0))
