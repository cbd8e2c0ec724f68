"""Results of runs."""

from __future__ import annotations

import html
import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import arguments
from ._parlour import InputError, Summary, Table, read
from .frames import frame

__all__ = ["Report", "Result", "Shard"]


class Report:
    """The report page of a run. Notebooks show it; `str()` returns its HTML."""

    def __init__(self, page: str) -> None:
        self._page = page

    def __str__(self) -> str:
        return self._page

    def __repr__(self) -> str:
        return f"<parlour.Report of {len(self._page):,} characters; save() it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        # An iframe isolates the styles and scripts of the page.
        style = "width: 100%; height: 720px; border: 1px solid #8884"
        page = html.escape(self._page, quote=True)
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file and returns its path."""
        path = Path(path)
        path.write_text(self._page, encoding="utf-8")
        return path


class Result:
    """A finished run.

    Each table is a data frame: of polars if it is installed, else of pandas, else a plain `Table`.
    `table(name)` returns the plain table, which any Arrow library can read. Its columns are those of
    the CSV file of the same name; `results/COLUMNS.md` explains them.
    """

    def __init__(self, summary: Summary, folder: Path | None) -> None:
        self._summary = summary
        # Independent of later changes of the working directory.
        self.folder = folder and Path(os.path.abspath(folder))
        """Folder of the results; None if the run was played in memory."""

    @property
    def name(self) -> str:
        """Name of the run."""
        return self._summary.name

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._summary.game

    @property
    def deals(self) -> int:
        """Number of deals played."""
        return self._summary.deals

    @property
    def early(self) -> bool:
        """True if `until` ended the run before its last deal."""
        return self._summary.early

    @property
    def question(self) -> str:
        """The question of the experiment."""
        return self._summary.question

    @property
    def answer(self) -> str:
        """The answer, in sentences."""
        return " ".join(self._summary.sentences)

    @property
    def findings(self) -> Any:
        """A row for each comparison of the question (`answer.csv`)."""
        return self._frame("answer")

    @property
    def ratings(self) -> Any:
        """A row for each variant and strategy: score, rating, rank, faults (`strategies.csv`)."""
        return self._frame("strategies")

    @property
    def ladder(self) -> Any:
        """A row for each pair of neighbours by rating (`ladder.csv`)."""
        return self._frame("ladder")

    @property
    def matchups(self) -> Any:
        """A row for each variant and pairing, over all seatings (`matchups.csv`)."""
        return self._frame("matchups")

    @property
    def variants(self) -> Any:
        """A row for each variant with its figures (`variants.csv`)."""
        return self._frame("variants")

    @property
    def differences(self) -> Any:
        """A row for each figure and pair of variants: the change on the same deals (`differences.csv`)."""
        return self._frame("differences")

    @property
    def populations(self) -> Any:
        """Non-transitive cycles of strategies (`populations.csv`)."""
        return self._frame("populations")

    @property
    def confirmed(self) -> Any:
        """The best strategy on fresh deals (`confirmed.csv`)."""
        return self._frame("confirmed")

    @property
    def tables(self) -> list[str]:
        """Names of all tables."""
        return self._summary.tables

    def table(self, name: str) -> Table:
        """A table by the name of its file, independent of data frame libraries."""
        name = arguments.text("a table's name", name)
        file = {"ratings": "strategies", "findings": "answer"}.get(name)
        if file is not None:
            raise InputError(f"unknown table `{name}`; `result.{name}` is the table `{file}`")
        return self._summary.table(name)

    def _frame(self, name: str) -> Any:
        return frame(self._summary.table(name))

    @property
    def experiment(self) -> dict[str, Any]:
        """The resolved experiment, with all rules and strategies in full."""
        return self._summary.experiment()

    @property
    def manifest(self) -> dict[str, Any]:
        """The folder's `manifest.json`: build, digests and timing."""
        manifest: dict[str, Any] = json.loads(self._file("manifest.json").read_text("utf-8"))
        return manifest

    def records(self) -> Iterator[dict[str, Any]]:
        """Iterates over the recorded hands (`records=True`). Those of Parquet files need pyarrow; a field
        that a hand does not have is then None."""
        folder = None if self.folder is None else self.folder / "records.parquet"
        if folder is not None and folder.is_dir():
            try:
                parquet: Any = importlib.import_module("pyarrow.parquet")
            except ImportError as error:
                raise InputError("Parquet records need pyarrow; install it") from error
            for file in sorted(folder.iterdir()):
                for batch in parquet.ParquetFile(file).iter_batches(1000):
                    yield from batch.to_pylist()
            return
        with self._file("records.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def _file(self, name: str) -> Path:
        if self.folder is None:
            raise InputError(f"no {name}: this run was played in memory; pass `out`")
        path = self.folder / name
        if not path.exists():
            raise InputError(f"no {path}: this run was played without it")
        return path

    def report(self) -> Report:
        """The report page; notebooks show it."""
        if self.folder is not None and (self.folder / "report.html").exists():
            return Report((self.folder / "report.html").read_text("utf-8"))
        return Report(self._summary.page())

    def __reduce__(self) -> Any:
        """Pickles the path of the folder."""
        if self.folder is None:
            raise InputError(
                "a run played in memory cannot be pickled; pass `out`, or pickle its frames"
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
    """A shard of a run: a folder for `merge`."""

    def __init__(self, folder: Path, part: int, of: int) -> None:
        self.folder = folder
        self.part = part
        self.of = of

    def __repr__(self) -> str:
        return f"<parlour.Shard {self.part}/{self.of} in {self.folder}>"

    def __getattr__(self, name: str) -> Any:
        if hasattr(Result, name) and not name.startswith("_"):
            raise InputError(
                f"a shard has no `{name}`; combine all {self.of} shards with parlour.merge"
            )
        raise AttributeError(f"'Shard' object has no attribute '{name}'")
