#!/usr/bin/env python3
"""Repeats committed experiments and compares their tables byte by byte.

Usage: scripts/reproduce.py [NAME...] [--most SECONDS] [--program PROGRAM]

Plays every folder of results/ whose run took at most SECONDS (120) on one core, or the named ones, with the
deals and seed of its manifest. Every column of every committed CSV file must be equal; new columns are
ignored. Prints which folders are skipped, and why.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description="Play committed experiments again.")
parser.add_argument("names", nargs="*", help="folders of results/")
parser.add_argument("--most", type=float, default=120, help="maximum seconds of the committed run")
parser.add_argument("--program", default="target/release/parlour")
options = parser.parse_args()


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def difference(old, new):
    """First difference of two tables, or None."""
    old, new = rows(old), rows(new)
    missing = [name for name in old[0] if name not in new[0]]
    if missing:
        return f"no column `{missing[0]}`"
    if len(old) != len(new):
        return f"{len(new) - 1} rows, not {len(old) - 1}"
    places = [new[0].index(name) for name in old[0]]
    for line, (before, now) in enumerate(zip(old, new), 1):
        for name, value, place in zip(old[0], before, places):
            if value != now[place]:
                return f"line {line}, `{name}`: {now[place]}, not {value}"
    return None


def play(folder, manifest, out):
    """Repeats the run of a folder and returns the differences."""
    experiment = manifest["experiment"]
    command = [options.program, "run", f"experiments/{folder.name}.json", "--out", out, "--quiet"]
    command += ["--deals", str(experiment["deals"]), "--seed", str(experiment["seed"])]
    files = [name for name in manifest["files"] if name.endswith(".csv")]
    command += ["--hands"] * ("hands.csv" in files)
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        return [run.stderr.strip()]
    found = ((name, difference(folder / name, pathlib.Path(out) / name)) for name in files)
    return [f"{name}: {fault}" for name, fault in found if fault]


failed, played = False, 0
for folder in sorted(path for path in pathlib.Path("results").iterdir() if path.is_dir()):
    if options.names and folder.name not in options.names:
        continue
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        print(f"{folder.name}: skipped: no run of an experiment")
        continue
    seconds = manifest["timing"]["seconds"]
    resumed = manifest["timing"]["resumed_chunks"]
    if not options.names and (seconds > options.most or resumed):
        print(f"{folder.name}: skipped: took", "several sessions" if resumed else f"{seconds:.0f} s")
        continue
    with tempfile.TemporaryDirectory() as out:
        faults = play(folder, manifest, out + "/run")
    print(f"{folder.name}:", "; ".join(faults) or "identical", flush=True)
    failed |= bool(faults)
    played += 1
sys.exit("some results differ" if failed else None if played else "no folder was played")
