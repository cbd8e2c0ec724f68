"""Runs on many machines with Dask. Each task is a shard; merged, they give the files of one process."""

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
from . import arguments
from .play import Format, _experiment, read
from .play import run as play
from .result import Result

__all__ = ["run"]

Path_ = Union[str, "os.PathLike[str]"]
Files = dict[str, bytes]

# With this number of shards the first has no deals; its folder only describes the run.
_COUNTLESS = 2**63
# A run has this many chunks; up to this many shards are made of whole chunks.
_CHUNKS = 64
# Minimum seconds of a pilot.
_PILOT = 0.25
_CLIENT = "it must be a Client, a cluster or the address of a scheduler"
# Seconds without a worker before a message says so.
_PATIENCE = 5.0
# Minimum seconds of a task, even if workers are idle.
_SHORTEST = 0.25
# Files that a shard needs only while it is played.
_TEMPORARY = (".running", "seconds")


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
    format: Format = "text",
    replace: bool = False,
    seconds: float = 60.0,
    shards: int | None = None,
    retries: int = 3,
    progress: bool = True,
) -> Result:
    """Plays an experiment on Dask workers and writes the folder that `parlour.run` would write.

    `client` is a `distributed.Client`, a cluster (a `LocalCluster`, or one of dask-jobqueue or
    dask-kubernetes) or the address of a scheduler. A pilot sizes the tasks so that each takes about
    `seconds` on one thread; `shards` sets the number of tasks without a pilot. A shard that is lost
    or damaged is played again, at most `retries` times.

    Finished shards stay in `OUT.shards` until the run is complete. After Ctrl-C, which raises
    `Stopped`, or a lost scheduler, the same call continues.
    """
    if client is None:
        raise InputError(f"`client` is None; {_CLIENT}")
    if not isinstance(seconds, Real) or isinstance(seconds, bool) or not seconds > 0:
        raise InputError(f"`seconds` is {seconds!r}; it must be a number above 0")
    shards = arguments.integer("shards", shards, 1)
    retries = arguments.integer("retries", retries) or 0
    progress = arguments.boolean("progress", progress)
    bots: dict[str, Any] = {}
    _experiment(experiment, name, bots)
    for bot in bots:
        raise InputError(f"`{bot}` is a bot in Python and cannot run on workers; use `parlour.run`")
    out, replace = arguments.folder("out", out), arguments.boolean("replace", replace)
    Merge.check(out, replace)
    how = {"name": name, "deals": deals, "seed": seed, "hands": hands, "records": records, "format": format}
    with _disk():
        saved = _ShardFolder(Path(f"{out}.shards"), experiment, how)
        with saved.cleanup(), _connected(client, saved) as dask:
            _wait_for_workers(dask, progress)
            _check_workers(dask)
            # Dask recomputes the result of a task when its worker is lost, but not data sent by a client.
            what = dask.submit(dict, saved.experiment, pure=False, retries=retries)
            if saved.shards == 0:
                shards = shards or _shard_count(dask, what, saved.deals, seconds, retries)
                saved.divide(min(shards, saved.deals))
            _play_missing(dask, what, saved, retries, progress)
        saved.merge.finish(out, replace)
        shutil.rmtree(saved.folder)
    return read(out)


@contextmanager
def _disk() -> Iterator[None]:
    """Turns errors of the disk into failures of the run."""
    try:
        yield
    except OSError as error:
        raise FailedError(f"{error.filename or 'disk'}: {error.strerror}") from error


