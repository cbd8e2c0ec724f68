#!/usr/bin/env python3
"""Plays a network against `steady-plain`, tuned again for each of 20 random rule sets of Leopard.

Usage: rule-sets.py NETWORK.json FOLDER [PROGRAM]

FOLDER keeps variants and tuned strategies; those that exist are used again. The answer is the mean
score of the network, with its 95 % interval over the rule sets.
"""

import csv
import json
import math
import random
import statistics
import subprocess
import sys
from pathlib import Path

RULES = {
    "knock_at": range(4, 11),
    "suit_line": range(2, 6),
    "color_line": range(3),
    "bonus_over": range(5, 10),
    "bonus_when": ["no_knock", "always"],
    "knock_penalty": range(3),
}
SETS = 20
DEALS = 500


def main() -> None:
    network, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    program = str(Path(sys.argv[3] if len(sys.argv) > 3 else "target/release/parlour").resolve())
    folder.mkdir(parents=True, exist_ok=True)

    def parlour(*words: str) -> str:
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout

    draw, rows = random.Random(20), []
    for number in range(SETS):
        rules = {field: draw.choice(list(values)) for field, values in RULES.items()}
        variant, tuned = f"rules-{number}.json", f"tuned-{number}.json"
        (folder / variant).write_text(json.dumps({"base": "revised"} | rules))
        if not (folder / tuned).exists():
            parlour("tune", "leopard", "steady-plain", "--variant", f"./{variant}", "--quiet",
                    "--deals", "60000", "--starts", "1", "--confirm", "2000", "--out", tuned)  # fmt: skip
        run = f"run-{number}"
        parlour("match", "leopard", str(network), f"./{tuned}", "--variant", f"./{variant}",
                "--deals", str(DEALS), "--quiet", "--out", run, "--replace")  # fmt: skip
        with (folder / run / "strategies.csv").open() as file:
            score = next(float(row["score"]) for row in csv.DictReader(file) if row["strategy"] == network.stem)
        rows.append((score, rules))
        print(f"{score:.3f} {json.dumps(rules)}", flush=True)
    scores = [score for score, _ in rows]
    half = 2.093 * statistics.stdev(scores) / math.sqrt(SETS)
    print(f"mean of {SETS} rule sets: {statistics.mean(scores):.3f} ± {half:.3f}")


main()
