"""Tables as data frames of whichever library is there. Arrow lies under all of them: no text is
made, and no digit lost."""

from __future__ import annotations

import importlib.util
from typing import Any

from ._parlour import Table

__all__ = ["frame", "to_pandas", "to_polars"]


def _has(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def frame(table: Table) -> Any:
    """The table as a polars data frame, where polars is installed; else as one of pandas; else
    itself, which takes Arrow's side (`pyarrow.table(table)`) and has `rows()`."""
    if _has("polars"):
        return to_polars(table)
    if _has("pandas"):
        return to_pandas(table)
    return table


def to_polars(table: Table) -> Any:
    """The table as a polars data frame."""
    import polars

    return polars.DataFrame(table)


def to_pandas(table: Table) -> Any:
    """The table as a pandas data frame. Without pyarrow it is made of Python's objects, and has the
    same types."""
    import pandas

    if _has("pyarrow"):
        import pyarrow

        return pyarrow.table(table).to_pandas()
    columns = {
        name: pandas.Series(cells, dtype=_kind(table.kinds[name], cells), name=name)
        for name, cells in table.to_dict().items()
    }
    return pandas.DataFrame(columns, columns=table.columns)


def _kind(kind: str, cells: list[Any]) -> Any:
    """The type of a column in pandas, as pyarrow has it: NaN stands for a number that is missing."""
    missing = None in cells
    if kind == "integer":
        return "float64" if missing else "int64"
    if kind == "boolean":
        return "object" if missing else "bool"
    if kind == "text":
        import pandas

        return "object" if pandas.__version__.startswith(("1.", "2.")) else "str"
    return "float64"
