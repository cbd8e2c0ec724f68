"""Runs on many machines, by Dask: the parts of a run are tasks, and joined they are the files of
one process."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Real
from pathlib import Path
from typing import Any, Union

from ._parlour import FailedError, InputError, Merge, Stopped, fingerprint
from . import given
from .play import _experiment, read
from .play import run as play
from .result import Result

__all__ = ["run"]

Path_ = Union[str, "os.PathLike[str]"]
Files = dict[str, bytes]

# Of so many parts the first has no deal, whatever the run is: its folder says what is played.
_COUNTLESS = 2**63
# Up to so many parts are whole chunks of a run; numbers that divide this one make them equal.
_CHUNKS = 64
# A pilot takes at least so many seconds.
_PILOT = 0.25
_CLIENT = "it must be a Client, a cluster or a scheduler's address"
# After so many seconds without a worker it is said that there is none.
_PATIENCE = 5.0
# No task is made shorter than this to occupy idle workers.
_SHORTEST = 0.25
# Files that a part needs only while it is played.
_PASSING = (".running", "seconds")


def run(
    experiment: str | os.PathLike[str] | Mapping[str, Any],
    client: Any,
    *,
    out: Path_,
    name: str = "experiment",
    deals: int | None = None,
    seed: int | None = None,
    hands: bool = False,
    records: bool = False,
    replace: bool = False,
    seconds: float = 60.0,
    parts: int | None = None,
    retries: int = 3,
    progress: bool = True,
) -> Result:
    """Plays an experiment on Dask's workers, into the folder that `parlour.run` would write.

    `client` is a `distributed.Client`, a cluster (a `LocalCluster`, one of dask-jobqueue or of
    dask-kubernetes) or the address of a scheduler. A task keeps one thread of a worker busy for
    about so many `seconds`, as a pilot says; `parts` is the number of tasks, without a pilot. What
    is lost with its worker, or comes back damaged, is played again, `retries` times.

    What came back stays in `OUT.parts` until all is there. Whatever ended the run (Ctrl-C, which
    raises `Stopped`, or a scheduler that went away), the same call goes on from there.
    """
    if client is None:
        raise InputError(f"`client` is None; {_CLIENT}")
    if not isinstance(seconds, Real) or isinstance(seconds, bool) or not seconds > 0:
        raise InputError(f"`seconds` is {seconds!r}; it must be a number above 0")
    parts = given.whole("parts", parts, 1)
    retries = given.whole("retries", retries) or 0
    progress = given.truth("progress", progress)
    bots: dict[str, Any] = {}
    _experiment(experiment, name, bots)
    for bot in bots:
        raise InputError(f"`{bot}` is a bot in Python, which cannot go to workers; use `parlour.run`")
    out, replace = given.folder("out", out), given.truth("replace", replace)
    Merge.check(out, replace)
    how = {"name": name, "deals": deals, "seed": seed, "hands": hands, "records": records}
    with _disk():
        kept = _Kept(Path(f"{out}.parts"), experiment, how)
        with kept.tidied(), _connected(client, kept) as dask:
            _wait_for_workers(dask, progress)
            _same_program(dask)
            # What a task gives is made again where its worker is lost; what a client sends is not.
            what = dask.submit(dict, kept.experiment, pure=False, retries=retries)
            if kept.parts == 0:
                parts = parts or _suited(dask, what, kept.deals, seconds, retries)
                kept.divide(min(parts, kept.deals))
            _have_played(dask, what, kept, retries, progress)
        kept.merge.finish(out, replace)
        shutil.rmtree(kept.folder)
    return read(out)


@contextmanager
def _disk() -> Iterator[None]:
    """What a disk refuses is a failure of the run."""
    try:
        yield
    except OSError as error:
        raise FailedError(f"{error.filename or 'disk'}: {error.strerror}") from error


class _Kept:
    """The parts that came back, in a folder: `first` says what is played, `parts` how many there
    are, and each has a folder of its own."""

    def __init__(self, folder: Path, experiment: Any, what: dict[str, Any]) -> None:
        self.folder = folder
        self.is_new = not folder.exists()
        self.taken: set[int] = set()
        with self.tidied():
            self._open(experiment, what)

    def _open(self, experiment: Any, what: dict[str, Any]) -> None:
        """Finds what is there, or begins."""
        folder = self.folder
        first, said = folder / "first", folder / "parts"
        self.books: dict[str, Any] = {book: what[book] for book in ("hands", "records")}
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as here:
            now = Path(here, "first")
            play(experiment, **what, out=now, shard=(1, _COUNTLESS), progress=False)
            if first.exists():
                with _adding(f"; remove {folder}, or choose another `out`"):
                    Merge(first).take(now)
            else:
                now.rename(first)
        with _adding(f"; remove {folder}, or choose another `out`"):
            self.merge = Merge(first)
            self.parts = _parts(said) if said.exists() else 0
        with open(first / "progress.jsonl", encoding="utf-8") as lines:
            resolved = json.loads(next(lines))["body"]["experiment"]
        self.deals: int = resolved["deals"]
        # As a manifest says it: all rules and strategies are spelled out, no file is needed.
        self.experiment = {"experiment": resolved, "files": {}}
        for part in range(1, self.parts + 1):
            place = self.place(part)
            if place.exists():
                with _adding(f"; remove {place}, and it is played again"):
                    self.merge.take(place)
                self.taken.add(part)

    @contextmanager
    def tidied(self) -> Iterator[None]:
        """After bad input nothing stays of a folder that holds no part."""
        try:
            yield
        except InputError:
            if self.is_new and not self.taken:
                shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def divide(self, parts: int) -> None:
        """Writes down into how many parts the run is divided."""
        self.parts = parts
        new = self.folder / ".new-parts"
        new.write_text(str(parts))
        new.rename(self.folder / "parts")

    def place(self, part: int) -> Path:
        """The folder of a part."""
        return self.folder / f"{part}-of-{self.parts}"

    def add(self, part: int, files: Files) -> None:
        """Keeps a part that came back, unless it is damaged or was there."""
        place = self.place(part)
        if place.exists():
            raise InputError(f"cannot merge part {part}: {place} is there already")
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".new-") as here:
            new = Path(here, "part")
            for file, packed in files.items():
                path = new / file
                path.parent.mkdir(parents=True, exist_ok=True)
                try:
                    path.write_bytes(zlib.decompress(packed))
                except zlib.error as error:
                    raise InputError(f"{place / file}: it was damaged on its way: {error}") from None
            new.rename(place)
        try:
            self.merge.take(place)
        except InputError:
            shutil.rmtree(place)
            raise
        self.taken.add(part)

    def told(self) -> str:
        """What there is, and how to go on."""
        if not self.taken:
            return "no part was finished so far, and the same call begins again"
        done = f"{len(self.taken)} of {self.parts} parts"
        return f"{done} are kept in {self.folder}, and the same call goes on from there"


def _parts(said: Path) -> int:
    """How many parts a file says that there are."""
    text = said.read_bytes()
    if not text.isdigit() or not 1 <= int(text[:20]) < _COUNTLESS:
        raise InputError(f"{said}: {text[:20]!r} is no number of parts")
    return int(text)


@contextmanager
def _adding(way_out: str) -> Iterator[None]:
    """What is refused comes with a way out."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{error}{way_out}") from None


