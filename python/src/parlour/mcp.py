"""An MCP server whose tools are the commands of the program. `parlour-mcp --folder FOLDER` starts it on
standard input and output; it needs `pip install 'parlour[mcp]'`."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union

import parlour

from . import arguments

try:
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as error:
    raise ImportError("the MCP server needs the package mcp: pip install 'parlour[mcp]'") from error
import anyio
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from . import mcp_answer as answer
from .mcp_answer import Answer
from .mcp_program import Done, Output, Progress, bounded, call_program, stop_all

INSTRUCTIONS = """\
parlour plays card and board games (leopard, leapfrog, eleusis) against itself and measures rules and \
players. Each answer has a sentence, 95 % intervals, and what would change it. Begin with `list` and \
`rules`. Results go into folders; the same call continues an unfinished run, and one with more deals \
extends a finished run."""

Game = Annotated[str, Field(description="Game: " + ", ".join(parlour.games()))]
Name = Annotated[str, Field(description="A name from `list`, or a file in the folder")]
Variant = Annotated[
    Union[str, dict[str, Any]],
    Field(
        description='A name from `list`, a file, or changes such as {"name": "nine", "base": "revised", "knock_at": 9}'
    ),
]
Player = Annotated[
    Union[str, dict[str, Any]],
    Field(
        description='A name from `list`, a file, or changes such as {"name": "quick", "base": "ismcts-250", "budget": {"iterations": 50}}'
    ),
]
Experiment = Annotated[
    Union[str, dict[str, Any]],
    Field(
        description='A name from `list`, a file, or an experiment such as {"game": "leopard", "variants": ["revised"], "strategies": ["greedy", "steady"], "deals": 500}'
    ),
]
Deals = Annotated[int, Field(ge=1, le=1_000_000, description="Deals to play, at most 1,000,000")]
Seed = Annotated[int, Field(ge=0, description="Random seed")]
Seconds = Annotated[
    float, Field(gt=0, le=3600, description="Time limit, at most 3600; finished work is kept")
]
Out = Annotated[
    Union[str, None],
    Field(description="Folder for the results; by default one named after the arguments"),
]
TableName = Annotated[Union[str, None], Field(description="Return this table of `left_out`")]
Reply = Annotated[CallToolResult, Answer]
Call = Context[Any, Any]
T = TypeVar("T")


class Server(MCPServer[Any]):
    """An MCP server that reads and writes in one folder only."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        super().__init__(
            "parlour", instructions=INSTRUCTIONS, version=parlour.__version__, log_level="WARNING"
        )
        self.folder = folder.resolve()
        self.threads = threads
        # A call waits for a cancelled one that is saving its work in the same folder.
        self.places: dict[Path, anyio.Lock] = {}
        reading = (self.list_names, self.rules, self.advise, self.review, self.report)
        playing = (self.match, self.compare, self.sweep, self.tournament, self.tune, self.science)
        for tool in (*reading, self.run_experiment, *playing):
            hints = ToolAnnotations(
                read_only_hint=tool in reading,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            )
            name = tool.__name__.partition("_")[0]
            about = " ".join((tool.__doc__ or "").split())
            self.add_tool(tool, name=name, description=about, annotations=hints)

    async def call_tool(self, name: str, arguments: dict[str, Any], *rest: Any, **more: Any) -> Any:
        """Calls a tool; its failures are answers with the plain sentence."""
        try:
            tools = {tool.name: tool.input_schema for tool in await self.list_tools()}
            known = tools.get(name, {}).get("properties", arguments)
            if unknown := [word for word in arguments if word not in known]:
                raise ToolError(
                    f"`{name}` has no argument `{unknown[0]}`; it has {', '.join(known)}"
                )
            return await super().call_tool(name, arguments, *rest, **more)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                faults = [(".".join(map(str, it["loc"])), it["msg"]) for it in cause.errors()]
                text = "; ".join(f"`{where}`: {what}" for where, what in faults)
            else:
                text = str(cause if isinstance(cause, ToolError) else error)
            return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)

    async def list_names(
        self,
        context: Call,
        what: Literal["games", "variants", "strategies", "experiments"] | None = None,
    ) -> Reply:
        """Lists games, variants (rule sets), strategies (players) or experiments, each in a sentence."""
        return await self._command(
            context, 30, ["list", *([what] if what else [])], answer.of_nothing
        )

    async def rules(self, context: Call, game: Game, variant: Name | None = None) -> Reply:
        """Explains how a game is played, and which rules a variant can change within which range."""
        words = ["rules", *self._names(game, variant)]
        return await self._command(context, 30, words, answer.of_nothing)

    async def run_experiment(
        self,
        context: Call,
        experiment: Experiment,
        deals: Deals | None = None,
        seed: Seed | None = None,
        records: Annotated[bool, Field(description="Keep the hands, for `review`")] = False,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Runs an experiment: a name, a file, or an object with `game`, `variants`, `strategies` and
        `deals`. All pairs of strategies play under each variant on the same deals."""
        place = self._place("run", out, experiment, seed, records, *([deals] if records else []))
        return await self._play(
            context,
            "run",
            seconds,
            place,
            table,
            lambda how: parlour.run(experiment, deals=deals, seed=seed, records=records, **how),
        )

    async def match(
        self,
        context: Call,
        game: Game,
        strategies: Annotated[list[Player], Field(description="One for each seat")],
        variant: Variant | None = None,
        deals: Deals = 1000,
        seed: Seed = 1,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Plays strategies against each other: which is stronger? Every deal is played from all seats."""
        place = self._place("match", out, game, strategies, variant, seed)
        return await self._play(
            context,
            "match",
            seconds,
            place,
            table,
            lambda how: parlour.match(
                game, *strategies, variant=variant, deals=deals, seed=seed, **how
            ),
        )

    async def compare(
        self,
        context: Call,
        game: Game,
        variants: list[Variant],
        strategies: Annotated[list[Player], Field(description="Players; one alone plays itself")],
        deals: Deals = 1000,
        seed: Seed = 1,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Compares variants of the rules on the same deals: balance of the seats, draws, length and more.
        The first variant is the reference."""
        place = self._place("compare", out, game, variants, strategies, seed)
        return await self._play(
            context,
            "compare",
            seconds,
            place,
            table,
            lambda how: parlour.compare(
                game, *variants, strategies=strategies, deals=deals, seed=seed, **how
            ),
        )

    async def sweep(
        self,
        context: Call,
        game: Game,
        field: Annotated[str, Field(description="A rule from `rules`, or STRATEGY.FIELD")],
        values: Annotated[str, Field(description="A range 4..10 or 0..1:0.1, or a list 5,7,9")],
        strategies: list[Name],
        variant: Name | None = None,
        deals: Deals = 1000,
        seed: Seed = 1,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Changes one rule, or one field of a strategy, over a range, on the same deals."""
        variant = variant or next(iter(parlour.variants(self._names(game)[0])))
        place = self._place("sweep", out, game, field, values, strategies, variant, seed)
        words = ["sweep", *self._names(game, variant, f"{field}={values}")]
        words += [
            f"--strategies={','.join(self._names(*strategies))}",
            f"--deals={deals}",
            f"--seed={seed}",
        ]
        return await self._command(context, seconds, words, answer.of_run, place, table)

    async def tournament(
        self,
        context: Call,
        game: Game,
        strategies: Annotated[list[Name], Field(description="At least two players")],
        variant: Name | None = None,
        anchor: Annotated[str | None, Field(description="Fixes a rating, as in greedy=0")] = None,
        deals: Deals = 1000,
        seed: Seed = 1,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Rates several players in a round-robin: a cross table and Elo ratings with intervals."""
        place = self._place("tournament", out, game, strategies, variant, anchor, seed)
        words = [
            "tournament",
            *self._names(game, *strategies),
            f"--deals={deals}",
            f"--seed={seed}",
        ]
        words += [f"--variant={name}" for name in self._names(variant)]
        words += [f"--anchor={anchor}"] if anchor else []
        return await self._command(context, seconds, words, answer.of_run, place, table)

    async def tune(
        self,
        context: Call,
        game: Game,
        name: Annotated[str, Field(description="Strategy to tune, or with `objective` a variant")],
        values: Annotated[
            dict[str, str] | None, Field(description='Values to try, as in {"knock_at": "5,6,7"}')
        ] = None,
        objective: Annotated[
            str | None, Field(description="Tunes rules, as in first_seat_score=0.5,turns=min")
        ] = None,
        strategies: Annotated[
            list[Name] | None, Field(description="Players, with `objective`")
        ] = None,
        against: Annotated[Name | None, Field(description="Opponent of a tuned strategy")] = None,
        deals: Annotated[
            int | None, Field(ge=64, le=1_000_000, description="Deals to search with")
        ] = None,
        confirm: Annotated[
            int | None, Field(ge=2, le=1_000_000, description="Fresh deals to confirm")
        ] = None,
        seed: Seed = 1,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Tunes a strategy's fields by self-play, or rules for an objective, and confirms the gain on fresh
        deals. This takes minutes: repeat the call until it is finished."""
        place = self._place(
            f"tune-{name}", out, game, values, objective, strategies, against, deals, confirm, seed
        )
        if objective is None:
            place = place.with_suffix(".json")
            if place.is_file():
                raise ToolError(
                    f"{self._shown(place)} is this tuned strategy already; `match` plays with it"
                )
        ranges = [f"{field}={text}" for field, text in (values or {}).items()]
        # A variant has the name of its game nowhere else; a strategy may exist in several games.
        words = [
            "tune",
            *self._names(*([] if objective else [game]), name, *ranges),
            f"--seed={seed}",
        ]
        options = {"objective": objective, "deals": deals, "confirm": confirm}
        options["strategies"] = ",".join(self._names(*strategies)) if strategies else None
        options["against"] = ",".join(self._names(against)) or None
        words += [f"--{option}={value}" for option, value in options.items() if value is not None]
        return await self._command(context, seconds, words, answer.of_tuning, place, table)

    async def advise(
        self,
        context: Call,
        position: Annotated[
            Union[str, dict[str, Any]],
            Field(
                description='A position file, or an object. Short form in leopard: {"game": "leopard", '
                '"hand": ["AS", "3H"], "own": [null, "2H", …9 cells], "other": […], "gone": ["QS"]}'
            ),
        ],
        strategy: Name | None = None,
        move: Annotated[str | None, Field(description="Compare this move with the best")] = None,
        seed: Seed = 1,
        seconds: Seconds = 45,
    ) -> Reply:
        """Evaluates the legal moves of a position, as the seat to move sees it."""
        options = [f"--strategy={name}" for name in self._names(strategy)]
        options += [f"--seed={seed}", *([f"--move={move}"] if move is not None else [])]
        if isinstance(position, str):
            words = ["advise", *self._names(position), *options]
            return await self._command(context, seconds, words, answer.of_advice)
        self._check(position.get("variant"))
        with tempfile.TemporaryDirectory() as work:
            file = Path(work, "position.json")
            file.write_text(json.dumps(position), "utf-8")
            words = ["advise", str(file), *options]
            try:
                return await self._command(context, seconds, words, answer.of_advice)
            except ToolError as error:
                raise ToolError(str(error).replace(str(file), "position")) from None

    async def review(
        self,
        context: Call,
        records: Annotated[
            str, Field(description="A file records.jsonl, of `run` with records=true")
        ],
        player: Annotated[str | None, Field(description="Judge only this player")] = None,
        strategy: Annotated[Name | None, Field(description="The judge")] = None,
        hands: Annotated[
            int, Field(ge=1, le=10_000, description="Review at most the first hands")
        ] = 10,
        seconds: Seconds = 45,
        table: TableName = None,
    ) -> Reply:
        """Finds the moves that cost players most. A hand takes about a second of one core."""
        words = ["review", *self._names(records), f"--hands={hands}"]
        words += [f"--strategy={name}" for name in self._names(strategy)]
        words += [f"--player={player}"] if player is not None else []
        return await self._command(context, seconds, words, answer.of_review, None, table)

    async def science(
        self,
        context: Call,
        strategy: Name = "bayes",
        corpus: Literal["training", "test", "all", "plain-text"] = "test",
        deals: Annotated[
            int, Field(ge=1, le=100, description="Decks for each rule, at most 100")
        ] = 1,
        seed: Seed = 1,
        seconds: Seconds = 45,
        out: Out = None,
        table: TableName = None,
    ) -> Reply:
        """Measures how well a strategy discovers secret Eleusis rules on its own. A study that is stopped
        reports its finished cases; it cannot be continued."""
        place = self._place("science", out, strategy, corpus, deals, seed)
        words = ["science", f"--corpus={corpus}", f"--deals={deals}", f"--seed={seed}"]
        words += [f"--strategy={name}" for name in self._names(strategy)]
        return await self._command(context, seconds, words, answer.of_study, place, table)

    async def report(self, context: Call, folder: str, table: TableName = None) -> Reply:
        """Reads a finished run again: its answer, its tables and the path of its page, report.html."""
        place = self._check(folder)

        def work(_: Progress) -> parlour.Result:
            return _plainly(lambda: parlour.read(place))

        done = await bounded(context, 60, work)
        assert done.result is not None
        return self._result(done.result, place / "report.html", table)

    async def _play(
        self,
        context: Call,
        command: str,
        seconds: float,
        place: Path,
        table: str | None,
        play: Callable[[dict[str, Any]], parlour.Result],
    ) -> CallToolResult:
        """Plays a run of the Python package; its folder is continued."""

        def work(progress: Progress) -> parlour.Result:
            how = {"threads": self.threads, "out": place, "resume": True, "progress": progress}
            return _plainly(lambda: play(how))

        done = await self._bounded(context, seconds, place, work)
        if done.result is None:
            return self._unfinished(command, seconds, f"{done.steps:,} of {done.of:,} hands", place)
        return self._result(done.result, place, table)

    async def _bounded(
        self, context: Call, seconds: float, place: Path | None, work: Callable[[Progress], T]
    ) -> Done[T]:
        if place is None:
            return await bounded(context, seconds, work)
        async with self.places.setdefault(place, anyio.Lock()):
            return await bounded(context, seconds, work)

    def _result(self, result: parlour.Result, place: Path, table: str | None) -> CallToolResult:
        data = {"deals": result.deals, "early": result.early, "question": result.question}
        data |= {"sentences": result._summary.sentences}
        data |= {name: [_row(row) for row in result.table(name).rows()] for name in result.tables}
        return answer.result(
            data, str(result), answer.of_run, folder=self._shown(place), table=table
        )

    async def _command(
        self,
        context: Call,
        seconds: float,
        words: list[str],
        reading: answer.Reading,
        place: Path | None = None,
        table: str | None = None,
    ) -> CallToolResult:
        """Runs a command of the program; its folder or file `place` is continued."""
        command = words[0]
        if place is not None:
            words = [*words, f"--out={place}", "--replace" if command == "science" else "--resume"]
        if self.threads is not None and command not in ("list", "rules", "advise"):
            words = [*words, f"--threads={self.threads}"]

        def work(progress: Progress) -> Output:
            return call_program(words, self.folder, progress)

        done = await self._bounded(context, seconds, place, work)
        if done.result is None:
            steps = f"{done.steps:,} of {done.of:,} steps" if done.of else "the start"
            return self._unfinished(command, seconds, steps, place)
        data, report, is_finished = done.result
        shown = self._shown(place) if place is not None else None
        return answer.result(
            data, report, reading, is_finished=is_finished, folder=shown, table=table
        )

    def _unfinished(
        self, command: str, seconds: float, steps: str, place: Path | None
    ) -> CallToolResult:
        text = f"Not finished after {steps}: the time limit of {seconds:g} seconds is over. "
        if place is None or command == "science":
            return answer.unfinished(text + "Ask for less, or give more `seconds`.", None)
        text += "Finished work is saved; repeat the call to continue."
        return answer.unfinished(text, self._shown(place))

    def _shown(self, place: Path) -> Path:
        """A path relative to the server's folder."""
        return place.relative_to(self.folder)

    def _check(self, path: Any) -> Path:
        """The path, which must lie in the server's folder. Names of variants and the like always do."""
        try:
            place = (self.folder / str(path)).resolve()
        except (ValueError, OSError):
            raise ToolError(f"{path!r} is not a path") from None
        if not place.is_relative_to(self.folder):
            raise ToolError(
                f"{path} is outside of the server's folder {self.folder}; name a path in it"
            )
        return place

    def _names(self, *names: str | None) -> list[str]:
        """Words of a command line: names or paths in the folder; None is left out."""
        given = [name for name in names if name is not None]
        for name in given:
            if name.startswith("-") or not name:
                raise ToolError(f"`{name}` is not a name or a path")
            self._check(name)
        return given

    def _place(self, command: str, out: str | None, *said: Any) -> Path:
        """The folder for results: `out`, or one for these arguments and the files that they name. The number
        of deals is not among them, so that a run can be extended."""
        named = {}
        for text in _texts(said):
            file = self._check(text)
            if len(text) < 256 and file.is_file():
                named[text] = file.read_text("utf-8", "replace")
        if out is not None:
            place = self._check(out)
            if place == self.folder:
                raise ToolError("`out` is the server's folder itself; name a folder in it")
            return place
        source = json.dumps([command, parlour.fingerprint(), said, named], sort_keys=True)
        key = hashlib.sha256(source.encode()).hexdigest()[:8]
        name = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in command)
        return self.folder / "runs" / f"{name}-{key}"


def _texts(value: Any) -> Iterator[str]:
    """All texts in plain objects. A bot's command is refused: files may hold one, a caller may not."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        if "command" in value:
            raise ToolError(
                "a tool does not start programs; put the bot's strategy file into the folder, and name it"
            )
        for it in value.values():
            yield from _texts(it)
    elif isinstance(value, (list, tuple)):
        for it in value:
            yield from _texts(it)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table with 12 digits, as in the program's `--json`."""
    return {k: float(f"{v:.12g}") if isinstance(v, float) else v for k, v in row.items()}


def _plainly(work: Callable[[], T]) -> T:
    """Runs work of the Python package; its errors become the tool's."""
    try:
        return work()
    except parlour.Error as error:
        raise ToolError(str(error)) from None


def main() -> None:
    """Starts the server."""
    parser = argparse.ArgumentParser(prog="parlour-mcp", description="MCP server of parlour.")
    parser.add_argument(
        "--folder", type=Path, required=True, help="The only folder that is read and written"
    )
    parser.add_argument("--threads", type=int, help="Number of worker threads [default: all cores]")
    said = parser.parse_args()
    if not said.folder.is_dir():
        parser.error(f"{said.folder} is not a folder; create it first")
    try:
        arguments.threads(said.threads)
    except parlour.InputError as error:
        parser.error(str(error))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop_all)
    # Relative paths in experiments and strategy files begin there.
    os.chdir(said.folder)
    Server(Path.cwd(), said.threads).run("stdio")


if __name__ == "__main__":
    main()
