"""Runs, as the command line plays them: the same experiments, the same bytes."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union, overload

from . import _parlour
from ._parlour import InputError
from .bots import Bot
from .result import Result, Shard

__all__ = ["BotWarning", "Plan", "compare", "match", "merge", "plan", "read", "run"]

Path_ = Union[str, "os.PathLike[str]"]
Experiment = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Union[bool, Callable[[int, int], object]]


class BotWarning(UserWarning):
    """A strategy failed, and so lost hands."""


def _whole(name: str, value: int | None, least: int = 0) -> int | None:
    """A whole number that the program can take."""
    if value is None:
        return None
    try:
        number = value.__index__()
    except AttributeError:
        number = -1
    if isinstance(value, bool) or not least <= number < 2**64:
        raise InputError(f"`{name}` is {value!r}; it must be a whole number from {least}")
    return number


def _threads(threads: int | None) -> int:
    number = _whole("threads", threads, 1) or 0
    if number > 1024:
        raise InputError(f"`threads` is {number}; it must be from 1 to 1024")
    return number


def _text(what: str, text: Any) -> Any:
    """A text that the program can take, as a file in UTF-8 would hold it."""
    if isinstance(text, str):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(f"{what}: {text!r} holds half of a character") from None
    return text


def _names(what: str, names: Sequence[Any]) -> list[str]:
    """Names of one kind, as a match and a comparison take them."""
    for name in names:
        if isinstance(name, Mapping):
            raise InputError(f"a {what} is a name or a file here, not a dict; `run` takes dicts too")
        if not isinstance(name, str):
            raise InputError(f"a {what} is a name or a file, not a {type(name).__name__}")
        _text(what, name)
    return list(names)


def _source(**said: Any) -> dict[str, Any]:
    fields = ("file", "text", "table", "variants", "deals", "seed")
    return {field: said.get(field) for field in fields}


def _named(bot: Any, bots: dict[str, Any]) -> Any:
    """What stands for a strategy; a bot is put among the others, under its name."""
    if isinstance(bot, (str, Mapping)):
        return bot
    name = getattr(bot, "name", None)
    if not isinstance(name, str):
        name = getattr(bot, "__name__", None) or type(bot).__name__
    if not callable(getattr(bot, "choose", None)):
        raise InputError(f"`{name}` is no bot: it has no method `choose`")
    if bots.setdefault(name, bot) is not bot:
        raise InputError(f"two bots are called `{name}`; give one a `name` of its own")
    return name


def _strategies(said: Sequence[Any], bots: dict[str, Any]) -> list[Any]:
    """What stands for each strategy. A text is no bot that is brought along beside it."""
    names = [_named(it, bots) for it in said]
    for it in said:
        if isinstance(it, str) and it in bots and any(bots[it] is bot for bot in said):
            raise InputError(f"`{it}` is a bot here, and a strategy too; give the bot another `name`")
    return names


def _experiment(experiment: Experiment, name: str, bots: dict[str, Any]) -> dict[str, Any]:
    if isinstance(experiment, Mapping):
        said = dict(experiment)
        if isinstance(said.get("strategies"), (list, tuple)):
            said["strategies"] = _strategies(said["strategies"], bots)
        try:
            text = json.dumps(said, ensure_ascii=False)
        except (TypeError, ValueError) as error:
            raise InputError(f"{name}: it is no JSON: {error}") from None
        return {"text": (_text("`name`", name), _text(f"{name}", text))}
    try:
        file = os.fspath(experiment)
    except TypeError:
        file = None
    if not isinstance(file, str):
        kind = type(experiment).__name__
        raise InputError(f"an experiment is a name, a path or a dict, not a {kind}")
    return {"file": _text("an experiment", file)}


class _Bar:
    """A bar of tqdm, made when there is something to count."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._done = 0

    def __call__(self, done: int, of: int) -> None:
        if self._bar is None:
            self._bar = _bar(of)
        self._bar.update(done - self._done)
        self._done = done

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar(hands: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    # A notebook's bar is no terminal, and is wanted all the same.
    hidden = False if "notebook" in tqdm.__module__ else None
    return tqdm(total=hands, unit="hand", unit_scale=True, disable=hidden, leave=False)


def _failed(strategy: str, hands: int, said: str) -> None:
    lost = "1 hand" if hands == 1 else f"{hands} hands"
    warnings.warn(f"`{strategy}` failed, and so lost {lost}: {said}", BotWarning, stacklevel=4)


def _how(**said: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "threads": None,
        "out": None,
        "resume": False,
        "replace": False,
        "same_program": False,
        "hands": False,
        "records": False,
        "shard": None,
        "failed": _failed,
    }
    how = {**usual, **said}
    how["threads"] = _threads(how["threads"])
    if how["out"] is not None:
        how["out"] = Path(how["out"])
    return how


def _play(
    source: dict[str, Any], progress: Progress, how: dict[str, Any], bots: dict[str, Any]
) -> Any:
    for name, bot in bots.items():
        _named(bot, {name: bot})
    bar = _Bar() if progress is True else None
    how = {**how, "progress": bar or progress or None}
    try:
        return _parlour.play(source, how, list(bots.items()))
    finally:
        if bar is not None:
            bar.close()


@overload
def run(
    experiment: Experiment,
    *,
    name: str = ...,
    bots: Mapping[str, Bot] | None = ...,
    deals: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    out: Path_ | None = ...,
    resume: bool = ...,
    replace: bool = ...,
    same_program: bool = ...,
    hands: bool = ...,
    records: bool = ...,
    shard: None = ...,
    progress: Progress = ...,
) -> Result: ...
@overload
def run(
    experiment: Experiment,
    *,
    name: str = ...,
    bots: Mapping[str, Bot] | None = ...,
    deals: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    out: Path_ | None = ...,
    resume: bool = ...,
    replace: bool = ...,
    same_program: bool = ...,
    hands: bool = ...,
    records: bool = ...,
    shard: tuple[int, int],
    progress: Progress = ...,
) -> Shard: ...
def run(
    experiment: Experiment,
    *,
    name: str = "experiment",
    bots: Mapping[str, Bot] | None = None,
    deals: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    out: Path_ | None = None,
    resume: bool = False,
    replace: bool = False,
    same_program: bool = False,
    hands: bool = False,
    records: bool = False,
    shard: tuple[int, int] | None = None,
    progress: Progress = True,
) -> Result | Shard:
    """Plays an experiment, as `parlour run` does.

    `experiment` is a file, the name of one that comes with the program, or a dict of the same form;
    `name` is what a dict is called. `out` is the folder for the results, which gets the same bytes
    as from the command line; without it nothing is written. `shard=(i, n)` plays a part of n only,
    for `merge`. `progress` may be a function of the hands played and of all.

    A strategy may be a bot in Python: a class, or an object, with a method `choose(view)`, in the
    dict's `strategies`, or under a name that the file gives it in `bots`.

    Ctrl-C saves what is finished and raises `Stopped`, a KeyboardInterrupt; `resume=True` goes on.
    """
    own = dict(bots or {})
    source = _source(
        **_experiment(experiment, name, own), deals=_whole("deals", deals), seed=_whole("seed", seed)
    )
    how = _how(
        threads=threads,
        out=out,
        resume=resume,
        replace=replace,
        same_program=same_program,
        hands=hands,
        records=records,
    )
    if shard is None:
        return Result(_play(source, progress, how, own), how["out"])
    part, of = (_whole("shard", number) or 0 for number in shard)
    if out is None:
        raise InputError("a shard needs a folder, from which it is merged")
    _play(source, progress, {**how, "shard": (part, of)}, own)
    return Shard(Path(out), part, of)


def match(
    game: str,
    *strategies: str | Bot,
    variant: str | None = None,
    seats: int | None = None,
    deals: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    out: Path_ | None = None,
    resume: bool = False,
    replace: bool = False,
    progress: Progress = True,
) -> Result:
    """Plays a quick pairing, as `parlour match` does: `match("leopard", "steady", "greedy")`. A
    strategy may be a bot in Python: a class, or an object, with a method `choose(view)`."""
    if len(strategies) < 2:
        raise InputError("a match needs at least two strategies, one a seat")
    own: dict[str, Any] = {}
    given = _names("strategy", _strategies(strategies, own))
    variant = None if variant is None else _names("variant", [variant])[0]
    table = (_names("game", [game])[0], given, variant, _whole("seats", seats))
    source = _source(table=table, deals=_whole("deals", deals), seed=_whole("seed", seed))
    how = _how(threads=threads, out=out, resume=resume, replace=replace)
    return Result(_play(source, progress, how, own), how["out"])


def compare(
    game: str,
    *variants: str,
    strategies: Sequence[str | Bot],
    deals: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    out: Path_ | None = None,
    resume: bool = False,
    replace: bool = False,
    progress: Progress = True,
) -> Result:
    """Compares variants under the same strategies on the same deals, as `parlour compare` does:
    `compare("leopard", "original", "revised", strategies=["greedy", "steady"])`."""
    if len(variants) < 2:
        raise InputError("a comparison needs at least two variants")
    given = [strategies] if isinstance(strategies, str) else list(strategies)
    if not given:
        raise InputError("`strategies` is empty; name at least one")
    own: dict[str, Any] = {}
    source = _source(
        variants=(
            _names("game", [game])[0],
            _names("variant", variants),
            _names("strategy", _strategies(given, own)),
        ),
        deals=_whole("deals", deals),
        seed=_whole("seed", seed),
    )
    how = _how(threads=threads, out=out, resume=resume, replace=replace)
    return Result(_play(source, progress, how, own), how["out"])


def read(folder: Path_) -> Result:
    """A finished run, read again from its folder."""
    return Result(_parlour.read(Path(folder)), Path(folder))


def merge(
    shards: Sequence[Path_ | Shard],
    out: Path_,
    *,
    replace: bool = False,
    same_program: bool = False,
) -> Result:
    """Joins the shards of one run into the folder that the whole run would have written."""
    folders = [shard.folder if isinstance(shard, Shard) else Path(shard) for shard in shards]
    return Result(_parlour.join(folders, Path(out), replace, same_program), Path(out))


class Plan:
    """How many deals a difference needs."""

    def __init__(self, planned: dict[str, Any], sentence: str) -> None:
        self.sentence = sentence
        """The answer."""
        self.difference: float = planned["difference"]
        """The difference to find, a share of the win."""
        self.power: float = planned["power"]
        """How likely it is to be found, if it is there."""
        self.judged_by: int = planned["judged_by"]
        """The deals that the deviations were measured on."""
        self.deals: int | None = planned["deals"]
        """The most that any comparison needs; None where nothing can be found."""
        self.needs: list[dict[str, Any]] = planned["needs"]
        """What each comparison needs: `comparison`, `deviation` of a deal, `deals`."""

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<parlour.Plan: {self.sentence}>"


def plan(
    experiment: Experiment,
    difference: float,
    *,
    power: float = 0.8,
    pilot: int = 400,
    name: str = "experiment",
    threads: int | None = None,
    progress: Progress = True,
) -> Plan:
    """How many deals a difference needs (a share of the win: 0.01 is a point of a hundred), judged
    by the folder of a finished run, or by a pilot of an experiment."""
    is_folder = not isinstance(experiment, Mapping) and Path(experiment).is_dir()
    folder = Path(os.fspath(experiment)) if not isinstance(experiment, Mapping) and is_folder else None
    own: dict[str, Any] = {}
    source = _source(**({} if is_folder else _experiment(experiment, name, own)))
    bar = _Bar() if progress is True else None
    how = {**_how(threads=threads), "progress": bar or progress or None}
    wanted = (float(difference), float(power), _whole("pilot", pilot) or 0)
    try:
        planned, sentence = _parlour.needs(folder, source, how, list(own.items()), wanted)
    finally:
        if bar is not None:
            bar.close()
    return Plan(planned, sentence)
