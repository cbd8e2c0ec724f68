"""Runs, with the same experiments and the same bytes as the command line."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Union, overload

from . import _parlour, arguments
from ._parlour import InputError
from .bots import Bot
from .result import Result, Shard

__all__ = ["BotWarning", "SampleSize", "compare", "match", "merge", "read", "run", "sample_size"]

Path_ = Union[str, "os.PathLike[str]"]
Experiment = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Strategy_ = Union[str, "os.PathLike[str]", Mapping[str, Any], Bot]
Variant_ = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Union[bool, Callable[[int, int], object]]
OnFault = Literal["count", "raise"]
Format = Literal["text", "parquet"]


class BotWarning(UserWarning):
    """A strategy failed and lost hands."""


def _source(**said: Any) -> dict[str, Any]:
    fields = ("file", "text", "table", "variants", "deals", "seed")
    return {field: said.get(field) for field in fields}


def _named(bot: Any, bots: dict[str, Any]) -> Any:
    """The entry for a strategy. A bot is added to `bots` under its name."""
    if isinstance(bot, (str, Mapping, os.PathLike)):
        return arguments.name_or_dict("strategy", bot)
    if bot is None:
        raise InputError("a strategy is a name, a file, a dict or a bot, not None")
    name = getattr(bot, "name", None)
    if not isinstance(name, str):
        name = getattr(bot, "__name__", None) or type(bot).__name__
    if not any(callable(getattr(bot, method, None)) for method in ("choose", "choose_many")):
        raise InputError(f"`{name}` is not a bot; it needs a method `choose`")
    if bots.setdefault(name, bot) is not bot:
        raise InputError(f"two bots are named `{name}`; give one of them another `name`")
    return name


def _strategies(said: Iterable[Any], bots: dict[str, Any]) -> list[Any]:
    """The entries for strategies. A name must not also be that of a bot."""
    said = list(said)
    names = [_named(it, bots) for it in said]
    for it in said:
        if isinstance(it, str) and it in bots and any(bots[it] is bot for bot in said):
            raise InputError(f"`{it}` is both a bot and a strategy; give the bot another `name`")
    return names


def _experiment(experiment: Experiment, name: str, bots: dict[str, Any]) -> dict[str, Any]:
    if isinstance(experiment, Mapping):
        said = dict(experiment)
        strategies = said.get("strategies")
        if isinstance(strategies, Iterable) and not isinstance(strategies, (str, bytes, Mapping)):
            said["strategies"] = _strategies(strategies, bots)
        name = arguments.text("`name`", name)
        return {"text": (name, arguments.to_json(name, said))}
    try:
        file = os.fspath(experiment)
    except TypeError:
        file = None
    if not isinstance(file, str):
        what = arguments.type_name(experiment)
        raise InputError(f"an experiment is a name, a path or a dict, not {what}")
    return {"file": arguments.text("an experiment", file)}


def _bots(bots: Any) -> dict[str, Any]:
    """Checks the bots by name."""
    if bots is None:
        return {}
    if not isinstance(bots, Mapping) or not all(isinstance(name, str) for name in bots):
        raise InputError(f"`bots` is {bots!r}; it must be a dict from names to bots")
    return dict(bots)


def _labelled(strategy: Any) -> Any:
    """A network whose dict has no name is called after its file."""
    if isinstance(strategy, Mapping) and isinstance(strategy.get("file"), str):
        return {"name": Path(strategy["file"]).stem, **strategy}
    return strategy


def _given(variants: Iterable[Any], strategies: Iterable[Any], bots: dict[str, Any]) -> str:
    """Variants and strategies of a match or comparison as JSON."""
    named = [arguments.name_or_dict("variant", it) for it in variants]
    said = {"variants": named, "strategies": [_labelled(it) for it in _strategies(strategies, bots)]}
    return arguments.to_json("strategies", said)


class _Bar:
    """A tqdm bar, created with the first update."""

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
    # None hides the bar outside of terminals; a notebook is none, with or without ipywidgets.
    hidden = False if "ipykernel" in sys.modules else None
    return tqdm(total=hands, unit="hand", unit_scale=True, disable=hidden, leave=False)


def _failed(strategy: str, hands: int, said: str) -> None:
    lost = "1 hand" if hands == 1 else f"{hands} hands"
    warnings.warn(f"`{strategy}` failed and lost {lost}: {said}", BotWarning, stacklevel=4)


def _how(**said: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "threads": None,
        "out": None,
        "resume": False,
        "replace": False,
        "allow_other_build": False,
        "hands": False,
        "records": False,
        "format": "text",
        "shard": None,
        "on_fault": "count",
        "turns": threading.RLock(),
        "failed": _failed,
    }
    how = {**usual, **said}
    for switch in ("resume", "replace", "allow_other_build", "hands", "records"):
        how[switch] = arguments.boolean(switch, how[switch])
    form = how.pop("format")
    if form not in ("text", "parquet"):
        raise InputError(f"`format` is {form!r}; it must be 'text' or 'parquet'")
    how["parquet"] = form == "parquet"
    lists = how["hands"] or how["records"]
    if how["parquet"] and not lists:
        raise InputError("`format='parquet'` needs `hands` or `records`")
    how["threads"] = arguments.threads(how["threads"])
    on_fault = how.pop("on_fault")
    if on_fault not in ("count", "raise"):
        raise InputError(f"`on_fault` is {on_fault!r}; it must be 'count' or 'raise'")
    how["strict"] = on_fault == "raise"
    if how["resume"] and how["replace"]:
        raise InputError("`resume` and `replace` exclude each other")
    if how["out"] is not None:
        how["out"] = arguments.folder("out", how["out"])
    elif how["resume"]:
        raise InputError("`resume` needs the folder to go on with: `out`")
    elif lists:
        raise InputError("`hands` and `records` need a folder to be written to: `out`")
    return how


def _play(
    source: dict[str, Any], progress: Progress, how: dict[str, Any], bots: dict[str, Any]
) -> Any:
    for name, bot in bots.items():
        _named(bot, {name: bot})
    with _shown(progress) as told:
        return _parlour.play(source, *_ready({**how, "progress": told}, bots))


def _ready(
    how: dict[str, Any], bots: dict[str, Any]
) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """The options and bots of a run. Batched bots are instantiated once."""
    batched = [name for name, bot in bots.items() if hasattr(bot, "choose_many")]
    if batched and not how["threads"]:
        # One thread for each chunk, so that many hands wait at once.
        how = {**how, "threads": 64}
    made = {name: bots[name]() for name in batched if isinstance(bots[name], type)}
    return how, list({**bots, **made}.items())


@contextmanager
def _shown(progress: Any) -> Iterator[Any]:
    """The callback for progress."""
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
    allow_other_build: bool = ...,
    hands: bool = ...,
    records: bool = ...,
    format: Format = ...,
    shard: None = ...,
    on_fault: OnFault = ...,
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
    allow_other_build: bool = ...,
    hands: bool = ...,
    records: bool = ...,
    format: Format = ...,
    shard: tuple[int, int],
    on_fault: OnFault = ...,
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
    allow_other_build: bool = False,
    hands: bool = False,
    records: bool = False,
    format: Format = "text",
    shard: tuple[int, int] | None = None,
    on_fault: OnFault = "count",
    progress: Progress = True,
) -> Result | Shard:
    """Plays an experiment like `parlour run`.

    `experiment` is a file, the name of a built-in experiment, or a dict of the same form; `name`
    names a dict. `out` is the folder for the results, with the same bytes as from the command line;
    without `out` nothing is written. `shard=(i, n)` plays shard i of n, for `merge`. `progress` may
    be a function of the hands played and the total. `hands` writes one row per hand to `hands.csv`,
    `records` each hand in full to `records.jsonl`; `format="parquet"` makes them the folders
    `hands.parquet` and `records.parquet`.

    A strategy may be a bot in Python: a class or an object with a method `choose(view)` or
    `choose_many(observations, masks)`. It stands among the dict's `strategies`, or in `bots` under
    the name that the file uses. A failing bot loses the hand; `on_fault="raise"` stops at its first
    failure, and a bot that fails 20 times before it finishes a hand always stops the run. Finished
    hands are saved.

    Ctrl-C saves finished work and raises `Stopped`, a KeyboardInterrupt; `resume=True` continues.
    """
    own = _bots(bots)
    numbers = {"deals": arguments.integer("deals", deals), "seed": arguments.integer("seed", seed)}
    source = _source(**_experiment(experiment, name, own), **numbers)
    how = _how(
        threads=threads,
        out=out,
        resume=resume,
        replace=replace,
        allow_other_build=allow_other_build,
        hands=hands,
        records=records,
        format=format,
        on_fault=on_fault,
    )
    if shard is None:
        return Result(_play(source, progress, how, own), how["out"])
    if not isinstance(shard, (tuple, list)) or len(shard) != 2:
        raise InputError(f"`shard` is {shard!r}; it must be (i, n) for shard i of n")
    part, of = (arguments.integer("shard", number) or 0 for number in shard)
    if how["out"] is None:
        raise InputError("a shard needs a folder; pass `out`")
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
    hands: bool = False,
    records: bool = False,
    format: Format = "text",
    on_fault: OnFault = "count",
    progress: Progress = True,
) -> Result:
    """Plays a quick pairing like `parlour match`: `match("leopard", "steady", "greedy")`. Strategies and
    the variant may be dicts with a `name` and a `base`. A strategy may also be a bot in Python."""
    if len(strategies) < 2:
        raise InputError("a match needs at least two strategies, one for each seat")
    own: dict[str, Any] = {}
    said = _given([] if variant is None else [variant], strategies, own)
    table = (arguments.game(game), said, arguments.integer("seats", seats))
    numbers = {"deals": arguments.integer("deals", deals), "seed": arguments.integer("seed", seed)}
    source = _source(table=table, **numbers)
    how = _how(
        threads=threads,
        out=out,
        resume=resume,
        replace=replace,
        hands=hands,
        records=records,
        format=format,
        on_fault=on_fault,
    )
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
    hands: bool = False,
    records: bool = False,
    format: Format = "text",
    on_fault: OnFault = "count",
    progress: Progress = True,
) -> Result:
    """Compares variants with the same strategies on the same deals, like `parlour compare`:
    `compare("leopard", "original", "revised", strategies=["greedy", "steady"])`."""
    if len(variants) < 2:
        raise InputError("a comparison needs at least two variants")
    several = isinstance(strategies, Iterable) and not isinstance(strategies, (str, Mapping))
    each: list[Any] = list(strategies) if several else [strategies]  # type: ignore[arg-type]
    if not each:
        raise InputError("`strategies` is empty; name at least one")
    own: dict[str, Any] = {}
    numbers = {"deals": arguments.integer("deals", deals), "seed": arguments.integer("seed", seed)}
    source = _source(variants=(arguments.game(game), _given(variants, each, own)), **numbers)
    how = _how(
        threads=threads,
        out=out,
        resume=resume,
        replace=replace,
        hands=hands,
        records=records,
        format=format,
        on_fault=on_fault,
    )
    return Result(_play(source, progress, how, own), how["out"])


def read(folder: Path_) -> Result:
    """Reads a finished run from its folder."""
    folder = arguments.folder("folder", folder)
    return Result(_parlour.read(folder), folder)


def merge(
    shards: Sequence[Path_ | Shard],
    out: Path_,
    *,
    replace: bool = False,
    allow_other_build: bool = False,
) -> Result:
    """Combines the shards of a run into the folder of the complete run."""
    if isinstance(shards, (str, os.PathLike, Shard)) or not isinstance(shards, Iterable):
        raise InputError(f"`shards` is {shards!r}; it must be a list of folders")
    folders = [it.folder if isinstance(it, Shard) else arguments.folder("shards", it) for it in shards]
    out = arguments.folder("out", out)
    replace, same = arguments.boolean("replace", replace), arguments.boolean("allow_other_build", allow_other_build)
    return Result(_parlour.join(folders, out, replace, same), out)


class SampleSize:
    """The number of deals that a difference needs."""

    def __init__(self, planned: dict[str, Any], sentence: str) -> None:
        self.sentence = sentence
        """The answer."""
        self.difference: float = planned["difference"]
        """The difference to detect, a share of the win."""
        self.power: float = planned["power"]
        """Probability of detecting it."""
        self.pilot_deals: int = planned["pilot_deals"]
        """Number of deals that the deviations were measured on."""
        self.deals: int | None = planned["deals"]
        """Maximum over all comparisons; None if nothing can be detected."""
        self.comparisons: list[dict[str, Any]] = planned["comparisons"]
        """One dict for each comparison: `comparison`, `deviation` of a deal, `deals`."""

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<parlour.SampleSize: {self.sentence}>"


def sample_size(
    experiment: Experiment,
    difference: float,
    *,
    power: float = 0.8,
    pilot: int = 400,
    name: str = "experiment",
    threads: int | None = None,
    progress: Progress = True,
) -> SampleSize:
    """Estimates the number of deals that detect a difference (a share of the win, such as 0.01), from the
    folder of a finished run or from a pilot of an experiment."""
    own: dict[str, Any] = {}
    said = _experiment(experiment, name, own)
    is_folder = "file" in said and os.path.isdir(said["file"])
    folder = Path(said["file"]) if is_folder else None
    source = _source(**({} if is_folder else said))
    pilot = arguments.integer("pilot", pilot) or 0
    wanted = (arguments.number("difference", difference), arguments.number("power", power), pilot)
    with _shown(progress) as told:
        how = {**_how(threads=threads), "progress": told}
        planned, sentence = _parlour.needs(folder, source, *_ready(how, own), wanted)
    return SampleSize(planned, sentence)
