"""Tables as data frames of polars or pandas, transferred as Arrow data without loss."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from ._parlour import Table

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["frame", "to_pandas", "to_polars"]


def _has(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def frame(table: Table) -> Any:
    """The table as a polars data frame if polars is installed, else as a pandas one, else unchanged.
    A `Table` supports Arrow (`pyarrow.table(table)`) and has `rows()`."""
    if _has("polars"):
        return to_polars(table)
    if _has("pandas"):
        return to_pandas(table)
    return table


def to_polars(table: Table) -> polars.DataFrame:
    """The table as a polars data frame."""
    import polars

    return polars.DataFrame(table)


def to_pandas(table: Table) -> pandas.DataFrame:
    """The table as a pandas data frame, with the same types with and without pyarrow."""
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
    """The type of a column as pyarrow chooses it: NaN stands for a missing number."""
    missing = None in cells
    if kind == "integer":
        return "float64" if missing else "int64"
    if kind == "boolean":
        return "object" if missing else "bool"
    if kind == "text":
        import pandas

        return "object" if pandas.__version__.startswith(("1.", "2.")) else "str"
    return "float64"
