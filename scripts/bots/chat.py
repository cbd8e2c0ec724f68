"""What the chat players share: the endpoint, the time limits, the transcript and the token counts.

Any endpoint with OpenAI's chat completions will do. The model sees the rules, the view of its seat and its
legal moves, and never a seed. These rules hold for both players:

* A request that fails (no connection, status 429 or 5xx) is repeated with growing pauses, until the time limit
  of the move.
* An answer without a legal move is asked for once more, with the fault named. After a second fault the player
  makes a random move, which the transcript and the totals count. After 20 random moves in place of its first
  20 the player ends with one message.
* If the endpoint gives no answer within the time limit, the player ends with one message, and the hand or case
  is lost. `parlour` starts it again for the next one, until `max_faults` hands are lost.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

LARGEST = 1_000_000
"""Most bytes of an answer that are read."""

MOST_RANDOM = 20
"""Random moves before its first own move after which a player ends."""

Message = dict[str, str]


class EndpointError(Exception):
    """The endpoint gave no answer; the message says why."""


class Fault(Exception):
    """An answer that cannot be played, with what is wrong; `rest` is the part of it that can."""

    def __init__(self, text: str, rest: Any = None) -> None:
        super().__init__(text)
        self.rest = rest


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which would send the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Chat:
    """A model behind an endpoint, with its transcript and counts."""

    def __init__(self, said: argparse.Namespace) -> None:
        self.said = said
        self.seconds: float = said.seconds
        self.totals = {"answers": 0, "prompt_tokens": 0, "completion_tokens": 0, "faults": 0, "random_moves": 0}
        self._dice = random.Random()
        self._has_moved = False
        self._system = ""
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._file: Any = None
        if said.transcript is not None:
            # One file for each process.
            said.transcript.mkdir(parents=True, exist_ok=True)
            handle, _ = tempfile.mkstemp(".jsonl", "chat-", said.transcript)
            self._file = os.fdopen(handle, "w", encoding="utf-8")

    def begin(self, seed: int) -> None:
        """Begins a hand or case. The seed, for random moves only, stays here."""
        self._dice = random.Random(seed)

    def choose(self, what: str, system: str, prompt: str, read: Callable[[str], Any], moves: list[Any]) -> Any:
        """Asks for a move; `read` finds it in an answer, or raises a `Fault`. After two faults this is the rest
        of the second, or one of `moves`."""
        end = time.monotonic() + self.seconds
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        rest = None
        for attempt in range(2):
            start = time.monotonic()
            try:
                answer, usage = self._complete(messages, end)
            except EndpointError:
                if attempt == 0:
                    raise
                break
            fault, move = None, None
            try:
                move = read(answer)
            except Fault as found:
                fault, rest = str(found), found.rest
            self._write(
                system,
                {
                    "what": what,
                    "prompt": messages[1:],
                    "answer": answer,
                    "fault": fault,
                    **usage,
                    "seconds": round(time.monotonic() - start, 3),
                },
            )
            self.totals["answers"] += 1
            for name, tokens in usage.items():
                self.totals[name] += tokens
            if fault is None:
                self._has_moved = True
                return move
            self.totals["faults"] += 1
            again = f"{fault} Answer again, in the form asked for."
            messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": again}]
        if rest is not None:
            return rest
        self.totals["random_moves"] += 1
        self._write(system, {"what": what, "random_move": True})
        if not self._has_moved and self.totals["random_moves"] >= MOST_RANDOM:
            raise EndpointError(f"{self.said.url}: {MOST_RANDOM} times no answer with a legal move; the last: {fault}")
        return self._dice.choice(moves)

    def close(self) -> None:
        """Prints the totals to standard error, which `parlour` keeps in a file."""
        words = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in self.totals.items())
        print(f"{self.said.model}: {words}", file=sys.stderr, flush=True)
        if self._file is not None:
            self._file.close()

    def _write(self, system: str, line: dict[str, Any]) -> None:
        if self._file is None:
            return
        if system != self._system:
            self._system = system
            self._file.write(json.dumps({"model": self.said.model, "system": system}) + "\n")
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()

    def _complete(self, messages: list[Message], end: float) -> tuple[str, dict[str, Any]]:
        """The text of an answer and its tokens. Failures are repeated until the time is over."""
        body = {"model": self.said.model, "messages": messages, **self.said.options}
        pause, why = 0.25, "no answer"
        while True:
            left, wait = end - time.monotonic(), 0.0
            if left <= 0:
                raise EndpointError(f"{self.said.url}: {why} within {self.seconds:g} seconds")
            try:
                return self._read(self._post(body, left))
            except urllib.error.HTTPError as error:
                why = f"status {error.code}"
                if error.code != 429 and error.code < 500:
                    raise EndpointError(f"{self.said.url}: {why}: {error.msg}") from None
                asked = error.headers.get("Retry-After", "")
                wait = float(asked) if re.fullmatch(r"\d{1,5}", asked) else 0.0
            except TimeoutError:
                why = "silence"
            except (OSError, ValueError) as error:
                why = str(getattr(error, "reason", error))
            time.sleep(max(0.0, min(max(pause, wait), end - time.monotonic())))
            pause *= 2

    def _post(self, body: dict[str, Any], seconds: float) -> bytes:
        """Sends a request. A thread of its own keeps the limit, whatever the endpoint does."""
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self.said.key_variable):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.said.url, json.dumps(body).encode(), headers)
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def post() -> None:
            try:
                with self._opener.open(request, timeout=seconds) as response:
                    answers.put(response.read(LARGEST))
            except urllib.error.HTTPError as error:
                error.msg = " ".join(error.read(300).decode("utf-8", "replace").split())
                answers.put(error)
            except Exception as error:
                answers.put(error)

        threading.Thread(target=post, daemon=True).start()
        try:
            answer = answers.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(answer, urllib.error.URLError) and isinstance(answer.reason, TimeoutError):
            raise TimeoutError
        if isinstance(answer, Exception):
            raise answer
        return bytes(answer)

    @staticmethod
    def _read(answer: bytes) -> tuple[str, dict[str, Any]]:
        try:
            said = json.loads(answer)
            text = said["choices"][0]["message"]["content"] or ""
            usage = said.get("usage") or {}
            tokens = {name: int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")}
            return str(text), tokens
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            raise ValueError("an answer that is no chat completion") from None


def objects(answer: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in an answer, the last first."""
    text, decoder = spoken(answer)[-20_000:], json.JSONDecoder()
    for place in range(len(text) - 1, -1, -1):
        if text[place] != "{":
            continue
        try:
            yield decoder.raw_decode(text, place)[0]
        except (ValueError, RecursionError):
            continue