class _ShardFolder:
    """Folder of finished shards: `first` describes the run, the file `shards` has the number of shards,
    and each shard has a folder."""

    def __init__(self, folder: Path, experiment: Any, what: dict[str, Any]) -> None:
        self.folder = folder
        self.is_new = not folder.exists()
        self.finished: set[int] = set()
        with self.cleanup():
            self._open(experiment, what)

    def _open(self, experiment: Any, what: dict[str, Any]) -> None:
        """Opens the folder, or creates it."""
        folder = self.folder
        first, count = folder / "first", folder / "shards"
        self.logs: dict[str, Any] = {log: what[log] for log in ("hands", "records", "format")}
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as here:
            now = Path(here, "first")
            play(experiment, **what, out=now, shard=(1, _COUNTLESS), progress=False)
            if first.exists():
                with _with_hint(f"; delete {folder} or choose another `out`"):
                    Merge(first).take(now)
            else:
                now.rename(first)
        with _with_hint(f"; delete {folder} or choose another `out`"):
            self.merge = Merge(first)
            self.shards = _read_count(count) if count.exists() else 0
        with open(first / "progress.jsonl", encoding="utf-8") as lines:
            resolved = json.loads(next(lines))["body"]["experiment"]
        self.deals: int = resolved["deals"]
        # Like a manifest, with all rules and strategies in full, so that workers need no files.
        self.experiment = {"experiment": resolved, "files": {}}
        for index in range(1, self.shards + 1):
            place = self.place(index)
            if place.exists():
                with _with_hint(f"; delete {place} to play it again"):
                    self.merge.take(place)
                self.finished.add(index)

    @contextmanager
    def cleanup(self) -> Iterator[None]:
        """Removes a new folder without shards after bad input."""
        try:
            yield
        except InputError:
            if self.is_new and not self.finished:
                shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def divide(self, shards: int) -> None:
        """Saves the number of shards."""
        self.shards = shards
        new = self.folder / ".new-shards"
        new.write_text(str(shards))
        new.rename(self.folder / "shards")

    def place(self, index: int) -> Path:
        """Folder of a shard."""
        return self.folder / f"{index}-of-{self.shards}"

    def add(self, index: int, files: Files) -> None:
        """Saves a finished shard. Raises an error if it is damaged or already there."""
        place = self.place(index)
        if place.exists():
            raise InputError(f"cannot merge shard {index}: {place} already exists")
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".new-") as here:
            new = Path(here, "shard")
            for file, packed in files.items():
                path = new / file
                path.parent.mkdir(parents=True, exist_ok=True)
                try:
                    path.write_bytes(zlib.decompress(packed))
                except zlib.error as error:
                    raise InputError(f"{place / file}: damaged in transfer: {error}") from None
            new.rename(place)
        try:
            self.merge.take(place)
        except InputError:
            shutil.rmtree(place)
            raise
        self.finished.add(index)

    def status(self) -> str:
        """A sentence about what is saved and how to continue."""
        if not self.finished:
            return "no shard was finished; the same call starts again"
        done = f"{len(self.finished)} of {self.shards} shards"
        return f"{done} are saved in {self.folder}; the same call continues"


def _read_count(file: Path) -> int:
    """Reads the number of shards."""
    text = file.read_bytes()
    if not text.isdigit() or not 1 <= int(text[:20]) < _COUNTLESS:
        raise InputError(f"{file}: {text[:20]!r} is not a number of shards")
    return int(text)


@contextmanager
def _with_hint(hint: str) -> Iterator[None]:
    """Appends a way out to the message of an error."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{error}{hint}") from None


@contextmanager
def _connected(client: Any, saved: _ShardFolder) -> Iterator[Any]:
    """Connects a Dask client. Errors say what is saved."""
    try:
        import distributed
    except ImportError:
        raise InputError("Dask is missing: pip install distributed") from None
    connect: Any = distributed.Client
    own = not isinstance(client, connect)
    if not own and client.status != "running":
        raise FailedError(f"`client` is {client.status}; it must be connected to a scheduler")
    try:
        dask = connect(client, set_as_default=False) if own else client
    except TypeError:
        raise InputError(f"`client` is {client!r}; {_CLIENT}") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise FailedError(f"no scheduler at {client}: {error}") from None
    try:
        yield dask
    except KeyboardInterrupt:
        raise Stopped(f"stopped: {saved.status()}") from None
    except InputError:
        raise
    except Exception as error:
        # A lost connection raises various errors.
        if dask.status != "running" or type(error).__name__ == "FutureCancelledError":
            where = getattr(dask.scheduler, "address", client)
            raise FailedError(f"lost the scheduler at {where}: {saved.status()}") from error
        raise FailedError(f"{type(error).__name__}: {error}; {saved.status()}") from error
    finally:
        if own:
            dask.close(timeout=2)


def _wait_for_workers(dask: Any, progress: bool) -> None:
    """Waits for the first worker, with a message if a queue holds it back."""
    import distributed

    late: Any = distributed.TimeoutError
    try:
        dask.wait_for_workers(1, timeout=_PATIENCE)
    except (late, TimeoutError):
        if progress:
            where = getattr(dask.scheduler, "address", "the scheduler")
            print(f"waiting for a worker: {where} has none yet", file=sys.stderr, flush=True)
        dask.wait_for_workers(1)


def _check_workers(dask: Any) -> None:
    """Refuses workers with another build before anything is played."""
    for worker, program in dask.run(_worker_build).items():
        _check(fingerprint(), program, f"the worker {worker}")


def _worker_build() -> str:
    """Fingerprint of a worker's build."""
    return fingerprint()


