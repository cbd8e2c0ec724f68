#!/usr/bin/env python3
"""Compares the faults that two builds of the program report for the same wrong inputs.

A reworded message may not get lost: what one build refuses, the other must refuse with the same exit
status, and name a line where the other does. Each committed strategy and experiment is damaged at every field (removed,
null, another type, out of range, an unknown name, an unknown field, a field twice, cut off), and wrong
command lines are added.

Usage: scripts/compare-faults.py OLD_REPOSITORY OLD_PROGRAM NEW_REPOSITORY NEW_PROGRAM [--every N] [--show]

Each program reads the files of its own repository, so names of fields may have changed in between.
Prints every input whose faults differ and ends with status 1 if there is one.
"""

import argparse
import copy
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Seconds after which a program that still runs has accepted its input.
ACCEPTED_AFTER = 1.0

# Larger files are networks and lists.
LONGEST = 20_000

# Names that changed between the builds, in command lines.
RENAMED = {
    "sample-size": "plan",
    "--allow-other-build": "--same-program",
    "--hold-out": "--without-family",
    "--objective": "--towards",
}

COMMANDS = """
run
run none.json
run .
run original-vs-revised --deals 0
run original-vs-revised --deals x
run original-vs-revised --deals -1
run original-vs-revised --seed x
run original-vs-revised --threads 0
run original-vs-revised --shard 0/2
run original-vs-revised --shard 3/2
run original-vs-revised --shard x
run original-vs-revised --resume --replace
run original-vs-revised --out
run original-vs-reviced
match
match leopard
match leopord steady greedy
match leopard steady
match leopard steedy greedy
match leopard steady greedy --variant revisd
match leopard steady greedy --deals 0
match leopard steady greedy --seats 7
match leopard steady greedy --seed abc
match leopard ismcts-0 greedy
match leopard bayes greedy
match eleusis bayes
match eleusis bayes random --seats 3
match leapfrog exact greedy
compare
compare leopard
compare leopard revised
compare leopard revised revised --strategies greedy
compare leopard revised original --strategies none
sweep leopard revised
sweep leopard revised knock=4..10 --strategies steady
sweep leopard revised knock_at=10..4 --strategies steady
sweep leopard revised knock_at=a --strategies steady
sweep leopard revised knock_at=4..10..0 --strategies steady
sweep leopard revised knock_at --strategies steady
tune
tune none
tune random
tune steady-plain --deals 0
tune revised --objective
tune revised --objective fair=0
tune revised --objective nothing=1
exploit
exploit leopard
exploit leopard none
exploit leopard random --variant none
sample-size
sample-size original-vs-revised
sample-size original-vs-revised --difference 0
sample-size original-vs-revised --difference x
merge
merge none --out other
merge . --out other
show
show none
show .
report none
replay
replay none.jsonl
replay . --advise steady
verify
verify none.jsonl
verify .
solve
solve 9x9
solve 1x
solve 2x2 --memory 0
check-certificate none
check-certificate
advise
advise none.json
advise . steady
check-bot
check-bot --game leopard
check-bot --game none -- true
check-bot --game leopard -- none-such-program
check-bot --game leopard -- true
rule
rule "red or"
rule "red and and black"
rule "purple"
rule "rank > "
science
science none
science bayes --cases none.jsonl
science bayes --seed x
list none
bench none
bench --signature none
schema none
completions none
play
play none
play leopard --against none
play leopard --seat 5
play leopard --port 99999999
nothing
--nothing
"""

WRONG = {
    "null": None,
    "a number": -7,
    "a huge number": 10**12,
    "a fraction": 0.123456,
    "a word": "no-such-word",
    "a list": ["x"],
    "an object": {"x": 1},
    "true": True,
}


