"""Checks of arguments. Wrong values raise an `InputError` that states what is expected. NumPy numbers
and arrays, columns of data frames and paths are converted."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ._parlour import InputError, Strategy, View


def integer(name: str, value: Any, least: int = 0) -> int | None:
    """A whole number from `least` that fits into 64 bits; None stays None."""
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
    """A real number."""
    try:
        if isinstance(value, (bool, str)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`{name}` is {value!r}; it must be a number") from None


def threads(value: Any) -> int:
    """Number of threads; 0 for one on each core."""
    number = integer("threads", value, 1) or 0
    if number > 1024:
        raise InputError(f"`threads` is {number}; it must be from 1 to 1024")
    return number


def boolean(name: str, value: Any) -> bool:
    """True or False, also from NumPy."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise InputError(f"`{name}` is {value!r}; it must be True or False")


def text(what: str, value: Any) -> str:
    """A string that can be encoded as UTF-8."""
    if not isinstance(value, str):
        raise InputError(f"{what} is {value!r}; it must be a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what}: {value!r} contains a lone surrogate") from None
    return str(value)


def folder(name: str, value: Any) -> Path:
    """The path of a folder."""
    try:
        path = os.fspath(value)
    except TypeError:
        path = None
    if not isinstance(path, str) or not path or "\0" in path:
        raise InputError(f"`{name}` is {value!r}; it must be the path of a folder")
    return Path(text(f"`{name}`", path))


def game(value: Any) -> str:
    """The name of a game."""
    if not isinstance(value, str):
        raise InputError(f"a game is a name, not {type_name(value)}")
    return text("game", value)


def name_or_dict(what: str, value: Any) -> Any:
    """An entry of a list of variants or strategies: a name, a file or a dict."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return text(what, value)
    if isinstance(value, Mapping):
        return value
    raise InputError(f"a {what} is a name, a file or a dict, not {type_name(value)}")


def type_name(value: Any) -> str:
    """The type of a value with its article."""
    kind = type(value).__name__
    return "None" if value is None else f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def to_json(what: str, value: Any) -> str:
    """Converts plain objects to JSON."""
    try:
        written = json.dumps(value, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{what}: not valid JSON: {error}") from None
    return text(what, written)


def _plain(value: Any) -> Any:
    """Converts a value that `json` does not know."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    for method in ("tolist", "to_list"):
        if hasattr(value, method):
            return getattr(value, method)()
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return list(value)
    raise TypeError(f"{value!r} cannot be converted")


def variant(value: Any) -> str:
    """A variant for an environment: a name or file, or a dict as JSON."""
    value = name_or_dict("variant", value)
    return value if isinstance(value, str) else to_json("variant", value)


def strategies(game: str, said: Any) -> list[str]:
    """Built-in strategies for an environment, each a name, a path or the text of a strategy file."""
    several = isinstance(said, Sequence) and not isinstance(said, str)
    if not said or (several and any(it is None for it in said)):
        right = "name a strategy for all other seats, or one for each; None: there are none"
        raise InputError(f"`opponents` is {said!r}; {right}")
    return [_strategy(game, it) for it in (said if several else [said])]


def _strategy(game: str, said: Any) -> str:
    if isinstance(said, Strategy):
        if said.game != game:
            raise InputError(f"`{said.name}` is a strategy of {said.game}; this is {game}")
        _, (_, name, content) = cast("tuple[Any, tuple[str, str, str | None]]", said.__reduce__())
        return content or name
    said = name_or_dict("strategy", said)
    return said if isinstance(said, str) else to_json("strategy", said)


def chosen(answer: Any, count: int) -> list[int]:
    """The actions that a batched bot returned: an array, a tensor or a list."""
    import numpy as np

    actions = np.asarray(answer)
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        was = f"an array of {actions.dtype} with shape {actions.shape}"
        raise InputError(f"`choose_many` returned {was}; it must be a row of {count} whole numbers")
    listed: list[int] = actions.tolist()
    return listed


def record(value: Any) -> tuple[str, str]:
    """The game of a record and the record as JSON."""
    if not isinstance(value, Mapping) or not isinstance(value.get("game"), str):
        raise InputError("a record is a dict: an entry of `result.records()` or `table.record()`")
    return value["game"], to_json("record", value)


_POSITION = (
    "a position is the view of a bot, `table.position()` of an environment, a position file, or a "
    "dict like one, with `game` and `view`"
)


def position(value: Any, game: str | None) -> tuple[str, str]:
    """The game of a position, which may be prescribed, and the position as JSON."""
    if isinstance(value, View) and value.game == (game or value.game):
        return value._position_text()
    if callable(getattr(value, "position", None)):
        value = value.position()
    if isinstance(value, (str, os.PathLike)):
        try:
            value = json.loads(Path(value).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"position: cannot read the file {os.fspath(value)!r}: {error}") from None
    if not isinstance(value, Mapping):
        raise InputError(f"{_POSITION}, not {type_name(value)}")
    if "view" not in value:
        raise InputError(f"{_POSITION}; this dict has no `view`")
    said = value.get("game", game)
    if not isinstance(said, str) or said != (game or said):
        wanted = f"`{game}`" if game else "the name of a game"
        raise InputError(f"position: field `game` is `{said}`; it must be {wanted}")
    return said, to_json("position", value)
