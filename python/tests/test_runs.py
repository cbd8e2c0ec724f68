"""Runs: the bytes of the command line, resuming, shards, and invalid input."""

from __future__ import annotations

import copy
import json
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.play import _Bar


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Contents of all files, without the timing and commit of the manifest."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            files[str(path.relative_to(folder))] = path.read_bytes()
    manifest = json.loads(files["manifest.json"])
    del manifest["timing"]
    # The same sources may be built before a commit and after it.
    del manifest["program"]["revision"]
    files["manifest.json"] = json.dumps(manifest).encode()
    return files


def command(program: Path, *arguments: str | Path) -> None:
    subprocess.run([str(program), *map(str, arguments), "--quiet"], check=True, capture_output=True)


def test_run_writes_the_bytes_of_the_command_line(
    program: Path, tmp_path: Path, small: dict[str, Any]
) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps({**small, "confirm": True}))
    command(program, "run", file, "--hands", "--records", "--out", tmp_path / "theirs")
    parlour.run(file, hands=True, records=True, threads=1, out=tmp_path / "ours")
    theirs, ours = bytes_of(tmp_path / "theirs"), bytes_of(tmp_path / "ours")
    assert len(theirs) > 12
    assert list(theirs) == list(ours)
    assert [name for name in theirs if theirs[name] != ours[name]] == []


def test_match_and_compare_write_the_bytes_of_the_command_line(
    program: Path, tmp_path: Path
) -> None:
    seats = ["random", "random"]
    command(program, "match", "eleusis", *seats, "--seats", "4", "--deals", "2", "--out", tmp_path / "a")
    parlour.match("eleusis", *seats, seats=4, deals=2, out=tmp_path / "b")
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")
    told = ["original", "revised", "--strategies", "greedy,random", "--deals", "20", "--seed", "7"]
    command(program, "compare", "leopard", *told, "--out", tmp_path / "c")
    strategies = ["greedy", "random"]
    parlour.compare(
        "leopard", "original", "revised", strategies=strategies, deals=20, seed=7, out=tmp_path / "d"
    )
    assert bytes_of(tmp_path / "c") == bytes_of(tmp_path / "d")


def test_a_dict_plays_like_its_file(tmp_path: Path, small: dict[str, Any]) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps(small))
    one, other = parlour.run(file), parlour.run(small, name="small", threads=2)
    assert one.answer == other.answer and one.question
    for name in one.tables:
        assert one.table(name).rows() == other.table(name).rows()
    fewer = parlour.run(small, deals=10, seed=5)
    assert (fewer.deals, fewer.experiment["seed"]) == (10, 5)


def test_match_and_compare_accept_dicts(small: dict[str, Any]) -> None:
    mine = {"name": "mine", "base": "steady-plain"}
    nine = {"name": "nine", "base": "revised", "knock_at": np.int64(9)}
    match = parlour.match("leopard", "random", mine, variant=nine, deals=20)
    assert match.experiment["line_ups"] == [["random", "mine"]]
    [variant] = match.experiment["variants"]
    assert (variant["name"], variant["rules"]["knock_at"]) == ("nine", 9)
    compared = parlour.compare("leopard", "revised", nine, strategies=mine, deals=20)
    assert compared.table("variants").to_dict()["variant"] == ["revised", "nine"]
    with pytest.raises(parlour.InputError, match=r"match: field `strategies\[1\]`: missing field"):
        parlour.match("leopard", "random", {"base": "steady"})
    with pytest.raises(parlour.InputError, match=r"field `variants\[0\].nock`: unknown field `nock`"):
        parlour.match("leopard", "random", mine, variant={"name": "x", "base": "revised", "nock": 9})


def test_numpy_numbers_are_accepted(small: dict[str, Any]) -> None:
    said = {**small, "deals": np.int32(4), "strategies": np.array(["random", "greedy"])}
    three: Any = np.uint8(3)
    assert parlour.run(said, seed=three).experiment["seed"] == 3
    swept = {**small, "variants": [{"base": "revised", "sweep": {"knock_at": np.arange(7, 9)}}]}
    assert len(parlour.run(swept, deals=2).table("variants")) == 2


