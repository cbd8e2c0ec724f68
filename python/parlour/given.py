"""What callers give, checked: what cannot be meant is refused with a sentence that says what would
be right. NumPy's numbers and arrays, data frames' columns and paths are taken for what they say."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ._parlour import InputError


def whole(name: str, value: Any, least: int = 0) -> int | None:
    """A whole number that the program can take."""
    if value is None:
        return None
    try:
        number = value.__index__()
    except (AttributeError, TypeError):
        number = -1
    if isinstance(value, bool) or not least <= number < 2**64:
        raise InputError(f"`{name}` is {value!r}; it must be a whole number from {least}")
    return int(number)


def number(name: str, value: Any) -> float:
    """A number."""
    try:
        if isinstance(value, (bool, str)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`{name}` is {value!r}; it must be a number") from None


def threads(value: Any) -> int:
    """How many threads; 0 for one on each core."""
    number = whole("threads", value, 1) or 0
    if number > 1024:
        raise InputError(f"`threads` is {number}; it must be from 1 to 1024")
    return number


def truth(name: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise InputError(f"`{name}` is {value!r}; it must be True or False")


def text(what: str, said: Any) -> str:
    """A text that the program can take, as a file in UTF-8 would hold it."""
    if not isinstance(said, str):
        raise InputError(f"{what} is {said!r}; it must be a text")
    try:
        said.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what}: {said!r} holds half of a character") from None
    return str(said)


def folder(name: str, said: Any) -> Path:
    """The path of a folder."""
    try:
        path = os.fspath(said)
    except TypeError:
        path = None
    if not isinstance(path, str) or not path or "\0" in path:
        raise InputError(f"`{name}` is {said!r}; it must be the path of a folder")
    return Path(text(f"`{name}`", path))


def game(said: Any) -> str:
    """The name of a game."""
    if not isinstance(said, str):
        raise InputError(f"a game is a name, not {a(said)}")
    return text("game", said)


def entry(what: str, said: Any) -> Any:
    """What stands in a list of variants or strategies: a name or file, or a dict."""
    if isinstance(said, os.PathLike):
        said = os.fspath(said)
    if isinstance(said, str):
        return text(what, said)
    if isinstance(said, Mapping):
        return said
    raise InputError(f"a {what} is a name, a file or a dict, not {a(said)}")


def a(said: Any) -> str:
    """What kind of thing was given."""
    kind = type(said).__name__
    return "None" if said is None else f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def as_json(what: str, said: Any) -> str:
    """Plain objects as JSON."""
    try:
        written = json.dumps(said, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{what}: it is no JSON: {error}") from None
    return text(what, written)


def _plain(said: Any) -> Any:
    """What JSON does not know, as what it says."""
    if isinstance(said, os.PathLike):
        return os.fspath(said)
    if isinstance(said, Mapping):
        return dict(said)
    for plainly in ("tolist", "to_list"):
        if hasattr(said, plainly):
            return getattr(said, plainly)()
    if isinstance(said, Sequence) and not isinstance(said, bytes):
        return list(said)
    raise TypeError(f"{said!r} has no place in it")


def variant(said: Any) -> str:
    """A variant for an environment: a name or file, or what it says as JSON."""
    said = entry("variant", said)
    return said if isinstance(said, str) else as_json("variant", said)


_POSITION = (
    "a position is a view that a bot was shown, `table.position()` of an environment, or a dict "
    "of a position file's form, with `game` and `view`"
)


def position(said: Any, game: str) -> str:
    """A position of a game as JSON."""
    if callable(getattr(said, "position", None)):
        said = said.position()
    if not isinstance(said, Mapping):
        raise InputError(f"{_POSITION}, not {a(said)}")
    if "view" not in said:
        raise InputError(f"{_POSITION}; this dict has no `view`")
    if said.get("game", game) != game:
        raise InputError(f"position: field `game`: it is `{said['game']}`, not `{game}`")
    return as_json("position", said)
