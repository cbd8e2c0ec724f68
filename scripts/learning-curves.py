#!/usr/bin/env python3
"""Draws the learning curves of the examples: `examples/curves/*.csv` to `examples/curves/curves.svg`.

python examples/ppo.py --out examples/curves/ppo.csv && scripts/learning-curves.py
"""

import csv
from pathlib import Path

import matplotlib

matplotlib.use("svg")
# The same data give the same bytes.
matplotlib.rcParams.update({"svg.hashsalt": "parlour", "svg.fonttype": "none", "font.size": 9})
import matplotlib.pyplot as plt

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "curves"


def main():
    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for color, path in enumerate(sorted(FOLDER.glob("*.csv"))):
        rows = list(csv.DictReader(path.open()))
        for opponent, style in (("random", "--"), ("greedy", "-")):
            for seed in sorted({row["seed"] for row in rows}):
                points = [r for r in rows if r["seed"] == seed and r["opponent"] == opponent]
                seconds, scores, lows, highs = (
                    [float(row[name]) for row in points]
                    for name in ("cpu_seconds", "score", "score_low", "score_high")
                )
                ends = [[s - l for s, l in zip(scores, lows)], [h - s for s, h in zip(scores, highs)]]
                label = f"{path.stem}.py against {opponent}"
                axes.errorbar(
                    seconds, scores, ends, linestyle=style, color=f"C{color}", label=label
                )
    axes.set(xlabel="CPU seconds of training", ylabel="score", ylim=(0, 1.02))
    axes.set_title("Leopard (revised), trained against greedy", fontsize=10)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(FOLDER / "curves.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
