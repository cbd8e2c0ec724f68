"""Recorded hands, played again in an environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .. import _parlour
from .._parlour import Environment, InputError


def replay(table: Environment, record: Mapping[str, Any]) -> Iterator[tuple[int, int | None]]:
    """Plays a recorded hand at a table of its variant, for learning from records.

    Deals the hand of the record, then yields the seat and the action of each choice before it is
    made, so that `table.observe()` is the observation of the choice. The action is None for a move
    without a number.

    >>> for seat, action in replay(table, record):
    ...     data.append((table.observe(), table.mask(), action))
    """
    moves = _parlour.moves(record)
    if record["game"] != table.facts["game"] or record["hand"] != 0:
        raise InputError("the record is of another game, or of a later hand of a match")
    table.reset(record["seed"], record["deal"])
    for _, text in moves:
        for move in _steps(table, text):
            seat = table.seat
            assert seat is not None
            try:
                action = table.action(move)
            except InputError:
                action = None
            yield seat, action
            table.step(move)
    if table.points != record["scores"]:
        raise InputError("the hand ended otherwise; its dealer chose the secret or a bot failed")


def _steps(table: Environment, text: str) -> Iterator[str]:
    """The choices of a written move. A chain of Leap Frog is several leaps, and maybe a stop."""
    cells = text.split("-") if table.facts["game"] == "leapfrog" else []
    if len(cells) < 2:
        yield text
        return
    for leap in zip(cells, cells[1:]):
        yield "-".join(leap)
    if any(table.notation(action) == "stop" for action in table.legal_actions()):
        yield "stop"
