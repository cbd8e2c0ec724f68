"""Fixtures of several tests."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import parlour

ROOT = Path(__file__).resolve().parents[2]


def is_this_program(program: Path, folder: Path) -> bool:
    """True if program and module were built from the same sources."""
    out = folder / program.parent.name
    ask = [program, "match", "leopard", "random", "random", "--deals", "1", "--out", out]
    subprocess.run([*map(str, ask), "--quiet"], check=True, capture_output=True)
    said: dict[str, Any] = json.loads((out / "manifest.json").read_text("utf-8"))["program"]
    return parlour.fingerprint() == f"{said['version']} ({said['source']})"


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Path of the program: `PARLOUR_PROGRAM`, or a build of this repository."""
    said = os.environ.get("PARLOUR_PROGRAM")
    if said is not None:
        return Path(said)
    folder = tmp_path_factory.mktemp("program")
    for profile in ("release", "quick"):
        program = ROOT / "target" / profile / "parlour"
        if program.exists() and is_this_program(program, folder):
            return program
    pytest.skip("no program built from these sources; set PARLOUR_PROGRAM")


@pytest.fixture
def small() -> dict[str, Any]:
    """A small experiment."""
    return {
        "game": "leopard",
        "variants": ["original", "revised"],
        "strategies": ["random", "greedy", "steady"],
        "deals": 60,
        "seed": 1963,
    }
