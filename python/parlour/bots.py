"""Bots: your own, and the program's strategies asked about a view."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Protocol, Union

from . import _parlour
from ._parlour import InputError, Strategy, View

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
    if isinstance(strategy, Mapping):
        try:
            return _parlour.load(game, "strategy", json.dumps(dict(strategy)))
        except TypeError as error:
            raise InputError(f"strategy: it is no JSON: {error}") from None
    return _parlour.load(game, os.fspath(strategy), None)