def paths(value, path=()):
    """Lists the paths of all fields and items, in the order of the file."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield (*path, index)
            yield from paths(inner, (*path, index))


def altered(document, path, value=None, remove=False):
    """Returns a copy in which the value at the path is another one, or gone."""
    document = copy.deepcopy(document)
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    if remove:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return document


def damaged(text):
    """Yields a name and the text of each damaged form of a file."""
    document = json.loads(text)
    for number, path in enumerate(paths(document)):
        yield f"{number} removed", json.dumps(altered(document, path, remove=True), indent=1)
        for name, value in WRONG.items():
            yield f"{number} {name}", json.dumps(altered(document, path, value), indent=1)
        if isinstance(path[-1], str):
            again = json.dumps(path[-1])
            whole = json.dumps(document, indent=1)
            twice = whole.replace(f"{again}:", f"{again}: 0, {again}:", 1)
            yield f"{number} twice", twice
    yield "unknown field", json.dumps({**document, "no_such_field": 1}, indent=1)
    for part in (1, 2, 3):
        yield f"cut at {part}/4", text[: len(text) * part // 4]
    yield "no JSON", "hello"
    yield "empty", ""


def outcome(program, arguments, folder):
    """Returns the exit status, if the message names a line, and the message."""
    try:
        done = subprocess.run(
            [program, *arguments], cwd=folder, capture_output=True, text=True, timeout=ACCEPTED_AFTER,
            stdin=subprocess.DEVNULL, check=False,
        )
    except subprocess.TimeoutExpired:
        return 0, False, "accepted"
    return done.returncode, re.search(r"line \d", done.stderr) is not None, done.stderr.strip()


def inputs(repository, folder, old):
    """Yields a name and the arguments of every wrong input; files are written into the folder."""
    for line in COMMANDS.strip().splitlines():
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)]
        yield line, [RENAMED.get(word, word) if old else word for word in words]
    for file in sorted([*repository.glob("strategies/**/*.json"), *repository.glob("experiments/*.json")]):
        text = file.read_text()
        short = file.relative_to(repository)
        if len(text) > LONGEST or not text.startswith("{"):
            continue
        for number, (name, damage) in enumerate(damaged(text)):
            copy_of = folder / f"{file.stem}-{number}.json"
            copy_of.write_text(damage)
            if short.parts[0] == "experiments":
                yield f"{short}: {name}", ["run", str(copy_of), "--deals", "1", "--quiet", "--out", f"{copy_of}.out"]
            else:
                yield f"{short}: {name}", ["match", short.parts[1], str(copy_of), "random", "--deals", "1"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("old_repository", "old_program", "new_repository", "new_program"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--show", action="store_true", help="print both messages of each difference")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="try only every N-th input")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        old = dict(inputs(options.old_repository, Path(first), old=True))
        new = dict(inputs(options.new_repository, Path(second), old=False))
        names = [name for name in old if name in new][:: options.every]
        print(f"{len(names)} wrong inputs; {len(old) + len(new) - 2 * len(names)} exist for one build only")
        with ThreadPoolExecutor(2) as pool:
            olds = list(pool.map(lambda name: outcome(options.old_program.resolve(), old[name], first), names))
            news = list(pool.map(lambda name: outcome(options.new_program.resolve(), new[name], second), names))
    lost = gained = changed = 0
    for name, before, after in zip(names, olds, news):
        if before[:2] == after[:2]:
            continue
        lost += before[0] != 0 and after[0] == 0
        gained += before[0] == 0 and after[0] != 0
        changed += before[0] != 0 and after[0] != 0
        print(f"{name}: status {before[0]} (line: {before[1]}) -> status {after[0]} (line: {after[1]})")
        if options.show:
            print(f"  old: {before[2][:400]}\n  new: {after[2][:400]}")
    refused = sum(outcome[0] != 0 for outcome in olds)
    messages = len({re.sub(r"[\d`/].*", "", outcome[2]) for outcome in olds})
    print(f"{refused} refused by the old build ({messages} kinds of message)")
    print(f"{lost} no longer refused, {gained} newly refused, {changed} with another status, or with and without a line")
    sys.exit(1 if lost or changed else 0)


if __name__ == "__main__":
    main()
