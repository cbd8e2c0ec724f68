"""Runs on Dask: the files of one process, whatever happens to workers, shards and the scheduler."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread, Timer
from time import sleep
from typing import Any

import pytest

import parlour
from parlour import distributed

dask = pytest.importorskip("distributed")
dask_config = pytest.importorskip("dask.config")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two processes of one thread each."""
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster: Any) -> Iterator[Any]:
    with dask.Client(cluster) as client:
        yield client


def files(folder: Path) -> dict[str, bytes]:
    """The files of a finished run, without the manifest's timing."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    manifest = json.loads(found.pop("manifest.json"))
    del manifest["timing"]
    return {**found, "manifest.json": json.dumps(manifest).encode()}


def alone(experiment: Any, out: Path, **how: Any) -> dict[str, bytes]:
    parlour.run(experiment, out=out, progress=False, **how)
    return files(out)


def test_a_killed_worker_changes_no_byte(tmp_path: Path, cluster: Any, client: Any) -> None:
    whole = alone("original-vs-revised", tmp_path / "one", deals=200)
    out, killed = tmp_path / "many", []

    def kill() -> None:
        while not list(Path(f"{out}.shards").glob("*-of-20/progress.jsonl")):
            sleep(0.01)
        worker = next(iter(cluster.workers.values()))
        killed.append(worker.process.process.pid)
        os.kill(killed[0], signal.SIGKILL)

    killer = Thread(target=kill)
    killer.start()
    result = distributed.run(
        "original-vs-revised", client, out=out, deals=200, shards=20, progress=False
    )
    killer.join()
    assert killed and result.deals == 200
    assert files(out) == whole
    assert not Path(f"{out}.shards").exists()


def test_logs_pilot_and_more_shards_than_chunks(
    tmp_path: Path, client: Any, small: dict[str, Any]
) -> None:
    logs: dict[str, Any] = {"hands": True, "records": True}
    small = {**small, "deals": 150, "strategies": ["random", "greedy"]}
    whole = alone(small, tmp_path / "one", **logs)
    distributed.run(small, client, out=tmp_path / "pilot", progress=False, **logs)
    assert files(tmp_path / "pilot") == whole
    with pytest.raises(parlour.InputError, match="pilot already contains a finished run"):
        distributed.run(small, client, out=tmp_path / "pilot")
    address = client.scheduler.address
    # A shard has at least one deal.
    for shards in (100, 2**64 - 1):
        again: dict[str, Any] = {"shards": shards, "replace": True, "progress": False, **logs}
        distributed.run(small, address, out=tmp_path / "pilot", **again)
        assert files(tmp_path / "pilot") == whole


def test_the_size_of_tasks() -> None:
    def shards(*given: Any) -> int:
        return distributed._shards_of(*given)

    # Days of play: a minute each.
    assert shards(10**7, 0.2, 1000, 60.0) == 33_334
    # A minute of play on two threads: enough tasks for both, of equal chunks.
    assert shards(3000, 0.02, 2, 60.0) == 16
    assert shards(3000, 0.0001, 2, 60.0) == 2
    # A shard has at least one deal.
    assert shards(5, 600.0, 1000, 60.0) == 5
    assert shards(1, 0.001, 8, 60.0) == 1


def when_shard_comes(
    monkeypatch: pytest.MonkeyPatch, count: int, happens: Callable[[], object]
) -> list[int]:
    """Calls a function after a number of shards; returns the list of shards."""
    add, finished = distributed._ShardFolder.add, []

    def listening(folder: Any, index: int, files: dict[str, bytes]) -> None:
        add(folder, index, files)
        finished.append(index)
        if len(finished) == count:
            happens()

    monkeypatch.setattr(distributed._ShardFolder, "add", listening)
    return finished


def interrupt() -> None:
    raise KeyboardInterrupt


ALONE = """
import sys
from distributed import LocalCluster
import parlour
experiment = {"game": "leopard", "variants": ["revised"], "strategies": ["random", "greedy"], "deals": 8}
how = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
with LocalCluster(**how) as cluster:
    for number, given in enumerate((cluster, cluster.scheduler_address)):
        result = parlour.distributed.run(experiment, given, out=f"{sys.argv[1]}/{number}", shards=4)
        print(result.deals)
