"""Runs the training examples on a toy budget, and checks their committed curves."""

from __future__ import annotations

import csv
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

EXAMPLES = {"ppo": ["torch"], "maskable_ppo": ["torch", "sb3_contrib"]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_learns_on_a_toy_budget(name: str, tmp_path: Path) -> None:
    for package in [*EXAMPLES[name], "gymnasium"]:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    program, out = ROOT / "examples" / f"{name}.py", tmp_path / "curve.csv"
    path = os.pathsep.join(filter(None, sys.path))
    budget = ["--seconds", "10", "--every", "100", "--deals", "100", "--out", str(out)]
    budget += ["--save", str(tmp_path / "mine.safetensors")]
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program), *budget],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "`mine` scores" in done.stdout and "`greedy` has 0" in done.stdout
    rows = list(csv.DictReader(out.open()))
    assert [row["opponent"] for row in rows] == ["random", "greedy"]
    assert all(0 <= float(row["score"]) <= 1 and int(row["choices"]) > 0 for row in rows)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_committed_curve_reaches_its_target(name: str) -> None:
    rows = list(csv.DictReader((ROOT / "examples" / "curves" / f"{name}.csv").open()))
    for seed in {row["seed"] for row in rows}:
        last = {row["opponent"]: row for row in rows if row["seed"] == seed}
        for opponent, target in (("random", 0.9), ("greedy", 0.5)):
            row = last[opponent]
            assert float(row["cpu_seconds"]) <= 900
            assert float(row["score_low"]) >= target
