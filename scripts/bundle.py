#!/usr/bin/env python3
"""Reads the Parquet files of a bundle with pandas and DuckDB, and compares them with the CSV files.

Usage: scripts/bundle.py BUNDLE
"""

import sys
from pathlib import Path

import duckdb
import pandas

bundle = Path(sys.argv[1])
tables = sorted((bundle / "tables").glob("*.parquet"))
assert tables, "no tables"
for path in tables:
    frame = pandas.read_parquet(path)
    text = pandas.read_csv(bundle / f"{path.stem}.csv", keep_default_na=False, na_values=[""])
    assert list(frame.columns) == list(text.columns), path
    assert len(frame) == len(text), path
    count = duckdb.sql(f"select count(*) from '{path}'").fetchall()[0][0]
    assert count == len(frame), path
    for name in frame.select_dtypes("number"):
        # CSV has six decimals, and three digits of a p-value.
        far = (frame[name].astype(float) - text[name].astype(float)).abs()
        assert (far.fillna(0) <= 1e-6 + 1e-3 * frame[name].abs().fillna(0)).all(), (path, name)
        assert (frame[name].isna() == text[name].isna()).all(), (path, name)

print(f"{len(tables)} tables read by pandas and DuckDB")
