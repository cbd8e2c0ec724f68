#!/usr/bin/env python3
"""Compares a run from Python with the command line: instructions on one thread, counted by callgrind.

Measures the difference between 8,000 and 4,000 deals of random against itself, and a complete run of 2,000
deals of steady against greedy, including the start of the interpreter.

Usage: scripts/python-overhead.py [PROGRAM]; the interpreter is this one, with parlour installed.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/parlour"
PLAY = (
    "import parlour, sys; "
    "parlour.run(sys.argv[1], deals=int(sys.argv[2]), out=sys.argv[3], threads=1, progress=False)"
)


def instructions(command):
    grind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(grind, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def both(folder, name, strategies, deals):
    """Instructions from the command line and from Python."""
    file = folder / f"{name}.json"
    said = {"game": "leopard", "variants": ["revised"], "strategies": strategies, "seed": 1}
    file.write_text(json.dumps({**said, "mirror": len(strategies) == 1}))
    out = folder / f"{name}-{deals}"
    theirs = [PROGRAM, "run", file, "--deals", deals, "--out", f"{out}-a", "--threads", 1, "--quiet"]
    ours = [sys.executable, "-c", PLAY, file, deals, f"{out}-b"]
    return [instructions([str(word) for word in command]) for command in (theirs, ours)]


def say(what, theirs, ours):
    more = 100 * (ours / theirs - 1)
    print(f"{what}: {theirs:,} instructions from the command line, {ours:,} from Python: {more:+.2f} %")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    few, many = (both(folder, "random", ["random"], deals) for deals in (4000, 8000))
    say("4,000 deals more of random", *(after - before for before, after in zip(few, many)))
    say("2,000 deals of steady against greedy", *both(folder, "steady", ["steady", "greedy"], 2000))
