#!/usr/bin/env bash
# Runs the program under faults: full disks, closed streams, small limits, endless and invalid files.
# Each case is a command with its expected exit status and words of its output (stdout and stderr).
# Prints a table and fails if a case fails.
#
# Usage: scripts/faults.sh [PROGRAM] [NAME]   NAME: only cases whose name contains it
# Needs Linux. Cases with their own file system are skipped if it cannot be mounted.
set -uo pipefail
program=$(realpath "${1:-target/release/parlour}")
only=${2:-}
here=$(mktemp -d)
small=$here/small
trap 'umount "$small" 2>/dev/null; rm -rf "$here"' EXIT
cd "$here" || exit 1
mkdir small bin
# Other users run it, too.
chmod 755 .
cp "$program" bin/parlour
export PATH=$here/bin:$PATH NO_COLOR=1
failed=0

# check NAME STATUS WORDS COMMAND: WORDS are separated by `|`; without any, the output is not checked.
# No case may hang (a minute, on a machine that does other work too), panic or die of a signal.
check() {
    local name=$1 status=$2 words=$3 command=$4 found said word how=ok
    [[ $name == *$only* ]] || return 0
    said=$(timeout 60 bash -c "$command" 2>&1)
    found=$?
    [[ $found == "$status" ]] || how="status $found"
    [[ $said == *panicked* ]] && how="a panic"
    IFS='|' read -ra each <<<"$words"
    for word in "${each[@]}"; do
        [[ $said == *"$word"* ]] || how="missing: $word"
    done
    [[ $status == 0 || ${#said} -le 3000 ]] || how="${#said} bytes said"
    if [[ $how != ok ]]; then
        failed=$((failed + 1))
        printf '%-6s %-44s %s\n       $ %s\n       %.300s\n' FAILED "$name" "$how" "$command" "$said"
    else
        printf '%-6s %-44s status %-3s %s\n' ok "$name" "$status" "${words//|/, }"
    fi
}

# Enough deals that the fault hits a running run, and a shell loop that waits for its first chunk.
long='--deals 5000000'
has_chunk() { printf 'until (($(cat %s/progress.jsonl 2>/dev/null | wc -l) > 1)); do sleep 0.02; done' "$1"; }
# file NAME JSON: writes a file.
file() { printf '%s\n' "$2" >"$1"; }
# leopard JSON-FIELDS: a small Leopard experiment with these fields.
leopard() { printf '{"game": "leopard", "deals": 20, %s}' "$1"; }
pair='"variants": ["revised"], "strategies": ["random", "greedy"]'

file e.json "$(leopard "$pair")"
parlour run e.json --records --hands --out good --quiet || exit 1

echo "== streams"
for what in 'list strategies' 'schema record' 'completions bash' 'bench --signature' \
    'match leopard random greedy --deals 5' 'rule show "color == red"' 'solve leapfrog mini-3x3' \
    'report good' 'verify good/records.jsonl' 'replay good/records.jsonl' 'run nosuch' '--help' \
    '--version' 'nosuch' ''; do
    case $what in
    'run nosuch' | nosuch | '') usual=2 full=2 ;;
    *) usual=0 full=1 ;;
    esac
    check "[$what] to a full disk" $full '' "parlour $what >/dev/full"
    check "[$what] both streams full" $full '' "parlour $what >/dev/full 2>&1"
    check "[$what] standard error full" $usual '' "parlour $what 2>/dev/full"
    check "[$what] without a reader" $usual '' "set -o pipefail; parlour $what 2>&1 | sleep 0"
    check "[$what] error without a reader" $usual '' "set -o pipefail; parlour $what 2>&1 >/dev/null | sleep 0"
    check "[$what] streams closed" $usual '' "parlour $what >&- 2>&- <&-"
done

echo "== disks"
check "a file-size limit on a run" 1 'cannot write|File too large' \
    'ulimit -f 1; parlour run e.json --records --out limit'
check "what it wrote is complete" 0 '' \
    'if ls limit | grep -q csv; then ls limit; exit 1; fi; parlour run e.json --records --out limit --resume --quiet && cmp limit/records.jsonl good/records.jsonl'
check "a file-size limit on standard output" 1 'cannot write to standard output' \
    'ulimit -f 1; parlour schema experiment >big; parlour schema record >big'
check "a folder that cannot be created" 1 'cannot create the folder' 'parlour run e.json --out /proc/here'
check "a bundle that cannot be created" 1 'cannot create the folder' 'parlour bundle good --out /proc/here'
check "a folder that is a file" 1 'cannot create the folder' 'parlour run e.json --out e.json'
check "a folder that is a broken link" 1 'cannot create the folder' 'ln -sf nowhere gone; parlour run e.json --out gone'
check "records into a full disk" 1 'cannot write /dev/full' 'parlour match leopard random greedy --deals 5 --records /dev/full'
if mount -t tmpfs -o size=64k tmpfs "$small" 2>/dev/null; then
    check "a tmpfs of 64 KiB" 1 'No space left' "parlour run e.json --records --out $small/r"
    check "no truncated table on it" 0 '' "! find $small -name '*.csv' -size 0 | grep -q ."
    check "a bundle on it" 1 "No space left" "rm -r $small/r; parlour bundle good --out $small/b"
    check "nothing of the bundle on it" 0 '' "! ls -A $small | grep ."
    umount "$small"
    mount -t tmpfs -o nr_inodes=6 tmpfs "$small"
    check "a disk that holds six files" 1 'No space left' "parlour run e.json --records --hands --out $small/r"
    umount "$small"
    mount -t tmpfs tmpfs "$small"
    check "a disk that is unmounted during a run" 1 'cannot write|nothing is left' \
        "parlour run e.json $long --out $small/r & $(has_chunk "$small/r"); umount -l $small; wait \$!"
    if mount -t tmpfs -o usrquota,usrquota_block_hardlimit=64k tmpfs "$small" 2>/dev/null; then
        chmod 777 "$small"
        check "a quota of 64 KiB" 1 'quota' "setpriv --reuid 65534 --clear-groups parlour run e.json --records --out $small/r"
        umount "$small"
    else
        echo "(no file system here has quotas: one case skipped)"
    fi
    mount -t tmpfs -o size=64k,ro tmpfs "$small"
    check "a read-only mount" 1 'Read-only file system' "parlour run e.json --out $small/r"
    check "a table on a read-only mount" 1 'Read-only file system' "parlour play leopard --terminal --save $small/h.jsonl </dev/null"
    umount "$small"
    mount -t tmpfs -o size=64k tmpfs "$small"
    check "a table on a full disk, then with space" 0 'the hand is not saved: cannot write|No space left|the hand is saved again' \
        "(sleep 1; cat /dev/zero >$small/fill 2>/dev/null; echo xa1; sleep 1; rm $small/fill; echo back; sleep 1) |
            parlour play leapfrog --variant mini-4x4 --against greedy --terminal --save $small/h.jsonl"
    umount "$small"
else
    echo "(no tmpfs can be mounted here: eight cases skipped)"
fi
check "two processes on one folder" 0 'is in use: process|been writing to it' \
    'parlour run e.json --deals 100000000 --out held & sleep 0.7; parlour run e.json --out held; echo $?; kill -9 $!; true'
check "a folder that a killed process held" 2 'unfinished run|--resume' 'parlour run e.json --out held'
check "a resumption during a run names the process" 0 'is in use: process' \
    'parlour run e.json --deals 100000000 --out held --resume & sleep 0.7; parlour run e.json --deals 100000000 --out held --resume; echo $?; kill -INT $!; true'
if mkdir volume && mount -t tmpfs -o size=16m tmpfs volume 2>/dev/null; then
    check "results on a mount point" 0 '' 'parlour run e.json --out volume --quiet'
    check "a mount point is not replaced" 2 'volume is a mount point' \
        'parlour run e.json --seed 2 --out volume --replace; s=$?; [[ ! -e volume.new ]] || exit 9; parlour show volume >/dev/null; exit $s'
    umount volume
    mount -t tmpfs -o size=16k tmpfs volume
    check "records on a full disk are whole or absent" 1 'No space left' \
        'parlour match leopard random greedy --deals 40 --records volume/r.jsonl; s=$?; [[ ! -e volume/r.jsonl ]] || exit 9; exit $s'
    umount volume
else
    echo "(no tmpfs can be mounted here: three cases skipped)"
fi
for error in EPERM EOPNOTSUPP ENOSYS; do
    check "a file system whose chmod is $error" 0 '' \
        "strace -f -qq -o /dev/null -e inject=fchmod,chmod,fchmodat:error=$error parlour run e.json --out chmod-$error --quiet"
    check "a file system whose flock is $error" 0 '' \
        "strace -f -qq -o /dev/null -e inject=flock:error=$error parlour run e.json --out flock-$error --quiet"
done
check "every file is synced before its rename" 0 '' \
    'strace -f -qq -y -o calls -e trace=fdatasync,rename,renameat,renameat2 parlour run e.json --out synced --quiet && python3 -c "
import re
synced = set()
for line in open(\"calls\"):
    synced.update(re.findall(r\"fdatasync\\(\\d+<([^>]+)>\", line))
    for old in re.findall(r\"rename\\w*\\(.*?([^\\\"/]*\\.tmp)\", line):
        assert any(path.endswith(old) for path in synced), line
"'
check "a folder that is a link" 0 '' 'mkdir linked; ln -s linked link; parlour run e.json --out link --quiet && cmp linked/matchups.csv good/matchups.csv'
check "a folder removed during a run" 1 'cannot write removed/|nothing is left' \
    "parlour run e.json $long --out removed & $(has_chunk removed); rm -r removed; wait \$!"
check "a folder removed before its first chunk" 1 'cannot write early/|nothing is left' \
    'parlour run e.json --deals 100000000 --out early & until [[ -e early/progress.jsonl ]]; do sleep 0.02; done; rm -r early; wait $!'
check "a folder that loses its permission" 1 'cannot write barred/|finished chunks are saved' \
    "mkdir -m 777 barred; setpriv --reuid 65534 --clear-groups parlour run e.json $long --out barred & $(has_chunk barred); chmod 555 barred; chmod a-w barred/*; chown -R 0 barred; wait \$!"
if command -v faketime >/dev/null; then
    check "a clock that stopped in 2001" 0 '' 'faketime 2001-01-01 parlour run e.json --out clock --quiet && cmp clock/matchups.csv good/matchups.csv'
    check "a clock that runs backwards" 0 '' 'faketime -f "+0 x-1" parlour run e.json --out clock2 --quiet && cmp clock2/matchups.csv good/matchups.csv'
    library=$(faketime -f +0 bash -c 'echo "$LD_PRELOAD"')
    check "a clock that jumps by years" 0 '' \
        'echo +0 >offset; LD_PRELOAD='$library' FAKETIME_TIMESTAMP_FILE=$PWD/offset FAKETIME_NO_CACHE=1 parlour run e.json --deals 20000 --threads 1 --out clock3 --quiet & sleep 0.3; echo +1y >offset; sleep 0.2; echo -1y >offset; wait $! && parlour run e.json --deals 20000 --out clock4 --quiet && cmp clock3/matchups.csv clock4/matchups.csv'
else
    echo "(no faketime here: three cases skipped)"
fi
for files in 5 6 7 8 9 10 11 12 14; do
    # The folder is complete, or has no manifest.
    check "$files open files" 0 '' "(ulimit -n $files; parlour run e.json --threads 1 --records --hands --out n$files --quiet)
        [[ \$? -le 1 ]] || exit 3
        if [[ -e n$files/manifest.json ]]; then parlour report n$files >/dev/null && for f in \$(cd good; ls *.csv *.jsonl); do cmp good/\$f n$files/\$f || exit 4; done; fi"
done

check "one core of many" 0 '' 'taskset -c 0 parlour run e.json --out core --quiet && cmp core/matchups.csv good/matchups.csv'
check "a stack of 512 KB" 0 '' 'ulimit -s 512; parlour run e.json --out stack --records --quiet && cmp stack/records.jsonl good/records.jsonl'
check "memory of 60 MB" 0 '' 'ulimit -v 60000; parlour run e.json --out memory --threads 1 --quiet && cmp memory/matchups.csv good/matchups.csv'
for signals in 'INT INT' 'TERM TERM' 'HUP INT'; do
    check "SIG${signals/ /, SIG} during a run" 130 'stopping' \
        "parlour run e.json --deals 100000000 --out 's$signals' & sleep 0.5; for s in $signals; do kill -\$s \$!; sleep 0.05; done; wait \$!"
done

echo "== endless and over-long files"
for what in verify replay run advise science; do
    check "$what of an endless file" 2 'longer than' "ulimit -v 1000000; parlour $what /dev/zero"
done
check "an endless strategy" 2 'longer than' 'ln -sf /dev/zero z.json; parlour match leopard ./z.json greedy'
check "an endless rules file" 2 'longer than' 'parlour match leopard random greedy --variant ./z.json'
check "a folder with endless progress" 2 'not a regular file' \
    'mkdir -p endless; ln -sf /dev/zero endless/progress.jsonl; ulimit -v 8000000; parlour report endless'
head -c 3000000 /dev/zero | tr '\0' ' ' >blank.jsonl
check "a line of blanks of 3 MB" 2 'line 1|longer than 1 MB' 'parlour verify blank.jsonl'
long=$(printf 'color == red and %.0s' {1..300})'color == red'
check "a rule too long" 2 'at most 4096' "parlour rule show '$long'"
check "a dealer's rule too long" 2 'at most 4096' \
    "printf '{\"kind\": \"random\", \"dealer\": \"fixed:$long\"}' >d.json; parlour match eleusis ./d.json random random random"
check "a variant's secret too long" 2 'at most 4096' \
    "printf '{\"name\": \"x\", \"base\": \"eleusis\", \"secret\": \"$long\"}' >s.json; parlour compare eleusis ./s.json eleusis --strategies random"

echo "== limits"
# many COUNT TEXT: items of a JSON list; `#` in the text becomes the number.
many() { python3 -c 'import sys; print(", ".join(sys.argv[2].replace("#", str(i)) for i in range(int(sys.argv[1]))))' "$@"; }
variant='{"name": "v#", "base": "revised"}'
strategy='{"name": "s#", "base": "random"}'
file v10000.json "$(leopard "\"variants\": [$(many 10000 "$variant")], \"strategies\": [\"random\", \"greedy\"]")"
file v150.json "$(leopard "\"variants\": [$(many 150 "$variant")], \"strategies\": [\"random\", \"greedy\"]")"
file s10000.json "$(leopard "\"variants\": [\"revised\"], \"strategies\": [$(many 10000 "$strategy")]")"
file g10000.json "$(leopard "\"variants\": [\"revised\"], \"strategies\": [$(many 10000 "$strategy")], \"schedule\": \"gauntlet\", \"champion\": \"s1\"")"
file l300000.json "$(leopard "$pair, \"schedule\": \"line-up\", \"line_ups\": [$(many 300000 '["random", "greedy"]')]")"
check "10,000 variants" 2 '49995000 pairs|at most 200' 'ulimit -v 300000; parlour run ./v10000.json --out no'
check "10,000 strategies" 2 '49995000 pairs|at most 300' 'ulimit -v 300000; parlour run ./s10000.json --out no'
check "10,000 strategies in a gauntlet" 2 'at most 300' 'ulimit -v 300000; parlour run ./g10000.json --out no'
check "300,000 line-ups" 2 '300000 tables|at most 20000' 'ulimit -v 1000000; parlour run ./l300000.json --out no'
check "a table larger than memory" 0 'value +0 for the first seat' 'ulimit -v 60000; parlour solve leapfrog mini-5x5'
file mirror.json '{"game": "leopard", "variants": ["revised"], "strategies": ["random"], "schedule": "line-up", "line_ups": [["random", "random"]]}'
check "a plan of 10^12 deals" 130 'stopp' 'ulimit -v 60000; timeout -s INT --preserve-status 2 parlour run ./mirror.json --deals 1000000000000 --out many --threads 1'
check "more deals than can be counted" 2 '`deals` is 10000000000000|at most' 'parlour run ./mirror.json --deals 10000000000000 --out no'
parlour match leapfrog random greedy --deals 1 --records leaps.jsonl --quiet >/dev/null
parlour replay leaps.jsonl --position 3 >leaps.json
file tree.json '{"kind": "mcts", "budget": {"iterations": 250000}, "playouts": {"by": "random", "cut_off": {"moves": 1}}, "tree": {"memory_mb": 4096, "exploration": 3.0}}'
check "trees larger than memory" 0 'leaps from' 'ulimit -v 54000; parlour advise leaps.json --strategy ./tree.json'
# Progress by then differs between machines: the first run is playing, the last may be over.
check "SIGTERM with 150 variants" 130 'stop' \
    'for after in 0.3 2; do timeout -k 5 -s TERM --preserve-status $after parlour run ./v150.json --out summed$after --quiet; s=$?; [[ $s == 0 || $s == 130 ]] || exit $s; done; exit 130'
