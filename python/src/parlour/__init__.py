"""parlour: a self-play laboratory for parlour games with chance and hidden information."""

from __future__ import annotations

import importlib as _importlib
import typing as _t

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
from .program import command
from .evaluation import Evaluation, evaluate, rate
from .network import save_network
from .play import BotWarning, SampleSize, compare, match, merge, read, run, sample_size
from .result import Report, Result, Shard

__all__ = [
    "Bot",
    "BotWarning",
    "Error",
    "Evaluation",
    "FailedError",
    "InputError",
    "Report",
    "Result",
    "SampleSize",
    "Shard",
    "Stopped",
    "Strategy",
    "Table",
    "View",
    "__version__",
    "command",
    "compare",
    "distributed",
    "evaluate",
    "experiments",
    "fingerprint",
    "games",
    "match",
    "merge",
    "rate",
    "read",
    "run",
    "sample_size",
    "save_network",
    "strategies",
    "strategy",
    "variants",
]

if _t.TYPE_CHECKING:
    from . import envs as envs
else:

    def __getattr__(name: str) -> _t.Any:
        """Imports `envs`, which needs NumPy, on first use."""
        if name == "envs":
            return _importlib.import_module(f"{__name__}.envs")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "envs"]


class _Faults:
    """`faults` of errors raised in Python: one fault without a place."""

    def __get__(self, error: BaseException | None, kind: object = None) -> list[dict[str, _t.Any]]:
        places = dict.fromkeys(("file", "line", "column", "part", "field"))
        return [] if error is None else [{"text": str(error), **places}]


setattr(Error, "faults", _Faults())  # noqa: B010
setattr(Stopped, "faults", _Faults())  # noqa: B010