"""


def test_a_cluster_and_an_address_need_no_client(tmp_path: Path) -> None:
    # In a process of its own, which has no client by default.
    ask = [sys.executable, "-c", ALONE, str(tmp_path)]
    done = subprocess.run(ask, capture_output=True, text=True)
    assert done.stdout == "8\n8\n", done.stderr


def test_waiting_for_workers_is_reported(
    tmp_path: Path,
    small: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(distributed, "_PATIENCE", 0.2)
    with dask.LocalCluster(
        n_workers=0, threads_per_worker=1, dashboard_address=":0", processes=False
    ) as cluster:
        Timer(1.0, cluster.scale, [1]).start()
        distributed.run(small, cluster, out=tmp_path / "many", shards=2)
    told = capsys.readouterr().err
    assert told.count("waiting for a worker: ") == 1
    assert "deal/s" not in told, "a bar is for a terminal"


def test_finished_shards_are_saved(
    tmp_path: Path, client: Any, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = alone(small, tmp_path / "one")
    out = tmp_path / "many"
    folder = Path(f"{out}.shards")
    finished = when_shard_comes(monkeypatch, 3, interrupt)
    how: dict[str, Any] = {"out": out, "shards": 8, "progress": False}
    with pytest.raises(parlour.Stopped, match="stopped: 3 of 8 shards are saved in .*many.shards"):
        distributed.run(small, client, **how)
    # Another experiment is refused.
    with pytest.raises(parlour.InputError, match="`seed` was 1963, it is 7 now; delete"):
        distributed.run({**small, "seed": 7}, client, **how)
    # One shard is damaged on the disk, another one is duplicated.
    one = folder / f"{finished[0]}-of-8" / "progress.jsonl"
    good = one.read_bytes()
    one.write_bytes(good.replace(b'"deals":', b'"deals":1', 1))
    with pytest.raises(parlour.InputError, match="checksum does not match.*delete .*-of-8"):
        distributed.run(small, client, **how)
    one.write_bytes(good)
    missing = next(index for index in range(1, 9) if index not in finished)
    shutil.copytree(one.parent, folder / f"{missing}-of-8")
    with pytest.raises(parlour.InputError, match="cannot merge .*: deals .* are also in "):
        distributed.run(small, client, **how)
    shutil.rmtree(folder / f"{missing}-of-8")
    distributed.run(small, client, **how)
    assert sorted(finished) == list(range(1, 9)), "none was played twice"
    assert files(out) == whole


def test_a_damaged_shard_is_played_again(
    tmp_path: Path, client: Any, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = alone(small, tmp_path / "one")
    damaged: list[int] = []
    add = distributed._ShardFolder.add

    def on_its_way(folder: Any, index: int, files: dict[str, bytes]) -> None:
        if len(damaged) < 3:
            damaged.append(index)
            text = zlib.decompress(files["progress.jsonl"])
            wrong = text[:-40] if len(damaged) == 1 else text.replace(b"[", b"[1,", 1)
            packed = b"no zlib" if len(damaged) == 2 else zlib.compress(wrong)
            files = {**files, "progress.jsonl": packed}
        add(folder, index, files)

    monkeypatch.setattr(distributed._ShardFolder, "add", on_its_way)
    how: dict[str, Any] = {"out": tmp_path / "many", "shards": 4, "progress": False}
    with pytest.raises(parlour.InputError, match="line .* is cut off"):
        distributed.run(small, client, retries=0, **how)
    distributed.run(small, client, **how)
    assert len(damaged) == 3
    assert files(tmp_path / "many") == whole


def test_a_worker_with_another_build_is_refused(
    tmp_path: Path, client: Any, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed, "fingerprint", lambda: "0.0.9 (feedface)")
    with pytest.raises(parlour.InputError, match="the worker .* has another build: .*feedface"):
        distributed.run(small, client, out=tmp_path / "many", progress=False)
    # One that comes later finds out itself.
    with pytest.raises(parlour.InputError, match="a worker has another build"):
        distributed._play_shard({}, parlour.fingerprint(), (1, 2), {})


def test_a_lost_scheduler_is_reported(
    tmp_path: Path, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = alone(small, tmp_path / "one")
    how: dict[str, Any] = {"out": tmp_path / "many", "shards": 16, "progress": False}
    with pytest.raises(parlour.FailedError, match="no scheduler at"):
        with dask_config.set({"distributed.comm.timeouts.connect": "200ms"}):
            distributed.run(small, "tcp://127.0.0.1:9", **how)
    cluster = dask.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0")
    client = dask.Client(cluster, timeout=2)
    when_shard_comes(monkeypatch, 2, cluster.close)
    with pytest.raises(parlour.FailedError, match=r"lost the scheduler at .*: \d+ of 16 shards"):
        distributed.run(small, client, **how)
    client.close()
    for gone, sentence in ((client, "`client` is closed"), (cluster, "no scheduler at")):
        with pytest.raises(parlour.FailedError, match=sentence):
            distributed.run(small, gone, **how)
    with dask.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", processes=False
    ) as cluster:
        distributed.run(small, cluster, **how)
    assert files(tmp_path / "many") == whole


def test_invalid_input(tmp_path: Path, client: Any, small: dict[str, Any]) -> None:
    out = tmp_path / "many"
    wrongs: list[dict[str, Any]] = [{"shards": 0}, {"shards": 1.5}, {"shards": 2**64}, {"retries": -1}]
    wrongs += [{"seconds": 0}, {"seconds": "x"}, {"deals": "x"}, {"out": ""}]
    for wrong in wrongs:
        with pytest.raises(parlour.InputError, match=next(iter(wrong))):
            distributed.run(small, client, **{"out": out, **wrong})
    with pytest.raises(parlour.InputError, match="unknown field `dels`"):
        distributed.run({**small, "dels": 7}, client, out=out)
    with pytest.raises(parlour.InputError, match="`client` is None"):
        distributed.run(small, None, out=out)
    with pytest.raises(parlour.InputError, match="`client` is 5; it must be a Client"):
        distributed.run(small, 5, out=out)
    with pytest.raises(parlour.InputError, match="`out` is 7"):
        distributed.run(small, client, out=7)  # type: ignore[arg-type]

    class Mine:
        name = "mine"

        def choose(self, view: parlour.View) -> str:
            return view.moves[0]

    with pytest.raises(parlour.InputError, match="`mine` is a bot in Python and cannot run"):
        distributed.run({**small, "strategies": ["random", Mine]}, client, out=out)
    assert not any(tmp_path.iterdir()), "nothing stays"
    with pytest.raises(parlour.Error, match="/proc/"):
        distributed.run(small, client, out="/proc/foo")


def test_an_existing_folder_is_refused_at_once(
    tmp_path: Path, small: dict[str, Any]
) -> None:
    # Nobody could be sent anything there.
    nobody = "tcp://127.0.0.1:9"
    (tmp_path / "file").write_text("mine")
    with pytest.raises(parlour.InputError, match="file is not a folder"):
        distributed.run(small, nobody, out=tmp_path / "file")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "manifest.json").write_text("{}")
    with pytest.raises(parlour.InputError, match="did not write"):
        distributed.run(small, nobody, out=tmp_path / "foreign", replace=True)
    alone({**small, "deals": 4}, tmp_path / "done")
    with pytest.raises(parlour.InputError, match="done already contains a finished run"):
        distributed.run(small, nobody, out=tmp_path / "done")
    assert {path.name for path in tmp_path.iterdir()} == {"file", "foreign", "done"}


def test_an_unreadable_shard_count_is_refused(
    tmp_path: Path, client: Any, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    how: dict[str, Any] = {"out": tmp_path / "many", "shards": 4, "progress": False}
    when_shard_comes(monkeypatch, 1, interrupt)
    with pytest.raises(parlour.Stopped):
        distributed.run(small, client, **how)
    for bad in ("1.5", "0", "", "9" * 30):
        (tmp_path / "many.shards" / "shards").write_text(bad)
        with pytest.raises(parlour.InputError, match="not a number of shards; delete .*many.shards"):
            distributed.run(small, client, **how)