for signal in INT TERM HUP; do
    check "SIG$signal during a run" 130 'stopping|--resume' \
        "parlour run e.json --deals 100000000 --out s$signal & sleep 0.7; kill -$signal \$!; wait \$!"
done

echo "== invalid input"
# wrong NAME WORDS FIELDS: an experiment with these fields is refused with its place.
wrong() {
    file wrong.json "$(leopard "$3")"
    check "$1" 2 "wrong.json|$2" 'parlour run ./wrong.json --out no; s=$?; [[ ! -e no ]] || exit 9; exit $s'
}
up='"schedule": "line-up", "line_ups":'
wrong "mirror in a gauntlet" '`mirror` needs' "$pair, \"mirror\": true, \"schedule\": \"gauntlet\", \"champion\": \"random\""
wrong "mirror in a line-up" '`mirror` needs' "$pair, \"mirror\": true, $up [[\"random\", \"greedy\"]]"
wrong "a field twice" 'duplicate field `deals`|line 1' "$pair, \"deals\": 3"
wrong "a variant's base twice" 'duplicate field `base`' '"strategies": ["random", "greedy"], "variants": [{"name": "x", "base": "revised", "base": "denexa"}]'
wrong "a variant's name twice" 'duplicate field `name`' '"strategies": ["random", "greedy"], "variants": [{"name": "x", "name": "y", "base": "denexa"}]'
wrong "a strategy's kind twice" 'duplicate field `kind`' '"strategies": ["random", {"name": "x", "kind": "random", "kind": "greedy"}]'
wrong "three names at two seats" 'has 3 strategies' "$pair, $up [[\"random\", \"greedy\"], [\"random\", \"greedy\", \"random\"]]"
wrong "a line-up twice" 'is listed twice' "$pair, $up [[\"random\", \"greedy\"], [\"random\", \"greedy\"]]"
wrong "a strategy in no line-up" '`greedy` has no seat' "$pair, $up [[\"random\", \"random\"]]"
wrong "a list for until.sprt" 'until.sprt|an object' "$pair, \"until\": {\"sprt\": [0, 5, 0.05, 0.05, \"logistic\"]}"
for group in 'model' 'guide' 'playouts' 'tree'; do
    wrong "a list for a search's $group" "strategies[0].$group" "\"strategies\": [{\"name\": \"x\", \"base\": \"champion\", \"$group\": [1, 2]}, \"random\"]"