def spoken(answer: str) -> str:
    """The answer without a model's thoughts, which end with `</think>`."""
    return answer.rpartition("</think>")[2]


def program(*words: str) -> subprocess.CompletedProcess[str]:
    """Asks the program `parlour`: PARLOUR_PROGRAM, or on PATH."""
    path = os.environ.get("PARLOUR_PROGRAM") or shutil.which("parlour")
    if path is None:
        fail("the program `parlour` is not on PATH; set PARLOUR_PROGRAM to its path")
    return subprocess.run([path, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@functools.lru_cache(maxsize=None)
def rule_fault(text: str) -> str | None:
    """What is wrong with a text of the rule language; None if it is a rule."""
    if "\0" in text:
        return "not a rule: it contains a null character"
    # The program also takes the names of its corpus, which the protocol does not; in parentheses only a rule stands.
    for form in (f"({text})", text):
        done = program("rule", "show", "--", form)
        if done.returncode != 0:
            # A list of known names would help the model.
            return done.stderr.partition(". Known:")[0].strip().removeprefix("parlour: ")
    return None


def rule_language() -> str:
    """The page about the rule language."""
    return (Path(__file__).parents[2] / "docs" / "rule-language.md").read_text("utf-8")


def fail(text: str) -> NoReturn:
    """Ends the player with one message."""
    print(text, file=sys.stderr, flush=True)
    sys.exit(1)


def arguments(about: str) -> argparse.Namespace:
    """The options of both players."""
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--url", required=True, help="endpoint, as in http://127.0.0.1:8080/v1")
    parser.add_argument("--model", required=True, help="name of the model")
    parser.add_argument(
        "--key-variable",
        default="OPENAI_API_KEY",
        metavar="NAME",
        help="environment variable with the key [default: OPENAI_API_KEY]",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=60,
        help="time limit of a move; `move_ms` of the strategy file must be larger [default: 60]",
    )
    parser.add_argument(
        "--transcript",
        type=Path,
        metavar="FOLDER",
        help="folder for prompts, answers and tokens; take another for each study",
    )
    parser.add_argument(
        "--options",
        type=json.loads,
        default={},
        metavar="JSON",
        help='more fields of a request, as in {"temperature": 0}',
    )
    said = parser.parse_args()
    if not said.url.startswith(("http://", "https://")):
        parser.error(f"--url {said.url} does not begin with http:// or https://")
    if not isinstance(said.options, dict) or not said.seconds > 0:
        parser.error("--options is a JSON object, and --seconds is positive")
    if not said.url.endswith("/chat/completions"):
        said.url = said.url.rstrip("/") + "/chat/completions"
    return said


def serve(chat: Chat, name: str, hear: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Exchanges the messages of the bot protocol until `bye`."""
    try:
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "bye":
                break
            answer = hear(message)
            if message["type"] == "hello":
                answer = {"protocol": 1, "name": name, "version": chat.said.model}
            if answer is not None:
                print(json.dumps(answer), flush=True)
    except EndpointError as error:
        fail(str(error))
    finally:
        chat.close()
