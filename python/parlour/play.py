"""Runs, as the command line plays them: the same experiments, the same bytes."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Union, overload

from . import _parlour, given
from ._parlour import InputError
from .bots import Bot
from .result import Result, Shard

__all__ = ["BotWarning", "Plan", "compare", "match", "merge", "plan", "read", "run"]

Path_ = Union[str, "os.PathLike[str]"]
Experiment = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Strategy_ = Union[str, "os.PathLike[str]", Mapping[str, Any], Bot]
Variant_ = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Union[bool, Callable[[int, int], object]]


class BotWarning(UserWarning):
    """A strategy failed, and so lost hands."""


def _source(**said: Any) -> dict[str, Any]:
    fields = ("file", "text", "table", "variants", "deals", "seed")
    return {field: said.get(field) for field in fields}


def _named(bot: Any, bots: dict[str, Any]) -> Any:
    """What stands for a strategy; a bot is put among the others, under its name."""
    if isinstance(bot, (str, Mapping, os.PathLike)):
        return given.entry("strategy", bot)
    if bot is None:
        raise InputError("a strategy is a name, a file, a dict or a bot, not None")
    name = getattr(bot, "name", None)
    if not isinstance(name, str):
        name = getattr(bot, "__name__", None) or type(bot).__name__
    if not callable(getattr(bot, "choose", None)):
        raise InputError(f"`{name}` is no bot: it has no method `choose`")
    if bots.setdefault(name, bot) is not bot:
        raise InputError(f"two bots are called `{name}`; give one a `name` of its own")
    return name


def _strategies(said: Iterable[Any], bots: dict[str, Any]) -> list[Any]:
    """What stands for each strategy. A text is no bot that is brought along beside it."""
    said = list(said)
    names = [_named(it, bots) for it in said]
    for it in said:
        if isinstance(it, str) and it in bots and any(bots[it] is bot for bot in said):
            raise InputError(f"`{it}` is a bot here, and a strategy too; give the bot another `name`")
    return names


def _experiment(experiment: Experiment, name: str, bots: dict[str, Any]) -> dict[str, Any]:
    if isinstance(experiment, Mapping):
        said = dict(experiment)
        strategies = said.get("strategies")
        if isinstance(strategies, Iterable) and not isinstance(strategies, (str, bytes, Mapping)):
            said["strategies"] = _strategies(strategies, bots)
        name = given.text("`name`", name)
        return {"text": (name, given.as_json(name, said))}
    try:
        file = os.fspath(experiment)
    except TypeError:
        file = None
    if not isinstance(file, str):
        what = given.a(experiment)
        raise InputError(f"an experiment is a name, a path or a dict, not {what}")
    return {"file": given.text("an experiment", file)}


def _bots(bots: Any) -> dict[str, Any]:
    """Bots by the names that an experiment gives them."""
    if bots is None:
        return {}
    if not isinstance(bots, Mapping) or not all(isinstance(name, str) for name in bots):
        raise InputError(f"`bots` is {bots!r}; it must be a dict of bots by their names")
    return dict(bots)


def _given(variants: Iterable[Any], strategies: Iterable[Any], bots: dict[str, Any]) -> str:
    """What a match or a comparison is of, as JSON."""
    named = [given.entry("variant", it) for it in variants]
    said = {"variants": named, "strategies": _strategies(strategies, bots)}
    return given.as_json("strategies", said)


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
    for switch in ("resume", "replace", "same_program", "hands", "records"):
        how[switch] = given.truth(switch, how[switch])
    how["threads"] = given.threads(how["threads"])
    if how["out"] is not None:
        how["out"] = given.folder("out", how["out"])
    return how


def _play(
    source: dict[str, Any], progress: Progress, how: dict[str, Any], bots: dict[str, Any]
) -> Any:
    for name, bot in bots.items():
        _named(bot, {name: bot})
    with _shown(progress) as told:
        return _parlour.play(source, {**how, "progress": told}, list(bots.items()))


@contextmanager
def _shown(progress: Any) -> Iterator[Any]:
    """What is told how far a run is."""
    if callable(progress):
        yield progress
    elif not isinstance(progress, bool):
        raise InputError(f"`progress` is {progress!r}; it must be True, False or a function")
    elif not progress:
        yield None
    else:
        bar = _Bar()
        try:
            yield bar
        finally:
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
    own = _bots(bots)
    numbers = {"deals": given.whole("deals", deals), "seed": given.whole("seed", seed)}
    source = _source(**_experiment(experiment, name, own), **numbers)
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
    if not isinstance(shard, (tuple, list)) or len(shard) != 2:
        raise InputError(f"`shard` is {shard!r}; it must be (i, n), part i of n")
    part, of = (given.whole("shard", number) or 0 for number in shard)
    if how["out"] is None:
        raise InputError("a shard needs a folder, from which it is merged: `out`")
    _play(source, progress, {**how, "shard": (part, of)}, own)
    return Shard(how["out"], part, of)


def match(
    game: str,
    *strategies: Strategy_,
    variant: Variant_ | None = None,
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
    strategy, and the variant, may be a dict as in an experiment, with a `name` and a `base`; a
    strategy may be a bot in Python, too: a class, or an object, with a method `choose(view)`."""
    if len(strategies) < 2:
        raise InputError("a match needs at least two strategies, one a seat")
    own: dict[str, Any] = {}
    said = _given([] if variant is None else [variant], strategies, own)
    table = (given.game(game), said, given.whole("seats", seats))
    numbers = {"deals": given.whole("deals", deals), "seed": given.whole("seed", seed)}
    source = _source(table=table, **numbers)
    how = _how(threads=threads, out=out, resume=resume, replace=replace)
    return Result(_play(source, progress, how, own), how["out"])