done
wrong "null for knock_at" 'knock_at|null' '"strategies": ["random", "greedy"], "variants": [{"name": "x", "base": "revised", "knock_at": null}]'
file p.json '{"game": "leapfrog", "variant": "mini-3x3", "rules": [3, 3], "view": {}}'
check "a list for a position's rules" 2 'p.json|field `rules`|an object' 'parlour advise p.json'
file c.json '{"name": "x", "base": "mini-2x2", "pieces": {"colors": [1, 1, 1, 1]}}'
check "a list for pieces.colors" 2 'c.json|pieces.colors|an object' 'parlour match leapfrog random greedy --variant ./c.json'
sed 's/"rules":{[^}]*}/"rules":[3,1,7,7,"no_knock",1,1,"one",8,"face_up","before_play",1]/' good/records.jsonl >list.jsonl
check "a list for a record's rules" 2 'list.jsonl|line 1|an object' 'parlour verify list.jsonl'
file r.json '{"name": "x", "base": "revisd"}'
check "a rules file's base" 2 'r.json|revisd' 'parlour match leopard random greedy --variant r.json'
file r2.json '{"name": "x", "base": "revised", "draw": 9}'
check "a rules file's range" 2 'r2.json|`draw` is 9' 'parlour match leopard random greedy --variant r2.json'
file r3.json '{"name": "x y", "base": "revised"}'
check "a rules file's name" 2 'r3.json|x y' 'parlour match leopard random greedy --variant r3.json'
file u.json '{"game": "chess", "strategies": []}'
check "an unknown game" 2 'u.json|unknown game `chess`' 'parlour run ./u.json --out no'
check "a position's unknown game" 2 'u.json|unknown game `chess`' 'parlour advise u.json'
: >nothing.jsonl
check "an empty record file" 2 'nothing.jsonl|no record' 'parlour verify good/records.jsonl nothing.jsonl'

if [[ $failed != 0 ]]; then
    echo "$failed cases failed" >&2
    exit 1
fi
