"""Runs the examples of the documentation page by page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import ROOT

PAGES = [ROOT / "docs" / "python.md", ROOT / "docs" / "environments.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_the_pages_run(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = page.read_text("utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        # A traceback then names the line of the page.
        exec(compile("\n" * line + block[1], str(page), "exec"), names)
    assert capsys.readouterr().out