def test_a_result_survives_chdir_and_pickling(
    tmp_path: Path, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = parlour.run(small, deals=3, out="x")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert result.manifest["counts"]["deals"] == 3
    again = pickle.loads(pickle.dumps(result))
    assert again.answer == result.answer and again.folder == tmp_path / "x"
    assert copy.deepcopy(result) is result
    with pytest.raises(parlour.InputError, match="in memory cannot be pickled"):
        pickle.dumps(parlour.run(small, deals=2))


def test_merged_shards_equal_one_run(tmp_path: Path, small: dict[str, Any]) -> None:
    whole = parlour.run(small, out=tmp_path / "whole")
    shards = [parlour.run(small, shard=(i, 3), out=tmp_path / str(i)) for i in (1, 2, 3)]
    with pytest.raises(parlour.InputError, match="combine all 3 shards with parlour.merge"):
        shards[0].ratings  # noqa: B018
    with pytest.raises(parlour.InputError, match="deals are missing from these folders"):
        parlour.merge(shards[:2], tmp_path / "merged")
    merged = parlour.merge(shards, tmp_path / "merged")
    assert merged.answer == whole.answer
    assert bytes_of(tmp_path / "merged") == bytes_of(tmp_path / "whole")


def test_a_finished_run_can_be_read(tmp_path: Path, small: dict[str, Any]) -> None:
    played = parlour.run(small, out=tmp_path / "x", records=True)
    read = parlour.read(tmp_path / "x")
    assert str(read) == str(played)
    assert read.folder == tmp_path / "x"
    assert read.manifest["counts"]["deals"] == 60
    record = next(read.records())
    assert (record["game"], record["deal"]) == ("leopard", 0)
    assert str(read.report()) == (tmp_path / "x" / "report.html").read_text("utf-8")


def test_a_finished_run_is_not_overwritten(tmp_path: Path, small: dict[str, Any]) -> None:
    first = parlour.run(small, out=tmp_path / "x")
    with pytest.raises(parlour.InputError, match="`replace=True` to rerun"):
        parlour.run(small, out=tmp_path / "x")
    assert parlour.run(small, out=tmp_path / "x", replace=True).answer == first.answer
    more = parlour.run(small, deals=80, out=tmp_path / "x", resume=True)
    assert more.deals == 80


LONG = """
import parlour, sys
experiment = {"game": "leopard", "variants": ["revised"], "strategies": ["random", "steady"],
              "deals": 400_000}
try:
    parlour.run(experiment, out=sys.argv[1], progress=lambda done, of: print(done, flush=True))
except KeyboardInterrupt as stopped:
    assert isinstance(stopped, parlour.Stopped)
    print("stopped by hand:", stopped, flush=True)
    try:
        parlour.read(sys.argv[1]).ratings
    except parlour.InputError as unfinished:
        print("unfinished:", unfinished, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
def test_ctrl_c_saves_and_resume_continues(tmp_path: Path) -> None:
    out = tmp_path / "x"
    first = stopped_by_hand(LONG, out)
    assert re.search("hands are saved in .* to continue", first) is not None
    second = stopped_by_hand(LONG.replace("out=", "resume=True, out="), out)
    saved = [int(said.split("stopped: ")[1].split(" of 800000")[0]) for said in (first, second)]
    assert 20_000 < saved[0] < saved[1]


def stopped_by_hand(script: str, out: Path) -> str:
    """Output of an interrupted run."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(out)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = (int(line) for line in process.stdout)
    start = next(told)
    next(done for done in told if done > start + 20_000)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[0]
    assert process.returncode == 0
    assert "unfinished:" in said and "has no finished run" in said
    return next(line for line in said.splitlines() if line.startswith("stopped by hand:"))


def test_progress_function_is_called(small: dict[str, Any]) -> None:
    told: list[tuple[int, int]] = []
    parlour.run(small, progress=lambda done, of: told.append((done, of)))
    hands = 60 * 2 * 2 * 3
    assert told[-1] == (hands, hands)
    bar = _Bar()
    bar(10, 100)
    bar(100, 100)
    assert bar._done == 100 and bar._bar.total == 100
    bar.close()


def test_an_exception_in_progress_stops_the_run(small: dict[str, Any]) -> None:
    def fails(done: int, of: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        parlour.run({**small, "deals": 100_000}, progress=fails)


def test_progress_false_is_silent(
    small: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    parlour.run(small, progress=False)
    parlour.run(small)
    assert capfd.readouterr() == ("", "")


def test_sample_size_states_the_deals(tmp_path: Path, small: dict[str, Any]) -> None:
    size = parlour.sample_size(small, 0.01, pilot=50)
    assert size.deals is not None and size.deals > 1000 and size.pilot_deals == 50
    assert f'`"deals": {size.deals}` is enough' in size.sentence
    assert size.deals == max(one["deals"] for one in size.comparisons)
    parlour.run(small, out=tmp_path / "x")
    assert parlour.sample_size(tmp_path / "x", 0.01).pilot_deals == 60


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"deal": 3}, "field `deal`: unknown field `deal`. Did you mean `deals`?"),
    ({"variants": [{"name": "x", "base": "revised", "knockat": 9}]}, "Did you mean `knock_at`?"),
    ({"variants": [{"name": "x", "base": "revised", "hand_size": 99}]}, "it must be from"),
    ({"strategies": ["stedy", "greedy"]}, "unknown strategy `stedy`. Did you mean `steady`?"),
    ({"game": "lepard"}, "unknown game `lepard`. Did you mean `leopard`?"),
    ({"game": None}, "game"),
    ({"deals": 0}, "`deals` is 0; it must be at least 1"),
    ({"deals": "many"}, "deals"),
    ({"strategies": []}, "`strategies` is empty"),
    ({"strategies": [{"name": "x", "base": "y"}, {"name": "y", "base": "x"}]}, "base"),
    ({"seed": float("nan")}, "seed"),
    ({"about": {1, 2}}, "not valid JSON"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_an_invalid_experiment_is_refused(
    small: dict[str, Any], change: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(parlour.InputError) as caught:
        parlour.run({**small, **change})
    assert sentence in str(caught.value)
    assert "line 1" not in str(caught.value), "a dict has no lines"


def test_a_finished_run_with_records_is_not_a_shard(tmp_path: Path, small: dict[str, Any]) -> None:
    parlour.run(small, out=tmp_path / "run", records=True)
    with pytest.raises(parlour.InputError, match="already joined; only shards"):
        parlour.merge([tmp_path / "run"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_errors_found_in_python_have_faults(small: dict[str, Any]) -> None:
    calls: list[Any] = [
        lambda: parlour.run(5),  # type: ignore[call-overload]
        lambda: parlour.run(b"duel"),  # type: ignore[call-overload]
        lambda: parlour.run("half\ud800"),
        lambda: parlour.run({**small, "about": "half\ud800"}),
        lambda: parlour.run(small, name="half\ud800"),
        lambda: parlour.run(small, threads=0),
        lambda: parlour.run(small, deals=-5),
        lambda: parlour.run(small, bots={"greedy": 3}),  # type: ignore[dict-item]
        lambda: parlour.match("leopard", None, "greedy"),  # type: ignore[arg-type]
        lambda: parlour.match("leopard", "steady", "greedy", variant=8),  # type: ignore[arg-type]
        lambda: parlour.compare("leopard", "revised", None, strategies=["greedy"]),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(parlour.InputError) as caught:
            call()
        [fault] = caught.value.faults
        assert fault["text"] == str(caught.value) and fault["file"] is None


def test_an_invalid_file_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    file.write_text('{\n  "game": "leopard",\n  "deal": 3\n}')
    with pytest.raises(parlour.InputError, match="wrong.json: line 3 column") as caught:
        parlour.run(file)
    fault = caught.value.faults[0]
    assert (fault["line"], fault["field"]) == (3, "deal")
    with pytest.raises(parlour.InputError, match="there is no experiment file"):
        parlour.run(tmp_path / "none.json")


def test_invalid_arguments_are_refused(tmp_path: Path, small: dict[str, Any]) -> None:
    def refused(sentence: str, **arguments: Any) -> None:
        with pytest.raises(parlour.InputError, match=sentence):
            parlour.run(small, **arguments)

    refused("`deals` is -1; it must be a whole number from 0", deals=-1)
    refused("`deals` is 1.5", deals=1.5)
    refused("`seed` is True", seed=True)
    refused("`threads` is 0", threads=0)
    refused("`threads` is 5000; it must be from 1 to 1024", threads=5000)
    refused("`resume` needs the folder", resume=True)
    refused("`hands` and `records` need a folder", hands=True)
    refused("exclude each other", resume=True, replace=True, out=tmp_path)
    refused("a shard needs a folder", shard=(1, 2))
    refused("`shard` is 5; it must be", shard=5, out=tmp_path / "s")
    refused("`out` is ''; it must be the path of a folder", out="")
    refused("`out` is 5", out=5)
    refused("`resume` is 'yes'; it must be True or False", resume="yes", out=tmp_path / "s")
    refused("`progress` is 5; it must be True, False or a function", progress=5)
    refused("`bots` is .1.; it must be a dict", bots=[1])
    refused("`name` is 5; it must be a string", name=5)
    refused("`3/2` is not a shard", shard=(3, 2), out=tmp_path / "s")
    with pytest.raises(parlour.InputError, match="a name, a path or a dict, not an int"):
        parlour.run(3)  # type: ignore[call-overload]
    with pytest.raises(parlour.InputError, match="at least two strategies"):
        parlour.match("leopard", "steady")
    with pytest.raises(parlour.InputError, match="unknown variant"):
        parlour.match("leopard", "steady", "greedy", variant="none")
    with pytest.raises(parlour.InputError, match="at least two variants"):
        parlour.compare("leopard", "revised", strategies=["greedy"])
    with pytest.raises(parlour.InputError, match="`difference` is 2"):
        parlour.sample_size(small, 2)
    with pytest.raises(parlour.InputError, match="not a results folder"):
        parlour.read(tmp_path)
    with pytest.raises(parlour.InputError, match="name the folders of the shards"):
        parlour.merge([], tmp_path / "m")
    wrong: Any = "one"
    with pytest.raises(parlour.InputError, match="`shards` is 'one'; it must be a list"):
        parlour.merge(wrong, tmp_path / "m")
    with pytest.raises(parlour.InputError, match="`seats` is 300; no table has more than 8"):
        parlour.match("leopard", "steady", "greedy", seats=300)
    wrong = None
    with pytest.raises(parlour.InputError, match="`difference` is None; it must be a number"):
        parlour.sample_size(small, wrong)
    with pytest.raises(parlour.InputError, match="`folder` is None"):
        parlour.read(wrong)
    with pytest.raises(parlour.InputError, match="None is no text; a name is wanted here"):
        parlour.variants(wrong)
    memory = parlour.run(small, deals=2)
    with pytest.raises(parlour.InputError, match="played in memory; pass `out`"):
        memory.manifest  # noqa: B018


def test_an_unwritable_folder_is_refused(small: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(parlour.Error):
        parlour.run(small, out=tmp_path / "file" / "x")
