"""Folders of Parquet files hold what the text files of the same run hold, for every usual reader."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import parlour

pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

EXPERIMENTS: dict[str, Any] = {
    "leopard": {"variants": ["revised", "original"], "strategies": ["greedy", "random"]},
    "leapfrog": {"variants": ["mini-3x3"], "strategies": ["random"], "mirror": True},
    "eleusis": {
        "variants": ["express"],
        "schedule": "line-up",
        "strategies": ["random", "cautious"],
        "line_ups": [["random", "cautious", "random", "cautious"]],
        "deals": 3,
    },
}


def experiment(game: str) -> dict[str, Any]:
    return {"game": game, "deals": 70, "seed": 2**63 + 5, **EXPERIMENTS[game]}


def both(game: str, folder: Path) -> tuple[parlour.Result, parlour.Result]:
    wanted: Any = {"hands": True, "records": True, "progress": False}
    text = parlour.run(experiment(game), out=folder / "text", **wanted)
    return text, parlour.run(experiment(game), out=folder / "typed", format="parquet", **wanted)


def present(value: Any) -> Any:
    """A record without its empty fields."""
    if isinstance(value, dict):
        return {name: present(it) for name, it in value.items() if it is not None}
    return [present(it) for it in value] if isinstance(value, list) else value


@pytest.mark.parametrize("game", sorted(EXPERIMENTS))
def test_all_readers_agree_with_text(game: str, tmp_path: Path) -> None:
    text, typed = both(game, tmp_path)
    records = [present(record) for record in text.records()]
    for record in records:
        # A value of one of several types is text.
        if "first_to_leap" in record["rules"]:
            record["rules"]["first_to_leap"] = str(record["rules"]["first_to_leap"])
    assert [present(record) for record in typed.records()] == records
    place = tmp_path / "typed" / "records.parquet"
    assert [present(it) for it in polars.read_parquet(place).to_dicts()] == records

    with open(tmp_path / "text" / "hands.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    place = tmp_path / "typed" / "hands.parquet"
    read = {
        "polars": polars.read_parquet(place).to_dicts(),
        "duckdb": duckdb.sql(f"from '{place}/*.parquet'").pl().to_dicts(),
        "pandas": pandas.read_parquet(place, dtype_backend="numpy_nullable")
        .astype(object)
        .to_dict("records"),
    }
    for reader, found in read.items():
        shown = [
            {name: "" if it is None or it is pandas.NA else str(it) for name, it in row.items()}
            for row in found
        ]
        assert shown == [{name: row[name] for name in row if name != "record"} for row in rows], reader
    assert polars.read_parquet(place).schema["seed"] == polars.UInt64


def test_files_of_the_same_name_have_the_hands_in_the_same_order(tmp_path: Path) -> None:
    _, typed = both("leopard", tmp_path)
    assert typed.folder is not None
    key = ["variant", "deal", "rotation"]
    for file in (typed.folder / "hands.parquet").iterdir():
        hands = polars.read_parquet(file)
        records = polars.read_parquet(typed.folder / "records.parquet" / file.name)
        assert hands.select(key).equals(records.select(key))


def test_wrong_formats_are_refused(tmp_path: Path) -> None:
    wrong: Any = "csv"
    with pytest.raises(parlour.InputError, match="`format` is 'csv'; it must be 'text' or 'parquet'"):
        parlour.run(experiment("leopard"), out=tmp_path, hands=True, format=wrong)
    with pytest.raises(parlour.InputError, match="needs `hands` or `records`"):
        parlour.run(experiment("leopard"), out=tmp_path / "none", format="parquet")