def compare(
    game: str,
    *variants: Variant_,
    strategies: Strategy_ | Sequence[Strategy_],
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
    several = isinstance(strategies, Iterable) and not isinstance(strategies, (str, Mapping))
    each: list[Any] = list(strategies) if several else [strategies]  # type: ignore[arg-type]
    if not each:
        raise InputError("`strategies` is empty; name at least one")
    own: dict[str, Any] = {}
    numbers = {"deals": given.whole("deals", deals), "seed": given.whole("seed", seed)}
    source = _source(variants=(given.game(game), _given(variants, each, own)), **numbers)
    how = _how(threads=threads, out=out, resume=resume, replace=replace)
    return Result(_play(source, progress, how, own), how["out"])


def read(folder: Path_) -> Result:
    """A finished run, read again from its folder."""
    folder = given.folder("folder", folder)
    return Result(_parlour.read(folder), folder)


def merge(
    shards: Sequence[Path_ | Shard],
    out: Path_,
    *,
    replace: bool = False,
    same_program: bool = False,
) -> Result:
    """Joins the shards of one run into the folder that the whole run would have written."""
    if isinstance(shards, (str, os.PathLike, Shard)) or not isinstance(shards, Iterable):
        raise InputError(f"`shards` is {shards!r}; it must be a list of folders")
    folders = [it.folder if isinstance(it, Shard) else given.folder("shards", it) for it in shards]
    out = given.folder("out", out)
    replace, same = given.truth("replace", replace), given.truth("same_program", same_program)
    return Result(_parlour.join(folders, out, replace, same), out)


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
    own: dict[str, Any] = {}
    said = _experiment(experiment, name, own)
    is_folder = "file" in said and os.path.isdir(said["file"])
    folder = Path(said["file"]) if is_folder else None
    source = _source(**({} if is_folder else said))
    pilot = given.whole("pilot", pilot) or 0
    wanted = (given.number("difference", difference), given.number("power", power), pilot)
    with _shown(progress) as told:
        how = {**_how(threads=threads), "progress": told}
        planned, sentence = _parlour.needs(folder, source, how, list(own.items()), wanted)
    return Plan(planned, sentence)
