"""What a run comes to."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import given
from ._parlour import InputError, Summary, Table, read
from .frames import frame

__all__ = ["Report", "Result", "Shard"]


class Report:
    """The page of a run. A notebook shows it; `str()` is its HTML."""

    def __init__(self, page: str) -> None:
        self._page = page

    def __str__(self) -> str:
        return self._page

    def __repr__(self) -> str:
        return f"<parlour.Report of {len(self._page):,} characters; save() it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        # A frame of its own: the page's styles and scripts reach nothing outside it.
        style = "width: 100%; height: 720px; border: 1px solid #8884"
        page = html.escape(self._page, quote=True)
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page into a file; its path."""
        path = Path(path)
        path.write_text(self._page, encoding="utf-8")
        return path


class Result:
    """A finished run.

    Each table is a data frame: of polars where it is installed, else of pandas, else the plain
    `Table`. `table(name)` gives the plain one, which goes into any frame that takes Arrow. Its
    columns are those of the CSV file of the same name; `results/README.md` explains them.
    """

    def __init__(self, summary: Summary, folder: Path | None) -> None:
        self._summary = summary
        # Whoever changes to another directory still finds it.
        self.folder = folder and Path(os.path.abspath(folder))
        """Where it is written; None where it was played in memory."""

    @property
    def name(self) -> str:
        """Its name."""
        return self._summary.name

    @property
    def game(self) -> str:
        """The game."""
        return self._summary.game

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self._summary.deals

    @property
    def early(self) -> bool:
        """Whether it ended before its last deal, as `until` says."""
        return self._summary.early

    @property
    def question(self) -> str:
        """What it was to answer."""
        return self._summary.question

    @property
    def answer(self) -> str:
        """The answer, in sentences."""
        return " ".join(self._summary.sentences)

    @property
    def findings(self) -> Any:
        """The comparisons that the question asks for (`answer.csv`)."""
        return self._frame("answer")

    @property
    def ratings(self) -> Any:
        """Variant and strategy: score, rating, rank, faults (`strategies.csv`)."""
        return self._frame("strategies")

    @property
    def ladder(self) -> Any:
        """Neighbours by rating (`ladder.csv`)."""
        return self._frame("ladder")

    @property
    def matchups(self) -> Any:
        """Variant and pairing, all seatings summed (`matchups.csv`)."""
        return self._frame("matchups")

    @property
    def variants(self) -> Any:
        """The balance figures of each variant (`variants.csv`)."""
        return self._frame("variants")

    @property
    def differences(self) -> Any:
        """Two variants and a figure: the change on the same deals (`differences.csv`)."""
        return self._frame("differences")

    @property
    def populations(self) -> Any:
        """Rings of strategies (`populations.csv`)."""
        return self._frame("populations")

    @property
    def confirmed(self) -> Any:
        """The best strategy on fresh deals (`confirmed.csv`)."""
        return self._frame("confirmed")

    @property
    def tables(self) -> list[str]:
        """The names of all tables."""
        return self._summary.tables

    def table(self, name: str) -> Table:
        """A table by its file's name, without a data frame's library."""
        name = given.text("a table's name", name)
        file = {"ratings": "strategies", "findings": "answer"}.get(name)
        if file is not None:
            raise InputError(f"there is no table `{name}`; `result.{name}` is the table `{file}`")
        return self._summary.table(name)

    def _frame(self, name: str) -> Any:
        return frame(self._summary.table(name))

    @property
    def experiment(self) -> dict[str, Any]:
        """The experiment in full: every rule and every strategy spelled out."""
        return self._summary.experiment()

    @property
    def manifest(self) -> dict[str, Any]:
        """The folder's `manifest.json`: the program, digests, and how long it took."""
        manifest: dict[str, Any] = json.loads(self._file("manifest.json").read_text("utf-8"))
        return manifest

    def records(self) -> Iterator[dict[str, Any]]:
        """The hands played, one after another, where they were asked for (`records=True`)."""
        with self._file("records.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def _file(self, name: str) -> Path:
        if self.folder is None:
            raise InputError(f"there is no {name}: this run was played in memory; say `out`")
        path = self.folder / name
        if not path.exists():
            raise InputError(f"there is no {path}: this run was played without it")
        return path

    def report(self) -> Report:
        """The page for people; a notebook shows it."""
        if self.folder is not None and (self.folder / "report.html").exists():
            return Report((self.folder / "report.html").read_text("utf-8"))
        return Report(self._summary.page())

    def __reduce__(self) -> Any:
        """Pickled, it is its folder."""
        if self.folder is None:
            raise InputError(
                "a run that was played in memory cannot be pickled: say `out`, or pickle its frames"
            )
        return _read, (self.folder,)

    def __copy__(self) -> Result:
        return self

    def __deepcopy__(self, _: object) -> Result:
        return self

    def __str__(self) -> str:
        return self._summary.text()

    def __repr__(self) -> str:
        where = f" in {self.folder}" if self.folder else ""
        return f"<parlour.Result {self.name}: {self.deals:,} deals of {self.game}{where}>\n{self.answer}"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._summary.text())}</pre>"


def _read(folder: Path) -> Result:
    return Result(read(folder), folder)


class Shard:
    """A part of a run: a folder that `merge` joins with the others."""

    def __init__(self, folder: Path, part: int, of: int) -> None:
        self.folder = folder
        self.part = part
        self.of = of

    def __repr__(self) -> str:
        return f"<parlour.Shard {self.part}/{self.of} in {self.folder}>"

    def __getattr__(self, name: str) -> Any:
        if hasattr(Result, name) and not name.startswith("_"):
            raise InputError(
                f"a shard has no `{name}` of its own: join all {self.of} shards with parlour.merge"
            )
        raise AttributeError(f"'Shard' object has no attribute '{name}'")
