"""Commands of the program that have no function of their own in Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from ._parlour import FailedError, InputError, Stopped

__all__ = ["command"]

PROGRAM = (sys.executable, "-m", "parlour")
"""The words that start the program of this package."""


def command(name: str, *arguments: str | int | float | os.PathLike[str]) -> Any:
    """What a command of the program prints with `--json`, as plain objects.

    >>> command("solve", "leapfrog", "mini-3x3")["value"]
    0

    It runs in a process of its own, which has the same build as this package.

    Raises `InputError`, `FailedError` or `Stopped` with the program's message.
    """
    words = [*PROGRAM, name, *map(str, arguments), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
    if done.returncode == 0:
        return json.loads(done.stdout)
    kind = {2: InputError, 130: Stopped}.get(done.returncode, FailedError)
    raise kind(done.stderr.strip().removeprefix("parlour: "))
