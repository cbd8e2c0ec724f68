"""Bots: your own, and the program's strategies asked about a view."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol, Union

from . import _parlour, given
from ._parlour import Strategy, View

__all__ = ["Bot", "Strategy", "View", "strategy"]

# A view is read as any other mapping is.
Mapping.register(View)


class Chooses(Protocol):
    """A bot: at its turn it is shown a view, and answers with one of `view.moves`, or its place
    among them. After the hand `end(scores)` is called, where the bot has it."""

    def choose(self, view: View, /) -> str | int: ...


Bot = Union[Chooses, "type[Chooses]"]
"""A class of bots, of which one is made for each hand; or a bot that plays all of them."""


def strategy(game: str, strategy: str | os.PathLike[str] | Mapping[str, Any]) -> Strategy:
    """A strategy by its name or file, or by what its file would say:
    `strategy("leopard", {"base": "ismcts-500", "budget": {"iterations": 50}})`."""
    said = given.entry("strategy", strategy)
    if isinstance(said, str):
        return _parlour.load(given.game(game), said, None)
    return _parlour.load(given.game(game), "strategy", given.as_json("strategy", said))
