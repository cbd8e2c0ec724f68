#!/usr/bin/env python3
"""Tests that `parlour review` ranks players as their ratings do, at a twentieth of the deals.

Plays experiments/review-ranking.json (ten players of Leopard), records a twentieth of its deals with
another seed, reviews them, and compares both rankings. Exits with 1 if Spearman's correlation is below
0.95. Usage: review-ranking.py [PARLOUR] [FOLDER]
"""

import csv
import json
import subprocess
import sys
from pathlib import Path

parlour, *rest = sys.argv[1:] or ["target/release/parlour"]
out = Path(rest[0] if rest else "target/review-ranking")
experiment = "experiments/review-ranking.json"
deals = json.loads(Path(experiment).read_text())["deals"]


def run(*arguments):
    return subprocess.run([parlour, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


def play(folder, *options):
    if not (out / folder / "manifest.json").exists():
        run("run", experiment, "--out", out / folder, "--quiet", *options)


play("ratings")
play("records", "--deals", deals // 20, "--seed", 2081, "--records")
judged = out / "review.json"
if not judged.exists():
    judged.write_text(run("review", out / "records/records.jsonl", "--strategy", "ismcts-250", "--json"))

with open(out / "ratings/strategies.csv") as file:
    ratings = {row["strategy"]: float(row["rating"]) for row in csv.DictReader(file)}
losses = {it["player"]: it["groups"][0]["loss"] for it in json.loads(judged.read_text())["players"]}
by_rating = sorted(ratings, key=ratings.get, reverse=True)
by_loss = sorted(losses, key=lambda name: losses[name]["value"])
squares = sum((by_rating.index(name) - by_loss.index(name)) ** 2 for name in by_rating)
count = len(by_rating)
spearman = 1 - 6 * squares / (count * (count**2 - 1))

print("| player | rating | loss per decision, percentage points |\n|---|---:|---:|")
for name in by_rating:
    low, high = losses[name]["interval"]
    value = losses[name]["value"]
    print(f"| {name} | {ratings[name]:.0f} | {100 * value:.2f} [{100 * low:.2f}, {100 * high:.2f}] |")
print(f"\nSpearman's correlation: {spearman:.3f}")
sys.exit(spearman < 0.95)