@contextmanager
def _connected(client: Any, kept: _Kept) -> Iterator[Any]:
    """A client of Dask's. Whatever ends the work with it says what is kept."""
    try:
        import distributed
    except ImportError:
        raise InputError("Dask is needed: pip install distributed") from None
    connect: Any = distributed.Client
    own = not isinstance(client, connect)
    if not own and client.status != "running":
        raise FailedError(f"`client` is {client.status}; give one that is connected to a scheduler")
    try:
        dask = connect(client, set_as_default=False) if own else client
    except TypeError:
        raise InputError(f"`client` is {client!r}; {_CLIENT}") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise FailedError(f"there is no scheduler at {client}: {error}") from None
    try:
        yield dask
    except KeyboardInterrupt:
        raise Stopped(f"stopped: {kept.told()}") from None
    except InputError:
        raise
    except Exception as error:
        # A connection that is lost raises this and that.
        if dask.status != "running" or type(error).__name__ == "FutureCancelledError":
            where = getattr(dask.scheduler, "address", client)
            raise FailedError(f"the scheduler at {where} went away: {kept.told()}") from error
        raise FailedError(f"{type(error).__name__}: {error}; {kept.told()}") from error
    finally:
        if own:
            dask.close(timeout=2)


def _wait_for_workers(dask: Any, progress: bool) -> None:
    """Waits for the first worker, and says so when none comes: a queue may hold it for hours."""
    import distributed

    late: Any = distributed.TimeoutError
    try:
        dask.wait_for_workers(1, timeout=_PATIENCE)
    except (late, TimeoutError):
        if progress:
            where = getattr(dask.scheduler, "address", "the scheduler")
            print(f"waiting for a worker: {where} has none so far", file=sys.stderr, flush=True)
        dask.wait_for_workers(1)


