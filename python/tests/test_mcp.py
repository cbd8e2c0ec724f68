"""The MCP server, called by the client of the SDK over standard input and output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import parlour
from conftest import ROOT
from parlour.program import PROGRAM

pytest.importorskip("mcp")
import anyio  # noqa: E402
from mcp import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters  # noqa: E402

SHORT = {
    "game": "leopard",
    "hand": ["AS", "3H", "KD"],
    "own": [None, "2H", None, None, None, None, None, None, "9H"],
    "other": [None, None, None, "4S", None, None, None, None, None],
    "gone": ["QS"],
}
EXPERIMENT = {"game": "leopard", "variants": ["revised"], "strategies": ["greedy", "steady"]}
COMPARED = {"game": "leopard", "variants": ["original", "revised"], "strategies": ["greedy"]}


def session(folder: Path, use: Callable[[Any], Awaitable[None]]) -> None:
    """Starts a server in a folder and uses its client."""
    source = str(ROOT / "python" / "src")
    words = ["-m", "parlour.mcp", "--folder", str(folder), "--threads", "2"]
    env = {"PYTHONPATH": source, "PATH": "/nowhere"}
    server = StdioServerParameters(command=sys.executable, args=words, env=env)

    async def main() -> None:
        async with Client(server) as client:
            await use(client)

    anyio.run(main)


def answers(
    folder: Path, calls: list[tuple[str, dict[str, Any]]]
) -> list[Any]:
    """The results of calls of tools in one session."""
    results = []

    async def use(client: Any) -> None:
        for name, given in calls:
            results.append(await client.call_tool(name, given))

    session(folder, use)
    return results


def test_every_tool_answers(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("list", {"what": "strategies"}, "strategies"),
        ("rules", {"game": "leopard", "variant": "original"}, "Leopard is a card game for two."),
        ("compare", {**COMPARED, "deals": 60}, "not enough deals to tell"),
        ("match", {"game": "leopard", "strategies": ["steady", "random"], "deals": 50}, "stronger"),
        (
            "sweep",
            {
                "game": "leopard",
                "field": "knock_at",
                "values": "5,9",
                "strategies": ["greedy"],
                "deals": 60,
            },
            "under `knock at 5`",
        ),
        (
            "tournament",
            {"game": "leopard", "strategies": ["greedy", "random", "brisk"], "deals": 50},
            "The order is",
        ),
        ("tune", {"game": "leopard", "name": "steady-plain", "deals": 256, "confirm": 20}, "Tuned"),
        ("run", {"experiment": EXPERIMENT, "deals": 20, "records": True, "out": "mine"}, "steady"),
        (
            "review",
            {"records": "mine/records.jsonl", "strategy": "ismcts-250", "hands": 2},
            "loses",
        ),
        ("advise", {"position": SHORT, "strategy": "ismcts-250"}, "ismcts-250 plays"),
        ("advise", {"position": SHORT, "strategy": "steady", "move": "3H -"}, "steady plays"),
        ("science", {"strategy": "random"}, "random found 0.0 % of the rules"),
        ("report", {"folder": "mine"}, "steady"),
    ]

    tools: list[Any] = []

    async def use(client: Any) -> None:
        tools.extend((await client.list_tools()).tools)

    session(tmp_path, use)
    assert {tool.name for tool in tools} == {name for name, *_ in calls}
    for tool in tools:
        assert tool.description and len(tool.description) < 200
        assert tool.output_schema is not None
    results = answers(tmp_path, [(name, given) for name, given, _ in calls])
    for (name, _, text), result in zip(calls, results):
        said = result.structured_content
        assert not result.is_error, result.content[0].text
        assert text in said["sentence"]
        assert text in " ".join(result.content[0].text.split())
        assert said["is_finished"] and said["data"]
        assert len(json.dumps(said)) < 10_000
        if name not in ("list", "rules"):
            assert said["intervals"] and said["what_would_change_it"]
            assert all(it["low"] is None or it["low"] <= it["high"] for it in said["intervals"])
        if said["folder"] is not None:
            assert (tmp_path / said["folder"]).exists()
    assert (tmp_path / "mine" / "report.html").exists()


def test_data_are_those_of_the_program(tmp_path: Path) -> None:
    words = "compare leopard original revised --strategies greedy --deals 60 --json".split()
    printed = subprocess.run([*PROGRAM, *words], check=True, capture_output=True, cwd=tmp_path)
    expected = json.loads(printed.stdout)

    tables = ("answer", "differences", "variants")
    given = {**COMPARED, "deals": 60}
    calls = [("compare", given), *(("compare", {**given, "table": table}) for table in tables)]
    answer, *rest = (result.structured_content for result in answers(tmp_path, calls))
    assert answer["sentence"] == " ".join(expected["sentences"])
    assert answer["left_out"]["differences"] == len(expected["differences"])
    row, interval = expected["answer"][0], answer["intervals"][0]
    assert (interval["low"], interval["high"]) == (row["change_low"], row["change_high"])
    assert f"deals={-(-row['deals_needed'] // 100) * 100}" in answer["what_would_change_it"]
    for table, said in zip(tables, rest):
        assert said["data"][table] == expected[table]


def test_wrong_input_gets_one_sentence(tmp_path: Path) -> None:
    bot = {"name": "mine", "kind": "external", "command": ["touch", "ran"]}
    match = {"game": "leopard", "strategies": ["greedy", "random"]}
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("compare", {**COMPARED, "strategies": ["gredy"]}, "Did you mean `greedy`?"),
        ("compare", {**COMPARED, "game": "chess"}, "unknown game `chess`"),
        ("compare", {**COMPARED, "deals": 0}, "`deals`: Input should be greater than"),
        ("compare", {**COMPARED, "strategy": "greedy"}, "`compare` has no argument `strategy`"),
        ("compare", {**COMPARED, "deals": 20, "table": "tables"}, "its tables: answer,"),
        ("compare", {"game": "leopard"}, "`variants`: Field required"),
        ("sweep", {**match, "field": "knock", "values": "5,6"}, "unknown field `knock`"),
        (
            "sweep",
            {"game": "leopard", "strategies": ["--out=x"], "field": "knock_at", "values": "5"},
            "`--out=x` is not a name or a path",
        ),
        ("tune", {"game": "leopard", "name": "greedy", "deals": 256}, "greedy"),
        ("report", {"folder": "nothing"}, "is not a results folder"),
        ("review", {"records": "nothing.jsonl"}, "nothing.jsonl"),
        (
            "rules",
            {"game": "leopard", "variant": "../up.json"},
            "is outside of the server's folder",
        ),
        ("match", {**match, "out": "/elsewhere"}, "is outside of the server's folder"),
        ("match", {**match, "out": "."}, "is the server's folder itself"),
        (
            "match",
            {**match, "strategies": ["greedy", "link/b.json"]},
            "is outside of the server's folder",
        ),
        ("match", {**match, "strategies": ["greedy", bot]}, "a tool does not start programs"),
        (
            "run",
            {"experiment": {**EXPERIMENT, "strategies": [{"base": "/x/y.json"}]}},
            "is outside of",
        ),
        ("advise", {"position": {"game": "leopard", "hand": ["AS"]}}, "position: line 1 column"),
        ("none", {}, "none"),
    ]
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "link").symlink_to(tmp_path)

    results = answers(tmp_path / "inside", [(name, given) for name, given, _ in calls])
    for (name, given, text), result in zip(calls, results):
        said = result.content[0].text
        assert result.is_error, (name, given)
        assert text in said and "Traceback" not in said and "Error executing" not in said
        assert len(said) < 600
    assert {path.name for path in (tmp_path / "inside").iterdir()} == {"link", "runs"}
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize("name", ["compare", "sweep"])
def test_a_cancelled_run_is_continued(tmp_path: Path, name: str) -> None:
    given: dict[str, Any] = {"game": "leopard", "strategies": ["steady"], "deals": 1_000_000}
    if name == "compare":
        given["variants"] = ["original", "revised"]
    else:
        given |= {"field": "knock_at", "values": "5,7"}
    seen: list[float] = []
    results: list[Any] = []

    async def progress(done: float, total: float | None, _: str | None) -> None:
        assert total == 4_000_000
        seen.append(done)

    async def use(client: Any) -> None:
        async with anyio.create_task_group() as tasks:

            async def call() -> None:
                await client.call_tool(name, given, progress_callback=progress)

            tasks.start_soon(call)
            while len([done for done in seen if done]) < 4:
                await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
        limited = {**given, "seconds": 1.2}
        results.append(len(seen))
        results.append(await client.call_tool(name, limited, progress_callback=progress))

    session(tmp_path, use)
    calls, result = results
    assert not result.is_error, result.content[0].text
    assert not result.structured_content["is_finished"]
    text = result.content[0].text
    assert (
        "Finished work is saved; repeat the call to continue." in text
        or "Stopped at the time" in text
    )
    # The run went on where the request was cancelled.
    assert next(done for done in seen[calls:] if done) >= seen[calls - 1] > 0


def test_a_run_in_small_steps_has_the_same_result(tmp_path: Path) -> None:
    given = {**COMPARED, "strategies": ["steady"], "deals": 3000, "seconds": 0.3, "out": "run"}
    texts: list[str] = []

    async def use(client: Any) -> None:
        while True:
            result = await client.call_tool("compare", given)
            texts.append(result.structured_content["sentence"])
            if result.structured_content["is_finished"]:
                break

    session(tmp_path, use)
    whole = parlour.compare(
        "leopard", "original", "revised", strategies="steady", deals=3000, progress=False
    )
    assert texts[-1] == whole.answer
    assert all(text.startswith("Not finished after ") for text in texts[:-1])


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_terminated_server_stops_the_program(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "parlour.mcp", "--folder", str(tmp_path)]
    env = {"PYTHONPATH": str(ROOT / "python" / "src")}
    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    given = {"game": "leopard", "field": "knock_at", "values": "5,7", "strategies": ["steady"]}
    call = {"name": "sweep", "arguments": {**given, "deals": 1_000_000, "out": "run"}}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env
    ) as server:
        assert server.stdin is not None
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
        state = tmp_path / "run" / "progress.jsonl"
        end = time.monotonic() + 60
        while not state.exists() and time.monotonic() < end:
            time.sleep(0.05)
        server.terminate()
        assert server.wait(10) == 128 + signal.SIGTERM
    # A program that plays on would refuse others.
    again = {**given, "deals": 1_000_000, "out": "run", "seconds": 0.5}
    (result,) = answers(tmp_path, [("sweep", again)])
    assert not result.is_error, result.content[0].text


def test_the_folder_must_exist(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "parlour.mcp", "--folder", str(tmp_path / "none")]
    source = {"PYTHONPATH": str(ROOT / "python" / "src")}
    done = subprocess.run(words, capture_output=True, text=True, env=source, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("none is not a folder; create it first\n")
