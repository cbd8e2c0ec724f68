#!/usr/bin/env python3
"""A leaderboard, in Markdown, of finished studies and tournaments with chat players.

    scripts/leaderboard.py results/science-* results/league > leaderboard.md

A row has a player's score with its 95 % interval, its calibration, and the tokens of its transcripts. Studies of
the same cases share a table. Transcripts are found by the `--transcript` of the player's command.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Row = dict[str, str]


def read_csv(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def option(spec: dict[str, Any], name: str) -> str | None:
    """An option in the command of a bot; None if it has none."""
    words = spec.get("command", [])
    return words[words.index(name) + 1] if name in words[:-1] else None


def use(spec: dict[str, Any]) -> list[str]:
    """Model, tokens and random moves of a player."""
    model, folder = option(spec, "--model"), option(spec, "--transcript")
    if model is None or folder is None:
        return [model or "–", "–", "–"]
    totals: dict[str, int] = defaultdict(int)
    for file in sorted(Path(folder).glob("chat-*.jsonl")):
        for text in file.read_text("utf-8").splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue  # The last line of a killed player.
            for name in ("prompt_tokens", "completion_tokens", "random_move"):
                totals[name] += line.get(name, 0)
    tokens = totals["prompt_tokens"] + totals["completion_tokens"]
    return [model, f"{tokens:,}", str(totals["random_move"])] if totals else [model, "–", "–"]


def interval(row: Row, name: str, scale: float = 1, digits: int = 1) -> str:
    ends = [row.get(f"{name}_{end}", "") for end in ("low", "high")]
    value = f"{scale * float(row[name]):.{digits}f}" if row[name] else "–"
    return f"{value} [{', '.join(f'{scale * float(end):.{digits}f}' for end in ends)}]" if all(ends) else value


def calibration(turns: list[Row]) -> str:
    """Of guesses with a probability of at least 50 %: the mean probability, and the share that is right."""
    sure = [row for row in turns if row["guess_right"] and float(row["probability"] or 0) >= 0.5]
    if not sure:
        return "–"
    claimed = sum(float(row["probability"]) for row in sure) / len(sure)
    right = sum(row["guess_right"] == "true" for row in sure) / len(sure)
    return f"{100 * claimed:.0f} → {100 * right:.0f} ({len(sure)})"


def study(folder: Path, manifest: dict[str, Any]) -> tuple[float, list[str]]:
    """The score and the row of a study of rule discovery."""
    *cases, mean = read_csv(folder / "science_summary.csv")
    strategy = manifest["inputs"]["strategy"]
    return float(mean["score"]), [
        f"[{strategy['name']}]({folder / 'report.html'})",
        interval(mean, "score"),
        interval(mean, "solved", 100),
        f"{float(mean['brier']):.3f}" if mean["brier"] else "–",
        calibration(read_csv(folder / "science.csv")),
        f"{len(cases)}",
        f"{sum(bool(row['fault']) for row in cases)}",
        *use(strategy["resolved"]),
    ]


def tournament(folder: Path, manifest: dict[str, Any]) -> list[list[str]]:
    """The rows of a tournament, the best player of each variant first."""
    specs = {it["name"]: it["strategy"] for it in manifest["experiment"]["strategies"]}
    rows = read_csv(folder / "strategies.csv")
    return [
        [
            row["variant"],
            row["strategy"],
            interval(row, "rating", digits=0),
            interval(row, "score", 100),
            row["hands"],
            row["faults"],
            *use(specs.get(row["strategy"], {})),
        ]
        for row in rows
    ]


def table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main() -> None:
    folders = [Path(word) for word in sys.argv[1:]]
    if not folders or str(folders[0]).startswith("-"):
        sys.exit((__doc__ or "").strip())
    manifests = []
    for folder in folders:
        try:
            manifests.append(json.loads((folder / "manifest.json").read_text("utf-8")))
        except (OSError, ValueError):
            sys.exit(f"{folder} has no finished study or tournament; name a folder of results")
    studies: dict[str, list[tuple[float, list[str]]]] = defaultdict(list)
    print("# Leaderboard of chat players\n\nBrackets are 95 % intervals.\n")
    for folder, manifest in zip(folders, manifests):
        if manifest.get("protocol") == "science":
            said = manifest["inputs"]["cases"]
            cases = (
                said.get("corpus")
                and f"{said['corpus']} rules, {said['deals']} decks each, seed {manifest['seed']}"
            )
            studies[cases or f"{said['file']}, {said['sha256'][:12]}"].append(study(folder, manifest))
            continue
        experiment = manifest["experiment"]
        print(f"## {experiment['game'].capitalize()}: [{folder.name}]({folder / 'report.html'})\n")
        heads = [
            "variant",
            "player",
            "Elo",
            "score, %",
            "hands",
            "lost by faults",
            "model",
            "tokens",
            "random moves",
        ]
        print(table(heads, tournament(folder, manifest)))
    for cases, rows in studies.items():
        print(f"## Discovery of Eleusis rules: {cases}\n")
        heads = [
            "player",
            "score of 30",
            "found, %",
            "Brier score",
            "claimed → right, % (guesses)",
            "cases",
            "lost by faults",
            "model",
            "tokens",
            "random moves",
        ]
        print(table(heads, [row for _, row in sorted(rows, key=lambda it: -it[0])]))


if __name__ == "__main__":
    main()
