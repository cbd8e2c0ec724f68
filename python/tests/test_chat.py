"""The chat players, with a stub of an endpoint on the loopback address."""

from __future__ import annotations

import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

BOTS = ROOT / "scripts" / "bots"
sys.path.insert(0, str(BOTS))
import chat  # noqa: E402
import chat_player  # noqa: E402
import chat_scientist  # noqa: E402

SEED = 8021472190823720
Reply = Callable[[str], str]


class Stub:
    """An endpoint. `script` has a reply for each request: a text, a status, a number of seconds to wait, or bytes
    in place of a completion. After the script, `reply` makes a text from the prompt."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.times: list[float] = []
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.requests.append(body)
                stub.keys.append(self.headers["Authorization"])
                stub.times.append(time.monotonic())
                step = stub.script.pop(0) if stub.script else None
                if isinstance(step, float):
                    time.sleep(step)
                    step = None
                if isinstance(step, int):
                    self.send_response(step)
                    self.send_header("Retry-After", "1")
                    self.send_header("Location", stub.url)
                    self.end_headers()
                    self.wfile.write(b"a reason")
                    return
                if not isinstance(step, bytes):
                    text = stub.reply(body["messages"][-1]["content"]) if step is None else step
                    usage = {"prompt_tokens": 100, "completion_tokens": 7}
                    choice = {"message": {"role": "assistant", "content": text}}
                    step = json.dumps({"choices": [choice], "usage": usage}).encode()
                self.send_response(200)
                self.end_headers()
                try:
                    self.wfile.write(step)
                except OSError:
                    pass  # The player waits no longer.

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def prompts(self) -> list[str]:
        return [request["messages"][-1]["content"] for request in self.requests]


def first_move(prompt: str) -> str:
    """The first legal move; in rule discovery the first card and a guess."""
    if "Your hand: " in prompt:
        card = prompt.partition("Your hand: ")[2].split()[0]
        commit = "Turn 3 " in prompt
        belief = {"card": card, "guess": "red", "probability": 0.8, "commit": commit}
        return f"The set {{2, 4, J}} is no rule.\n```json\n{json.dumps(belief)}\n```"
    found = re.search(r"^(\d+): ", prompt.partition("Your legal moves:\n")[2], re.MULTILINE)
    assert found is not None
    return f'<think>{{"move": 999}}</think> I play. {{"move": {found[1]}}}'


@pytest.fixture
def stub() -> Iterator[Stub]:
    stub = Stub(first_move)
    yield stub
    stub.server.shutdown()


def command(stub: Stub, script: str = "chat_player.py", **options: Any) -> list[str]:
    said = {"url": stub.url, "model": "stub", **options}
    words = [word for name, value in said.items() for word in (f"--{name}", str(value))]
    return [sys.executable, str(BOTS / script), *words]


def strategy(file: Path, words: list[str]) -> Path:
    spec = {"about": "A stub.", "kind": "external", "command": words, "move_ms": 30_000}
    file.write_text(json.dumps(spec), "utf-8")
    return file


def run(program: Path, folder: Path, *words: str) -> Any:
    env = {**os.environ, "PARLOUR_PROGRAM": str(program)}
    done = subprocess.run(
        [program, *words, "--json"],
        capture_output=True,
        text=True,
        env=env,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def talk(program: Path, words: list[str], *messages: dict[str, Any]) -> tuple[list[Any], str, int]:
    """Sends messages of the protocol; returns the answers, standard error and the status."""
    env = {**os.environ, "PARLOUR_PROGRAM": str(program), "OPENAI_API_KEY": "a-secret"}
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        words, input=lines, capture_output=True, text=True, env=env, timeout=30, check=False
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr, done.returncode


@pytest.fixture
def hand() -> list[dict[str, Any]]:
    """The messages of a hand with one choice."""
    rules = {"suit_line": 3, "color_line": 1, "knock_at": 7}
    return [
        {"type": "hello", "protocol": 1, "game": "leopard"},
        {"type": "start", "rules": rules, "seats": 2, "seat": 0, "seed": SEED},
        {
            "type": "choose",
            "view": {"seat": 0, "hand": ["2S", "5S"]},
            "events": [{"seat": 1, "move": "TC o4"}],
            "moves": ["2S o2", "5S o5", "2S -"],
        },
        {"type": "bye"},
    ]


@pytest.mark.parametrize("game", ["leopard", "leapfrog", "eleusis", "express"])
def test_a_model_plays_a_hand_of_each_game(
    tmp_path: Path, program: Path, stub: Stub, game: str
) -> None:
    file = strategy(tmp_path / "stub.json", command(stub, transcript=tmp_path / "chats"))
    words = ["match", "eleusis" if game == "express" else game, str(file), "random"]
    words += ["random", "--variant", "express", "--seats", "3"] if game == "express" else []
    words += ["random", "random", "--seats", "4"] if game == "eleusis" else []
    result = run(program, tmp_path, *words, "--deals", "1")
    row = next(row for row in result["strategies"] if row["strategy"] == "stub")
    assert row["hands"] > 0 and row["faults"] == 0
    lines = [
        json.loads(line)
        for it in (tmp_path / "chats").iterdir()
        for line in it.read_text().splitlines()
    ]
    answers = [line for line in lines if "answer" in line]
    assert len(answers) == len(stub.requests)
    assert {line["completion_tokens"] for line in answers} == {7}
    assert not any(line.get("random_move") or line.get("fault") for line in lines)
    system = stub.requests[0]["messages"][0]["content"]
    assert f"You play {words[1]}." in system
    assert ("- board: " if game == "leapfrog" else "- hand: ") in system
    assert ("guess RULE" in system) == (game == "express")
    assert max(len(prompt) for prompt in stub.prompts()) < 50_000


def test_the_model_sees_no_seed_and_the_transcript_no_key(
    tmp_path: Path, program: Path, stub: Stub, hand: list[dict[str, Any]]
) -> None:
    options = '{"temperature": 0}'
    words = command(stub, transcript=tmp_path, options=options)
    answers, said, code = talk(program, words, *hand)
    assert answers == [{"protocol": 1, "name": "chat-stub", "version": "stub"}, {"index": 0}]
    assert code == 0
    assert said == (
        "stub: 1 answers, 100 prompt tokens, 7 completion tokens, 0 faults, 0 random moves\n"
    )
    assert stub.keys == ["Bearer a-secret"]
    assert stub.requests[0]["temperature"] == 0
    assert str(SEED) not in json.dumps(stub.requests)
    transcript = next(tmp_path.iterdir()).read_text()
    assert "a-secret" not in transcript
    assert [sorted(json.loads(line)) for line in transcript.splitlines()] == [
        ["model", "system"],
        ["answer", "completion_tokens", "fault", "prompt", "prompt_tokens", "seconds", "what"],
    ]


MOVES = ["2S o2", "5S o5", "2S -", "guess red"]


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ('{"move": 1}', {"index": 1}),
        ('```json\n{"move": "1", "why": "{"}\n```', {"index": 1}),
        ('{"move": 0} or rather {"move": 2}', {"index": 2}),
        ('{"move": "5s O5"}', {"index": 1}),
        ('{"move": "2: 2S -"}', {"index": 2}),
        ("I like spades.\n**Move: 1**", {"index": 1}),
        ("2S -", {"index": 2}),
        ('<think>{"move": 0}</think>\n{"move": 1}', {"index": 1}),
        ('{"move": "guess red"}', {"index": 3}),
        ('{"move": "guess rank in {2, 4, J}"}', {"move": "guess rank in {2, 4, J}"}),
    ],
)
def test_moves_are_found(
    answer: str, move: Any, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOUR_PROGRAM", str(program))
    assert chat_player.read_move(answer, MOVES) == move


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "The answer has no line"),
        ("I pass to you", "The answer has no line"),
        ('{"move": 4}', "There is no move 4; the numbers go from 0 to 3."),
        ('{"move": -1}', "There is no move -1"),
        ('{"move": true}', "There is no move True"),
        ('{"move": [1]}', r"There is no move \[1\]"),
        ('{"move": "7H o7"}', "`7H o7` is not a legal move."),
        ('{"move": "guess colour"}', "guess colour: not a rule: "),
        ('{"move": "guess same-suit"}', "guess same-suit: not a rule: "),
        ('{"move": "guess red) or (black"}', "not a rule: "),
        ("{" * 30_000, "The answer has no line"),
        ("[" * 30_000 + '{"move":' * 5_000, "The answer has no line"),
    ],
)
def test_faults_are_named(
    answer: str, fault: str, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOUR_PROGRAM", str(program))
    with pytest.raises(chat.Fault, match=fault):
        chat_player.read_move(answer, MOVES)


@pytest.mark.parametrize(
    ("answer", "fault", "rest"),
    [
        ('{"guess": "red"}', "no line such as", None),
        ('{"card": "2C"}', "`2C` is not in your hand, which is TS 4H.", None),
        (
            '{"card": "TS", "guess": "rouge", "probability": 1}',
            "Your guess is not a rule: ",
            {"card": "TS"},
        ),
        ('{"card": "10s", "guess": "red"}', "needs a `probability`", {"card": "TS"}),
        (
            '{"card": "TS", "guess": "red", "probability": 70}',
            "must be from 0 to 1",
            {"card": "TS"},
        ),
    ],
)
def test_beliefs_are_checked(
    answer: str, fault: str, rest: Any, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOUR_PROGRAM", str(program))
    with pytest.raises(chat.Fault, match=fault) as found:
        chat_scientist.read_belief(answer, ["TS", "4H"])
    assert found.value.rest == rest


def test_a_fault_is_named_once_and_then_a_random_move_is_made(
    tmp_path: Path, program: Path, stub: Stub, hand: list[dict[str, Any]]
) -> None:
    stub.script = ['{"move": 9}', '{"move": 2}', "nonsense", "more nonsense"]
    words = command(stub, transcript=tmp_path)
    start, choice = hand[1:3]
    answers, said, _ = talk(program, words, hand[0], start, choice, choice, hand[3])
    assert answers[1] == {"index": 2}
    assert stub.prompts()[1].startswith(
        "There is no move 9; the numbers go from 0 to 2. Answer again"
    )
    assert 0 <= answers[2]["index"] < 3
    assert said.endswith("3 faults, 1 random moves\n")
    assert '"random_move": true' in next(tmp_path.iterdir()).read_text()


def test_a_model_that_talks_nonsense_loses_by_faults(
    program: Path, stub: Stub, hand: list[dict[str, Any]]
) -> None:
    stub.script = ["nonsense"] * 99
    answers, said, code = talk(program, command(stub), *hand[:2], *[hand[2]] * 25)
    assert len(answers) == 1 + chat.MOST_RANDOM - 1 and code == 1
    assert "20 times no answer with a legal move; the last: " in said


def test_failed_requests_are_repeated(
    program: Path, stub: Stub, hand: list[dict[str, Any]]
) -> None:
    stub.script = [500, 429, b"<html>", 2.0]
    answers, _, _ = talk(program, command(stub, seconds=20), *hand)
    assert answers[1] == {"index": 0}
    assert len(stub.requests) == 4
    pauses = [late - early for early, late in zip(stub.times, stub.times[1:])]
    # `Retry-After` is one second.
    assert min(pauses[:2]) > 1


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ([60.0] * 9, "silence within 1.5 seconds"),
        ([503] * 9, "status 503 within 1.5 seconds"),
        ([b"no JSON"] * 9, "an answer that is no chat completion within 1.5 seconds"),
        ([b'{"choices": []}'] * 9, "an answer that is no chat completion within 1.5 seconds"),
        ([401], "status 401: a reason"),
        ([307], "status 307: a reason"),
    ],
)
def test_an_endpoint_without_answers_ends_the_player(
    program: Path, stub: Stub, hand: list[dict[str, Any]], script: list[Any], text: str
) -> None:
    stub.script = script
    # Requests are sent after 0, 0.25, 0.75 and 1.75 seconds: none shortly before the limit.
    answers, said, code = talk(program, command(stub, seconds=1.5), *hand)
    assert len(answers) == 1 and code == 1
    first, totals = said.splitlines()
    assert first == f"{stub.url}/chat/completions: {text}"
    assert totals.startswith("stub: 0 answers")
    assert len(stub.requests) == 1 or script[0] not in (401, 307)


def test_hands_of_a_dead_endpoint_are_lost(tmp_path: Path, program: Path) -> None:
    words = [
        sys.executable,
        str(BOTS / "chat_player.py"),
        "--url",
        "http://127.0.0.1:9/v1",
        "--model",
        "none",
    ]
    file = strategy(tmp_path / "dead.json", [*words, "--seconds", "0.2"])
    out = tmp_path / "out"
    result = run(
        program,
        tmp_path,
        "match",
        "leopard",
        str(file),
        "greedy",
        "--deals",
        "10",
        "--out",
        str(out),
    )
    row = next(row for row in result["strategies"] if row["strategy"] == "dead")
    assert row["score"] == 0 and row["faults"] == 20
    assert row["faults_ended"] >= 10 and row["faults_given_up"] > 0
    assert "Connection refused within 0.2 seconds" in (out / "stderr" / "dead.txt").read_text()


def test_a_model_discovers_rules_and_gets_a_leaderboard(
    tmp_path: Path, program: Path, stub: Stub
) -> None:
    deck = [rank + suit for _ in range(2) for rank in "A23456789TJQK" for suit in "SHDC"]
    cases = [{"name": rule, "rule": rule, "deck": deck} for rule in ("red", "even")]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    chats = tmp_path / "chats"
    file = strategy(tmp_path / "model.json", command(stub, "chat_scientist.py", transcript=chats))
    study, league = str(tmp_path / "study"), str(tmp_path / "league")
    result = run(
        program, tmp_path, "science", "cases.jsonl", "--strategy", str(file), "--out", study
    )
    assert result["faults"] == 0 and result["means"]["solved"] == 0.5
    assert [case["solved"] for case in result["science_summary"]] == [True, False]
    # It claims 80 % each time: right in the first case, wrong in the second.
    assert result["science_summary"][0]["brier"] == pytest.approx(0.04)
    assert result["science_summary"][1]["brier"] == pytest.approx(0.64)
    assert "the secret rule" not in stub.prompts()[0]
    run(
        program,
        tmp_path,
        "tournament",
        "leopard",
        "greedy",
        "random",
        "--deals",
        "20",
        "--out",
        league,
    )
    script = [sys.executable, str(ROOT / "scripts" / "leaderboard.py")]
    done = subprocess.run([*script, study, league], capture_output=True, text=True, check=True)
    answers = len(stub.requests)
    row = next(line for line in done.stdout.splitlines() if "[model]" in line)
    assert row.endswith(f"| stub | {107 * answers:,} | 0 |")
    assert re.search(r"\| 80 → \d+ \(\d+\) \| 2 \| 0 \|", row)
    assert "| revised | greedy | " in done.stdout
    done = subprocess.run([*script, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.endswith("has no finished study or tournament; name a folder of results\n")
