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


class ChoosesMany(Protocol):
    """A bot that answers for many hands at once, as networks do. `observations` (n × numbers, uint8)
    and `masks` (n × actions, bool) are those of `Environment.observe()` and `mask()`; it returns n
    legal actions. Each row must get the same answer whatever the others are. A class is instantiated
    once; calls do not overlap."""

    def choose_many(self, observations: Any, masks: Any, /) -> Any: ...


Bot = Union[Chooses, ChoosesMany, type[Chooses], type[ChoosesMany]]
"""A class, instantiated for each hand, or an instance that plays all hands."""


def strategy(game: str, strategy: str | os.PathLike[str] | Mapping[str, Any]) -> Strategy:
    """Loads a strategy by name, by file, or from a dict like a strategy file:
    `strategy("leopard", {"base": "ismcts-500", "budget": {"iterations": 50}})`."""
    source = arguments.name_or_dict("strategy", strategy)
    if isinstance(source, str):
        return _parlour.load(arguments.game(game), source, None)
    return _parlour.load(arguments.game(game), "strategy", arguments.to_json("strategy", source))
