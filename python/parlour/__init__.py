"""parlour: a self-play laboratory for parlour games with chance and hidden information."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import distributed
from ._parlour import (
    Error,
    FailedError,
    InputError,
    Stopped,
    Table,
    __version__,
    experiments,
    fingerprint,
    games,
    strategies,
    variants,
)
from .bots import Bot, Strategy, View, strategy
from .play import BotWarning, Plan, compare, match, merge, plan, read, run
from .result import Report, Result, Shard

__all__ = [
    "Bot",
    "BotWarning",
    "Error",
    "FailedError",
    "InputError",
    "Plan",
    "Report",
    "Result",
    "Shard",
    "Stopped",
    "Strategy",
    "Table",
    "View",
    "__version__",
    "compare",
    "distributed",
    "experiments",
    "fingerprint",
    "games",
    "match",
    "merge",
    "plan",
    "read",
    "run",
    "strategies",
    "strategy",
    "variants",
]

if TYPE_CHECKING:
    from . import envs as envs
else:

    def __getattr__(name: str) -> Any:
        """`envs`, which needs NumPy, is imported when it is asked for."""
        if name == "envs":
            return importlib.import_module(f"{__name__}.envs")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Faults:
    """Of errors that Python finds: one fault, which has no place."""

    def __get__(self, error: BaseException | None, kind: object = None) -> list[dict[str, Any]]:
        places = dict.fromkeys(("file", "line", "column", "part", "field"))
        return [] if error is None else [{"text": str(error), **places}]


setattr(Error, "faults", _Faults())  # noqa: B010
setattr(Stopped, "faults", _Faults())  # noqa: B010