def _same_program(dask: Any) -> None:
    """Refuses workers of another program before anything is played."""
    for worker, program in dask.run(_program).items():
        _check(fingerprint(), program, f"the worker {worker}")


def _program() -> str:
    """Which program a worker has."""
    return fingerprint()


def _check(wanted: str, program: str, whose: str) -> None:
    if program != wanted:
        why = f"it was `{wanted}` for the run, it is `{program}` there"
        raise InputError(f"{whose} has another program: {why}; install the same on all machines")


def _suited(dask: Any, what: Any, deals: int, seconds: float, retries: int) -> int:
    """The number of parts that suits the run and the workers, as a pilot on one of them says."""
    pilot = dask.submit(_pilot, what, fingerprint(), deals, pure=False, retries=retries)
    return _divided(deals, pilot.result(), sum(dask.nthreads().values()), seconds)


def _divided(deals: int, each: float, threads: int, seconds: float) -> int:
    """Into how many parts deals are divided that take so long each: one takes about so many
    seconds, or less where too few would be left for all threads."""
    whole = deals * each
    parts = math.ceil(max(1, whole / seconds, min(8 * threads, whole / _SHORTEST)))
    if parts <= _CHUNKS:
        parts = 2 ** (parts - 1).bit_length()
    return min(parts, deals)


def _pilot(what: Mapping[str, Any], program: str, deals: int) -> float:
    """How many seconds a deal takes, by some that are not kept."""
    _check(program, fingerprint(), "a worker")
    # Without what only whole runs have.
    resolved = {**what["experiment"], "confirm": False}
    resolved.pop("until", None)
    count = 1
    while True:
        began = time.perf_counter()
        play({**what, "experiment": resolved}, deals=count, threads=1, progress=False)
        took = time.perf_counter() - began
        if took > _PILOT or count == deals:
            return took / count
        count = min(2 * count, deals)


def _part(
    what: Mapping[str, Any], program: str, shard: tuple[int, int], books: dict[str, Any]
) -> Files:
    """Plays a part, and gives its files."""
    _check(program, fingerprint(), "a worker")
    with tempfile.TemporaryDirectory(prefix="parlour-") as here:
        out = Path(here, "part")
        play(what, shard=shard, threads=1, out=out, progress=False, **books)
        files = (path for path in out.rglob("*") if path.is_file() and path.name not in _PASSING)
        return {str(path.relative_to(out)): zlib.compress(path.read_bytes()) for path in files}


def _have_played(dask: Any, what: Any, kept: _Kept, retries: int, progress: bool) -> None:
    """Has the parts played that are missing, and takes each as it comes."""
    import distributed
    from tqdm.auto import tqdm

    left = dict.fromkeys(range(1, kept.parts + 1), retries)
    futures: dict[Any, int] = {}

    def send(part: int) -> Any:
        shard = (part, kept.parts)
        task = (_part, what, fingerprint(), shard, kept.books)
        future = dask.submit(*task, pure=False, retries=retries)
        futures[future] = part
        return future

    as_completed: Any = distributed.as_completed
    # By the client's own loop: without one that is the default there is no other.
    sent = [send(part) for part in left if part not in kept.taken]
    coming = as_completed(sent, loop=dask.loop)
    # On a terminal and in a notebook alone.
    hidden = not progress or (None if "notebook" not in tqdm.__module__ else False)
    bar = tqdm(total=kept.deals, initial=kept.merge.deals, unit="deal", disable=hidden)
    try:
        for future in coming:
            part = futures.pop(future)
            files = future.result()
            future.release()
            try:
                kept.add(part, files)
            except InputError:
                if left[part] == 0:
                    raise
                left[part] -= 1
                coming.add(send(part))
            bar.update(kept.merge.deals - bar.n)
    finally:
        bar.close()
        for future in futures:
            future.release()
