"""Work of the MCP server: calls of the program `parlour`, and any work that can be stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from .program import PROGRAM

Progress = Callable[[int, int], None]
T = TypeVar("T")

GRACE = 70.0
"""Seconds that a stopped program has to save its work; it needs at most 60."""

RUNNING: set[threading.Event] = set()
"""A flag for each work in progress, to stop it."""


class Stopped(Exception):
    """Raised in a progress function, to stop the work."""


class Done(NamedTuple, Generic[T]):
    """The outcome of work: its result, or None if it was stopped without one."""

    result: T | None
    steps: int
    of: int


async def bounded(
    context: Context[Any, Any], seconds: float, work: Callable[[Progress], T]
) -> Done[T]:
    """Runs `work` on a thread and reports its progress. The end of the time or of the request stops the
    work; this function returns when it has saved what is finished."""
    stop, steps = threading.Event(), [0, 0]

    def progress(done: int, of: int) -> None:
        steps[:] = done, of
        if stop.is_set():
            raise Stopped

    async def watch() -> None:
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                await anyio.sleep(min(0.5, max(0.0, end - time.monotonic())))
                if steps[1]:
                    # A search may take more steps than it expected.
                    await context.report_progress(min(steps), steps[1])
        finally:
            # Also if the request was cancelled: the thread itself cannot be.
            stop.set()

    def outcome() -> T | Exception | None:
        # A task group would wrap an exception in a group.
        RUNNING.add(stop)
        try:
            return work(progress)
        except Stopped:
            return None
        except Exception as error:
            return error
        finally:
            RUNNING.discard(stop)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        result = await anyio.to_thread.run_sync(outcome)
        tasks.cancel_scope.cancel()
    if isinstance(result, Exception):
        raise result
    return Done(result, steps[0], steps[1])


def stop_all(number: int, _: object) -> None:
    """Handles a signal: stops all work, and exits when it is saved."""

    def leave() -> None:
        while RUNNING:
            time.sleep(0.02)
        os._exit(128 + number)

    for stop in tuple(RUNNING):
        stop.set()
    threading.Thread(target=leave, daemon=True).start()


class Output(NamedTuple):
    """What a command printed: its `--json` data and its report in Markdown."""

    data: Any
    report: str
    is_finished: bool


def call_program(arguments: Sequence[str], folder: Path, progress: Progress) -> Output:
    """Runs a command of the program in a folder. It is interrupted, so that it saves its work, when
    `progress` raises `Stopped`.

    Raises:
        ToolError: with the program's sentence, if the command fails.
        Stopped: if it was interrupted and printed no result.
    """
    with tempfile.TemporaryDirectory() as work, open(Path(work, "out"), "w+b") as out:
        report = Path(work, "report.md")
        words = [*PROGRAM, *arguments, "--json", f"--export-markdown={report}"]
        code, said = _watch(words, folder, out, progress)
        out.seek(0)
        printed = out.read().decode()
        if code == 0 or (code == 130 and printed):
            text = report.read_text("utf-8") if report.exists() else ""
            return Output(
                json.loads(printed), text.partition("<!-- exported")[0].strip(), code == 0
            )
    if code == 130:
        raise Stopped
    raise ToolError(_sentence(said) or f"`{arguments[0]}` failed with status {code}")


_SEQUENCE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
_STEPS = re.compile(rb"\s([\d,]+)/([\d,]+) [a-z]+, ")


def _watch(words: list[str], folder: Path, out: Any, progress: Progress) -> tuple[int, str]:
    """Runs a process to its end; returns its status and the end of its standard error. The program shows
    its progress on a terminal only, so standard error is one."""
    import fcntl
    import select
    import struct
    import termios

    terminal, its_end = os.openpty()
    said, stopped_at = b"", 0.0
    try:
        fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 240, 0, 0))
        try:
            process = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=its_end,
                start_new_session=True,
                env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
            )
        finally:
            os.close(its_end)
        while True:
            is_over = process.poll() is not None
            if select.select([terminal], [], [], 0 if is_over else 0.1)[0]:
                try:
                    said = (said + os.read(terminal, 65536))[-65536:]
                except OSError:  # All ends are closed.
                    break
            elif is_over:
                break
            found = _STEPS.findall(said)
            steps = (int(number.replace(b",", b"")) for number in found[-1]) if found else (0, 0)
            try:
                progress(*steps)
            except Stopped:
                if not stopped_at:
                    stopped_at = time.monotonic()
                    process.send_signal(signal.SIGINT)
                elif time.monotonic() > stopped_at + GRACE:
                    process.kill()
        process.wait()
    finally:
        os.close(terminal)
    return process.returncode, _SEQUENCE.sub(b"", said).decode(errors="replace")


def _sentence(said: str) -> str:
    """The message in the program's standard error, without its name, bars and usage."""
    lines = [line for line in re.split(r"[\r\n]+", said) if line and not line.startswith("[")]
    starts = [i for i, line in enumerate(lines) if re.match(r"(parlour|error): ", line)]
    text = " ".join(lines[starts[-1] :] if starts else lines)
    return re.sub(r"^(parlour|error): ", "", text.partition(" Usage: ")[0]).strip()
