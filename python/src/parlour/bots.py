"""Bots: your own classes, and built-in strategies that advise."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol, Union

from . import _parlour, arguments
from ._parlour import Strategy, View

__all__ = ["Bot", "Strategy", "View", "strategy"]

# A view supports the whole mapping interface.
Mapping.register(View)


class Chooses(Protocol):
    """A bot. `choose` receives a view and returns one of `view.moves` or its index. The optional
    method `end(scores)` is called after each hand. Bots are called by one thread at a time, and an
    instance plays one hand after the other; `thread_safe = True` allows several threads at once."""

    def choose(self, view: View, /) -> str | int: ...


Bot = Union[Chooses, "type[Chooses]"]
"""A class, instantiated for each hand, or an instance that plays all hands."""


def strategy(game: str, strategy: str | os.PathLike[str] | Mapping[str, Any]) -> Strategy:
    """Loads a strategy by name, by file, or from a dict like a strategy file:
    `strategy("leopard", {"base": "ismcts-500", "budget": {"iterations": 50}})`."""
    source = arguments.name_or_dict("strategy", strategy)
    if isinstance(source, str):
        return _parlour.load(arguments.game(game), source, None)
    return _parlour.load(arguments.game(game), "strategy", arguments.to_json("strategy", source))