def _check(wanted: str, program: str, whose: str) -> None:
    if program != wanted:
        why = f"`{program}` instead of `{wanted}`"
        raise InputError(f"{whose} has another build: {why}; install the same on all machines")


def _shard_count(dask: Any, what: Any, deals: int, seconds: float, retries: int) -> int:
    """Chooses the number of shards with a pilot on a worker."""
    pilot = dask.submit(_pilot, what, fingerprint(), deals, pure=False, retries=retries)
    return _shards_of(deals, pilot.result(), sum(dask.nthreads().values()), seconds)


def _shards_of(deals: int, each: float, threads: int, seconds: float) -> int:
    """Number of shards for deals of `each` seconds: one takes about `seconds`, or less if there would be
    too few for all threads."""
    whole = deals * each
    shards = math.ceil(max(1, whole / seconds, min(8 * threads, whole / _SHORTEST)))
    if shards <= _CHUNKS:
        shards = 2 ** (shards - 1).bit_length()
    return min(shards, deals)


def _pilot(what: Mapping[str, Any], program: str, deals: int) -> float:
    """Measures the seconds of a deal; its results are dropped."""
    _check(program, fingerprint(), "a worker")
    # Only complete runs have these.
    resolved = {**what["experiment"], "confirm": False}
    resolved.pop("until", None)
    count = 1
    while True:
        start = time.perf_counter()
        play({**what, "experiment": resolved}, deals=count, threads=1, progress=False)
        took = time.perf_counter() - start
        if took > _PILOT or count == deals:
            return took / count
        count = min(2 * count, deals)


def _play_shard(
    what: Mapping[str, Any], program: str, shard: tuple[int, int], logs: dict[str, Any]
) -> Files:
    """Plays a shard and returns its files."""
    _check(program, fingerprint(), "a worker")
    with tempfile.TemporaryDirectory(prefix="parlour-") as here:
        out = Path(here, "shard")
        play(what, shard=shard, threads=1, out=out, progress=False, **logs)
        files = (path for path in out.rglob("*") if path.is_file() and path.name not in _TEMPORARY)
        return {str(path.relative_to(out)): zlib.compress(path.read_bytes()) for path in files}


def _play_missing(dask: Any, what: Any, saved: _ShardFolder, retries: int, progress: bool) -> None:
    """Plays the missing shards and saves each as it arrives."""
    import distributed
    from tqdm.auto import tqdm

    left = dict.fromkeys(range(1, saved.shards + 1), retries)
    futures: dict[Any, int] = {}

    def send(index: int) -> Any:
        shard = (index, saved.shards)
        task = (_play_shard, what, fingerprint(), shard, saved.logs)
        future = dask.submit(*task, pure=False, retries=retries)
        futures[future] = index
        return future

    as_completed: Any = distributed.as_completed
    # The client's own loop: there may be no default one.
    sent = [send(index) for index in left if index not in saved.finished]
    coming = as_completed(sent, loop=dask.loop)
    # Only on a terminal and in a notebook.
    hidden = not progress or (None if "notebook" not in tqdm.__module__ else False)
    bar = tqdm(total=saved.deals, initial=saved.merge.deals, unit="deal", disable=hidden)
    try:
        for future in coming:
            index = futures.pop(future)
            files = future.result()
            future.release()
            try:
                saved.add(index, files)
            except InputError:
                if left[index] == 0:
                    raise
                left[index] -= 1
                coming.add(send(index))
            bar.update(saved.merge.deals - bar.n)
    finally:
        bar.close()
        for future in futures:
            future.release()
