"""Tables as data frames: types, digits and names of the CSV files."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import parlour
from parlour import frames


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> parlour.Result:
    experiment = {
        "game": "leopard",
        "variants": ["original", "revised"],
        "strategies": ["random", "greedy", "steady"],
        "deals": 40,
    }
    return parlour.run(experiment, out=tmp_path_factory.mktemp("frames") / "x")


def test_tables_match_their_files(result: parlour.Result) -> None:
    assert result.folder is not None
    for name in result.tables:
        table = result.table(name)
        with (result.folder / f"{name}.csv").open(newline="") as file:
            heads, *rows = csv.reader(file)
        frame = table.to_polars()
        assert frame.columns == heads == table.columns
        assert frame.height == len(rows) == len(table)
        for row, cells in zip(rows, frame.rows()):
            for text, cell in zip(row, cells):
                same(text, cell)


def same(text: str, cell: object) -> None:
    """Asserts that a cell equals the text of its file."""
    if cell is None:
        assert text == ""
    elif isinstance(cell, float):
        assert math.isclose(float(text), cell, rel_tol=1e-3, abs_tol=1e-6)
    else:
        assert text == str(cell)


def test_columns_have_types_units_and_meanings(result: parlour.Result) -> None:
    schema = pyarrow.table(result.table("strategies")).schema
    assert schema.field("strategy").type == pyarrow.string()
    assert schema.field("matches").type == pyarrow.int64()
    assert schema.field("rating_low").type == pyarrow.float64()
    assert schema.field("rating").metadata[b"unit"] == b"Elo"
    table = result.table("variants")
    assert table.units["first_seat_score"] == "share of the win"
    assert table.meanings["first_seat_score"]
    # A table without rows keeps its types.
    empty = result.table("confirmed")
    assert len(empty) == 0 and empty.to_polars().schema["deals"] == polars.Int64


def test_frames_use_the_installed_library(
    result: parlour.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(result.ratings, polars.DataFrame)
    without(monkeypatch, "polars")
    assert isinstance(result.ratings, pandas.DataFrame)
    without(monkeypatch, "polars", "pyarrow")
    bare = result.ratings
    assert isinstance(bare, pandas.DataFrame)
    assert list(bare["strategy"]) == [row["strategy"] for row in result.table("strategies").rows()]
    monkeypatch.undo()
    for name in result.tables:
        theirs = result.table(name).to_pandas()
        without(monkeypatch, "polars", "pyarrow")
        pandas.testing.assert_frame_equal(result.table(name).to_pandas(), theirs)
        monkeypatch.undo()
    without(monkeypatch, "polars", "pandas", "pyarrow")
    plain = result.ratings
    assert isinstance(plain, parlour.Table)
    assert plain.rows()[0]["rank"] == 1 and plain.to_dict()["rank"][0] == 1
    assert repr(plain).startswith("<parlour.Table strategies: 6 rows")


def without(monkeypatch: pytest.MonkeyPatch, *libraries: str) -> None:
    monkeypatch.setattr(frames, "_has", lambda library: library not in libraries)


def test_every_table_has_a_property(result: parlour.Result) -> None:
    named: dict[str, Any] = {
        "answer": result.findings,
        "strategies": result.ratings,
        "ladder": result.ladder,
        "matchups": result.matchups,
        "variants": result.variants,
        "differences": result.differences,
        "populations": result.populations,
        "confirmed": result.confirmed,
    }
    assert sorted(named) == sorted(result.tables)
    for name, frame in named.items():
        assert frame.columns == result.table(name).columns
    with pytest.raises(parlour.InputError, match="unknown table `match`. Known: answer, ladder"):
        result.table("match")
    with pytest.raises(parlour.InputError, match="`result.ratings` is the table `strategies`"):
        result.table("ratings")


def test_a_notebook_shows_the_answer_and_the_page(result: parlour.Result, tmp_path: Path) -> None:
    assert result.question.split("`")[0][:20] in result._repr_html_()
    shown = result.report()._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts"')
    assert shown.count("<") == 2, "nothing of the page stands outside its frame"
    page = result.report().save(tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and result.question.split("`")[0][:20] in page


def test_columns_are_described_in_their_order(small: dict[str, Any]) -> None:
    table = parlour.run(small, deals=4, progress=False).table("matchups")
    for described in (table.kinds, table.units, table.meanings):
        assert list(described) == table.columns
