#!/usr/bin/env python3
"""Tests that luck has mean 0 and that the adjustment does not bias scores, over many seeds.

    cargo build --release && scripts/luck-bias.py target/release/parlour 50 1000

plays 50 runs of 1000 deals with different seeds between two fast players (10^5 hands, about 15 minutes of
one core). It prints how far the mean luck of a hand is from 0, and the mean adjusted score from the
mean plain score, in standard errors.
"""

import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAM, SEEDS, DEALS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
PLAYERS = sys.argv[4].split(",") if len(sys.argv) > 4 else ["steady", "brisk"]
LUCK, UNIT = 1 << 16, 840


def run(seed, folder):
    experiment = {
        "game": "leopard", "variants": ["revised"], "strategies": PLAYERS, "deals": DEALS,
        "seed": 1_000_000 + seed, "luck_adjusted": True,
    }
    (folder / "e.json").write_text(json.dumps(experiment))
    out = folder / f"r{seed}"
    command = [PROGRAM, "run", str(folder / "e.json"), "--quiet", "--threads", "1", "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out


def table(path):
    with open(path, newline="") as file:
        return next(csv.DictReader(file))


def line(what, numbers):
    mean = statistics.fmean(numbers)
    error = statistics.stdev(numbers) / math.sqrt(len(numbers))
    print(f"{what}: {mean:+.5f} ± {error:.5f} (one standard error), {mean / error:+.2f} errors from 0")


moved = {"score": [], "first seat": []}
luck = {"pairing": [], "first seat": []}
left = {"score": [], "first seat": []}
with tempfile.TemporaryDirectory() as folder:
    for seed in range(SEEDS):
        out = run(seed, pathlib.Path(folder))
        pairing, variant = table(out / "matchups.csv"), table(out / "variants.csv")
        moved["score"].append(float(pairing["score_luck_adjusted"]) - float(pairing["score"]))
        first = float(variant["first_seat_luck_adjusted"]) - float(variant["first_seat_score"])
        moved["first seat"].append(first)
        left["score"].append(float(pairing["remaining_variance"]))
        left["first seat"].append(float(variant["first_seat_remaining_variance"]))
        sums = {"tables": 0, "variants": 0}
        for row in (out / "progress.jsonl").read_text().splitlines()[1:]:
            for name, numbers in json.loads(row)["body"]["sums"]["luck"].items():
                sums[name] += numbers[0]
        hands = 2 * DEALS
        luck["pairing"].append(sums["tables"] / LUCK / hands)
        luck["first seat"].append(sums["variants"] / LUCK / hands)
print(f"{SEEDS} seeds, {DEALS} deals each, {' against '.join(PLAYERS)}: {2 * SEEDS * DEALS} hands")
for what, numbers in luck.items():
    line(f"mean luck a hand, {what}, in wins", numbers)
for what, numbers in moved.items():
    line(f"adjusted less plain, {what}", numbers)
for what, numbers in left.items():
    print(f"variance left, {what}: {statistics.fmean(numbers):.3f}")
