"""Answers of the MCP server's tools: a sentence, its intervals, what would change it, and the data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from typing_extensions import TypedDict

LIMIT = 6_000
"""Most characters of JSON in an answer; larger tables are left out, and come one at a time."""

TABLE_LIMIT = 100_000
"""Most characters of a table that was asked for by name."""


class Interval(TypedDict):
    """An estimate with its 95 % interval; the ends are None if there is none."""

    what: str
    value: float
    low: float | None
    high: float | None
    unit: str


class Answer(TypedDict):
    """The structured part of an answer."""

    sentence: str
    is_finished: bool
    intervals: list[Interval]
    what_would_change_it: str
    folder: str | None
    """Folder or file of the results."""
    data: dict[str, Any]
    """The `--json` output of the command."""
    left_out: dict[str, int]
    """Tables that are too long for `data`, with their numbers of rows; ask for one by `table`."""


Reading = Callable[[Any], "tuple[list[Interval], str]"]
"""Finds the intervals in the data, and what would change the answer."""


def result(
    data: Any,
    report: str,
    reading: Reading,
    *,
    is_finished: bool = True,
    folder: Path | None = None,
    table: str | None = None,
) -> CallToolResult:
    """The answer of a finished command: for the model its report, for programs an `Answer`."""
    intervals, change = reading(data)
    said = data if isinstance(data, dict) else {"items": data}
    paragraphs = [part for part in report.split("\n\n") if part and part[0] not in "#|"]
    if said is data and all(isinstance(rows, list) for rows in said.values()):
        # A listing is tables only.
        paragraphs = [", ".join(f"{len(rows)} {name}" for name, rows in said.items() if rows) + "."]
        report = f"{paragraphs[0]}\n\n{report}"
    first = " ".join(line.removeprefix("- ") for line in "".join(paragraphs[:1]).splitlines())
    sentences = said.get("sentences") or [first]
    if not is_finished:
        change = f"Stopped at the time limit, so that more `seconds` may change it. {change}"
    fitted, left_out = _fit(said, table)
    answer = Answer(
        sentence=" ".join(sentences),
        is_finished=is_finished,
        intervals=intervals,
        what_would_change_it=change,
        folder=None if folder is None else str(folder),
        data=fitted,
        left_out=left_out,
    )
    parts = [report, change, f"Results: {folder}" if folder else ""]
    return _result("\n\n".join(part for part in parts if part), answer)


def unfinished(sentence: str, folder: Path | None) -> CallToolResult:
    """The answer of a command that was stopped before it had a result."""
    answer = Answer(
        sentence=sentence,
        is_finished=False,
        intervals=[],
        what_would_change_it="More time: repeat the call.",
        folder=None if folder is None else str(folder),
        data={},
        left_out={},
    )
    return _result(sentence, answer)


def _result(text: str, answer: Answer) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(answer)
    )


def _fit(data: dict[str, Any], table: str | None) -> tuple[dict[str, Any], dict[str, int]]:
    """The data without the tables that are too long, and their numbers of rows."""
    inner = data.get("run")  # The run that confirms tuned rules.
    if isinstance(inner, dict):
        fitted, left = _fit(inner, table)
        return {**data, "run": fitted}, left
    tables = {k: v for k, v in data.items() if isinstance(v, list) and v and isinstance(v[0], dict)}
    if table is not None:
        if table not in tables:
            known = ", ".join(tables) or "none"
            raise ToolError(f"this answer has no table `{table}`; its tables: {known}")
        rows = tables[table]
        while len(json.dumps(rows)) > TABLE_LIMIT:
            rows = rows[: len(rows) // 2]
        left = {k: len(v) for k, v in tables.items() if k != table}
        if len(rows) < len(tables[table]):
            left[table] = len(tables[table]) - len(rows)
        return {**{k: v for k, v in data.items() if k not in tables}, table: rows}, left
    data, left = dict(data), {}
    sizes = {k: len(json.dumps(v)) for k, v in tables.items()}
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if len(json.dumps(data)) <= LIMIT:
            break
        left[name] = len(data.pop(name))
    return data, left


def of_nothing(_: Any) -> tuple[list[Interval], str]:
    """Rules and lists: nothing is estimated."""
    return [], ""


def of_run(data: Any) -> tuple[list[Interval], str]:
    """Matches, comparisons, sweeps, tournaments and experiments."""
    data = data.get("run", data)
    rows, deals = data["answer"], data["deals"]
    intervals = []
    for row in rows:
        estimate = (row["change"], row["change_low"], row["change_high"])
        relation = "compared with"
        if estimate[0] is None or row["figure"] == "score":
            estimate = (row["subject_value"], row["subject_value_low"], row["subject_value_high"])
            relation = "against"
        what = f"{row['figure']}: {row['subject']}"
        what += f" {relation} {row['reference']}" if row["reference"] else ""
        what += f", players {row['players']}" if row.get("players") else ""
        what += f", under {row['variant']}" if row["variant"] else ""
        intervals.append(_interval(what, estimate, row["unit"]))
    few = [row for row in rows if row["conclusion"] == "not_enough_deals"]
    if not few:
        change = (
            f"More than {deals:,} deals would only narrow the intervals; other players or other rules "
            "may give another answer."
        )
    elif needed := max((row["deals_needed"] or 0 for row in few), default=0):
        # Two digits are as many as the estimate deserves.
        scale = 10 ** max(0, len(str(needed)) - 2)
        needed = -(-needed // scale) * scale
        change = (
            f"Undecided with {deals:,} deals. About {needed:,} would decide it: repeat the call with "
            f"deals={needed}."
        )
    else:
        change = f"Undecided with {deals:,} deals: repeat the call with more."
    lost = {row["strategy"]: row["faults"] for row in data.get("strategies", []) if row["faults"]}
    if lost:
        who = ", ".join(f"`{name}` {count}" for name, count in lost.items())
        change += f" Hands lost by failures of a player: {who}; repair it first."
    return intervals, change


def of_tuning(data: Any) -> tuple[list[Interval], str]:
    """Tuned strategies and rules."""
    if "run" in data:
        intervals, change = of_run(data)
        return intervals, change.replace("deals=", "confirm=")
    gain = _estimate("gain in score on fresh deals", data["gain"], "share of the win")
    value, low, high = gain["value"], gain["low"], gain["high"]
    if low is None or high is None or low > 0:
        return [gain], "The gain is confirmed; other opponents or rules may show another."
    deals = data["fresh_deals"]
    needed = (
        f"about confirm={int(deals * ((high - low) / 2 / value) ** 2) + 1}" if value > 0 else "more"
    )
    return [
        gain
    ], f"No gain is shown with {deals:,} fresh deals: {needed} deals to confirm, or more to search."


def of_advice(data: Any) -> tuple[list[Interval], str]:
    """Evaluated moves."""
    unit = "chance to win" if data.get("is_chance") else "mean reward"
    rows = data["moves"] if data["iterations"] else []
    intervals = [
        _interval(it["move"], (it["value"], it["low"], it["high"]), unit) for it in rows[:8]
    ]
    if compared := data.get("compared"):
        loss, half = compared["best"] - compared["played"], compared["half_width"]
        intervals.insert(0, _interval("loss", (loss, loss - half, loss + half), "chance to win"))
        return (
            intervals,
            "A strategy with more playouts would narrow the loss. `?!`, `?` and `??` mark a clear loss of 2, 5 "
            "and 10 percentage points.",
        )
    if not rows:
        return (
            [],
            "A strategy that searches would give values with intervals; this one has rules of thumb.",
        )
    if data["as_good"] > 1:
        change = (
            f"No clear difference between {data['as_good']} moves with {data['iterations']:,} playouts; "
            "a strategy with more playouts may show one."
        )
    else:
        change = "The best move is clear of the others; only another evaluation would change it."
    return intervals, change


def of_review(data: Any) -> tuple[list[Interval], str]:
    """The losses of players."""
    losses = [(player["player"], player["groups"][0]["loss"]) for player in data["players"]]
    intervals = [
        _estimate(f"loss of {name} per decision", loss, "chance to win")
        for name, loss in losses
        if loss
    ]
    return intervals, (
        f"More hands (here {data['hands']}) narrow the intervals, which are over deals; a stronger judge "
        f"than {data['strategy']} may see other mistakes."
    )


def of_study(data: Any) -> tuple[list[Interval], str]:
    """A study of rule discovery."""
    named = (("score", "points"), ("solved", "share of the cases"))
    intervals = [_estimate(name, data[name], unit) for name, unit in named if data[name]]
    return intervals, (
        f"More decks of each rule (`deals`) narrow the intervals, here of {data['means']['cases']} cases; "
        "other rules may be harder."
    )


def _estimate(what: str, estimate: Any, unit: str) -> Interval:
    low, high = estimate.get("interval") or (None, None)
    return _interval(what, (estimate["value"], low, high), unit)


def _interval(what: str, estimate: tuple[float, Any, Any], unit: str) -> Interval:
    # The digits of the program's JSON.
    value, low, high = (None if x is None else float(f"{x:.12g}") for x in estimate)
    assert value is not None
    return Interval(what=what, value=value, low=low, high=high, unit=unit)
