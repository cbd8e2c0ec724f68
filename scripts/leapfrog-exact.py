#!/usr/bin/env python3
"""Solves Leap Frog: larger boards, long rows, coloured boards, losses of strong players, certificates, and
a page with the results.

Usage: scripts/leapfrog-exact.py [--parlour PROGRAM] [--out FOLDER] [--long] [--memory MB] [--page]

Writes boards.csv, switched.csv, coloured.csv, play.csv, certificates/ and report.html into the folder of
values.csv, which the lab writes. Boards that a table already contains are skipped. --long adds boards
that take more than a minute, half an hour in all; a killed search resumes. --page only writes the page.
"""

import argparse
import csv
import html
import itertools
import json
import math
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
SEED = 1963
COLOURINGS = 20
# Boards that take more than a minute; like coloured boards of 25 cells, they need --long.
LONG = [(3, 11), (3, 12), (4, 8), (4, 9), (5, 7), (6, 6)]
BOARDS = (
    [(1, n) for n in range(1, 61)]
    + [(2, n) for n in range(2, 19)]
    + [(3, n) for n in range(3, 11)]
    + [(4, n) for n in range(4, 8)]
    + [(5, 5), (5, 6)]
)
# Committed certificates; `parlour solve --certificate` makes the others.
CERTIFIED = [(1, 44), (2, 18), (3, 8), (4, 4), (4, 5), (4, 6), (5, 5)]
COLOURED = [(4, 5), (5, 5)]
# Rules that a variant can switch: single leaps, diagonal leaps, second seat leaps first. All combinations
# but the plain one.
SWITCHES = [switches for switches in itertools.product(["optional", "single"], [False, True], [False, True])
            if switches != ("optional", False, False)]
SWITCHED = ([(1, n) for n in range(1, 19)] + [(2, n) for n in range(2, 19)] + [(3, n) for n in range(3, 9)]
            + [(4, n) for n in range(4, 7)] + [(5, 5)])
SWITCHED_LONG = [(3, 9), (3, 10), (4, 7), (5, 6)]
# Boards on which strategies are measured: number of hands of each against itself.
PLAYED = [("mini-4x5", 40), ("mini-5x5", 20), ("murray-mini-4x4", 20)]
PLAYERS = ["champion", "careful", "greedy", "random"]
# The 97.5 % quantile of Student's t for n - 1 degrees of freedom, n = 2, 3, ...; 1.96 beyond.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16,
           2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056,
           2.052, 2.048, 2.045, 2.042]


def run(*arguments):
    done = subprocess.run([OPTIONS.parlour, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def solve(variant, *more):
    return json.loads(run("solve", "leapfrog", variant, "--json", "--memory", OPTIONS.memory, *more))


def read(name):
    place = OPTIONS.out / name
    return list(csv.DictReader(place.open())) if place.exists() else []


def write(name, rows):
    with (OPTIONS.out / name).open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def interval(numbers):
    """Mean and 95 % interval; the unit is the deal."""
    mean, n = statistics.fmean(numbers), len(numbers)
    if n < 2:
        return mean, -math.inf, math.inf
    quantile = STUDENT[n - 2] if n - 2 < len(STUDENT) else 1.96
    half = quantile * statistics.stdev(numbers) / math.sqrt(n)
    return mean, mean - half, mean + half


def boards():
    known = {(int(row["rows"]), int(row["cols"])): row for row in read("boards.csv")}
    wanted = sorted(set(BOARDS + (LONG if OPTIONS.long else [])) | set(known))
    for rows, cols in wanted:
        proof = OPTIONS.out / "certificates" / f"mini-{rows}x{cols}.json"
        certify = (rows, cols) in CERTIFIED
        if (rows, cols) in known and (proof.exists() or not certify):
            continue
        long = (rows, cols) in LONG
        saved = OPTIONS.out / f".{rows}x{cols}.saved"
        more = ["--save", saved] if long else ["--threads", 1]
        if certify:
            proof.parent.mkdir(exist_ok=True)
            more += ["--certificate", proof, "--replace"]
        found = solve(f"mini-{rows}x{cols}", *more)
        if "cells" in found:
            values = found["first_captures"]
            names = [str(place) for place in range(1, cols + 1)]
        else:
            values = [capture["value"] for capture in found["first_captures"]]
            names = [capture["mv"] for capture in found["first_captures"]]
        best = [name for name, value in zip(names, values) if value == found["value"]]
        known[rows, cols] = {
            "rows": rows,
            "cols": cols,
            "value": found["value"],
            "best_count": len(best),
            "best_first_captures": " ".join(best),
            "worst_first_capture_value": min(values),
            "first_capture_values": " ".join(map(str, values)),
            "positions": found.get("positions", ""),
        }
        write("boards.csv", [known[size] for size in sorted(known)])
        saved.unlink(missing_ok=True)
        print(f"{rows} x {cols}: {found['value']:+d}", file=sys.stderr)


def switched():
    """Plain boards under switched rules; slow ones need --long."""
    known = {(int(row["rows"]), int(row["cols"]), *rules(row)): row for row in read("switched.csv")}
    for (rows, cols), switches in itertools.product(
            SWITCHED + (SWITCHED_LONG if OPTIONS.long else []), SWITCHES):
        key = (rows, cols, *switches)
        if key in known:
            continue
        chains, diagonal, second = switches
        variant = OPTIONS.out / ".switched.json"
        variant.write_text(json.dumps({"name": "switched", "base": f"mini-{rows}x{cols}", "chains": chains,
                                       "diagonal": diagonal, "first_to_leap": int(second)}))
        found = solve(variant, "--threads", 1)
        variant.unlink()
        values = [capture["value"] for capture in found["first_captures"]]
        known[key] = {
            "rows": rows,
            "cols": cols,
            "chains": chains,
            "diagonal": str(diagonal).lower(),
            "second_seat_starts": str(second).lower(),
            "value": found["value"],
            "best_count": values.count(found["value"]),
            "worst_first_capture_value": min(values),
            "first_capture_values": " ".join(map(str, values)),
            "positions": found["positions"],
        }
        write("switched.csv", [known[key] for key in sorted(known)])
        print(f"{rows} x {cols} {switches}: {found['value']:+d}", file=sys.stderr)


def rules(row):
    """The rules of a row of switched.csv, as an entry of SWITCHES."""
    return row["chains"], row["diagonal"] == "true", row["second_seat_starts"] == "true"


def coloured():
    known = read("coloured.csv")
    done = {(int(row["rows"]), int(row["cols"]), int(row["colouring"])) for row in known}
    for rows, cols in COLOURED if OPTIONS.long else COLOURED[:1]:
        variant = f"murray-mini-{rows}x{cols}"
        records = OPTIONS.out / ".colourings.jsonl"
        run("match", "leapfrog", "random", "greedy", "--variant", variant, "--deals", COLOURINGS,
            "--seed", SEED, "--records", records, "--replace")
        deals = {}
        for line in records.read_text().splitlines():
            record = json.loads(line)
            deals[record["deal"]] = record["board"]
        records.unlink()
        for colouring, board in sorted(deals.items()):
            if (rows, cols, colouring) in done:
                continue
            found = solve(variant, "--board", board)
            best = found["best_first_captures"]
            at = lambda mv: board.split("/")[int(mv[2:]) - 1][ord(mv[1]) - ord("a")]
            worth = {"w": 1, "y": 2, "r": 3, "g": 4}
            known.append({
                "rows": rows,
                "cols": cols,
                "colouring": colouring,
                "board": board,
                "value": found["value"],
                "best_count": len(best),
                "best_first_captures": " ".join(best),
                "best_takes_most": str(any(worth[at(mv)] == max(map(worth.get, board.replace("/", "")))
                                           for mv in best)).lower(),
                "worst_first_capture_value": min(c["value"] for c in found["first_captures"]),
            })
            write("coloured.csv", known)
            print(f"{variant} {colouring}: {found['value']:+d}", file=sys.stderr)


class Judge:
    """Losses of each turn of recorded hands against perfect play."""

    def __init__(self):
        self.known = {}

    def solved(self, variant, board):
        if (variant, board) not in self.known:
            self.known[variant, board] = solve(variant, "--board", board, "--threads", 1)
        return self.known[variant, board]

    def hand(self, record):
        """Points lost by each seat."""
        variant, lost = record["variant"], [0, 0]
        board = [list(row) for row in record["board"].split("/")]
        text = lambda: "/".join(map("".join, board))
        place = lambda cell: (int(cell[1:]) - 1, ord(cell[0]) - ord("a"))
        worth = {"o": 1, "w": 1, "y": 2, "r": 3, "g": 4}

        def take(row, col):
            points, board[row][col] = worth[board[row][col]], "."
            return points

        whole = self.solved(variant, text())
        first, second, *turns = record["moves"]
        after = next(c["value"] for c in whole["first_captures"] if c["mv"] == first)
        lost[0] += whole["value"] - after
        gained = take(*place(first[1:])) - take(*place(second[1:]))
        value = self.solved(variant, text())["value"]
        lost[1] += gained + value - after
        for number, turn in enumerate(turns):
            cells, points = [place(cell) for cell in turn.split("-")], 0
            for (row, col), (to_row, to_col) in zip(cells, cells[1:]):
                points += take((row + to_row) // 2, (col + to_col) // 2)
                board[to_row][to_col], board[row][col] = board[row][col], "."
            rest = self.solved(variant, text())["value"]
            lost[number % 2] += value - (points - rest)
            value = rest
        return lost


def play():
    rows, judge = [], Judge()
    for variant, deals in PLAYED:
        for player in PLAYERS:
            records = OPTIONS.out / ".play.jsonl"
            # Against itself, so that all positions come from its own play.
            run("match", "leapfrog", player, player, "--variant", variant, "--deals", deals,
                "--seed", SEED, "--records", records, "--replace")
            by_deal, hands, flawless = {}, 0, 0
            for line in records.read_text().splitlines():
                record = json.loads(line)
                lost = judge.hand(record)
                hands += 1
                flawless += sum(points == 0 for points in lost)
                by_deal.setdefault(record["deal"], []).append(statistics.fmean(lost))
            records.unlink()
            mean, low, high = interval([statistics.fmean(deal) for deal in by_deal.values()])
            rows.append({
                "variant": variant,
                "strategy": player,
                "deals": len(by_deal),
                "hands": hands,
                "points_lost": f"{mean:.4f}",
                "points_lost_low": f"{max(low, 0):.4f}",
                "points_lost_high": f"{high:.4f}",
                "flawless": f"{flawless / (2 * hands):.4f}",
            })
            print(f"{variant} {player}: {mean:.2f} points a hand", file=sys.stderr)
    write("play.csv", rows)


def drawn(rows, cols, values, best):
    """A board with its first captures: the best are filled, the others show their values."""
    size, parts = 26, []
    for cell, value in enumerate(values):
        x, y = cell % cols * size, cell // cols * size
        parts.append(f'<rect class="empty" x="{x + 1}" y="{y + 1}" width="{size - 2}" '
                     f'height="{size - 2}" rx="3"/>')
        fill = "mark" if value == best else "mark open"
        parts.append(f'<circle class="{fill}" cx="{x + size / 2}" cy="{y + size / 2}" r="9"/>')
        if value != best:
            parts.append(f'<text x="{x + size / 2}" y="{y + size / 2 + 4}" text-anchor="middle" '
                         f'class="tick">{signed(value)}</text>')
    return svg(cols * size, rows * size, parts, f"First captures on {rows} × {cols}: the filled pieces "
               f"keep the value {signed(best)}, the others leave what they say")


def svg(width, height, parts, label):
    return (f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}px" role="img" '
            f'aria-label="{label}">{"".join(parts)}</svg>')


def strip_chart(strips):
    """The values of rows of n pieces, ten a line: a filled piece where the first seat wins a point."""
    size, left, parts = 30, 52, []
    for n, value in strips.items():
        x, y = left + (n - 1) % 10 * size, (n - 1) // 10 * size
        if n % 10 == 1:
            parts.append(f'<text x="{left - 8}" y="{y + size / 2 + 4}" text-anchor="end" '
                         f'class="tick">{n}–{min(n + 9, max(strips))}</text>')
        parts.append(f'<circle class="{"mark" if value else "mark open"}" cx="{x + size / 2}" '
                     f'cy="{y + size / 2}" r="12"/>')
        parts.append(f'<text x="{x + size / 2}" y="{y + size / 2 + 4}" text-anchor="middle" '
                     f'class="{"inside" if value else "tick"}">{n}</text>')
    ones = listed(n for n, value in strips.items() if value)
    return svg(left + 10 * size, (max(strips) + 9) // 10 * size, parts,
               f"Rows of n pieces: the first seat wins a point where n is {ones}")


def signed(value):
    return "0" if value == 0 else f"{value:+d}".replace("-", "−")


def table(heads, rows):
    cells = lambda tag, row: "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return (f'<div class="wide"><table><thead><tr>{cells("th", heads)}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def listed(numbers):
    return ", ".join(map(str, numbers))


def named(sizes):
    return listed(f"{rows} × {cols}" for rows, cols in sizes) or "none"


def other_rules(plain):
    """A table of boards by rules, with a sentence about it."""
    values = {}
    for row in read("switched.csv"):
        values.setdefault((int(row["rows"]), int(row["cols"])), {})[rules(row)] = int(row["value"])
    switches = sorted({key for each in values.values() for key in each},
                      key=lambda key: (key[2], key[0] == "single", key[1]))
    name = lambda key: " + ".join(word for word, on in zip(
        ["single", "diagonal", "second"], [key[0] == "single", *key[1:]]) if on)
    lines = [[f"{size[0]} × {size[1]}", signed(int(plain[size]["value"]))] +
             [signed(values[size][key]) if key in values[size] else "" for key in switches]
             for size in sorted(values)]
    at = lambda key: {size: each[key] for size, each in values.items() if key in each}
    single, second = at(("single", False, False)), at(("optional", False, True))
    behind = [size for size, value in second.items() if value >= 0]
    return table(["board", "plain", *map(name, switches)], lines), (
        f"Where a turn is one leap, {sum(value == 0 for value in single.values())} of {len(single)} "
        f"boards are worth 0 (the others: {named(size for size, value in single.items() if value)}). "
        f"Where the second seat leaps first, it is ahead by {min(-v for v in second.values() if v < 0)} "
        f"to {max(-v for v in second.values())} points on {len(second) - len(behind)} of {len(second)} "
        f"boards (not on {named(behind)}).")


def page():
    solved = {(int(row["rows"]), int(row["cols"])): row for row in read("boards.csv")}
    strips = {cols: int(row["value"]) for (rows, cols), row in solved.items() if rows == 1}
    last = max(strips)
    ones = [n for n in sorted(strips) if strips[n] == 1]
    conjecture = [1, 5] + list(range(8, last + 1, 4))
    holds = ones == conjecture and all(value in (0, 1) for value in strips.values())
    wide = {size: row for size, row in solved.items() if size[0] > 1}
    level = [size for size, row in wide.items() if int(row["value"]) == 0]
    odd = [f"{rows} × {cols} is {signed(int(row['value']))}" for (rows, cols), row in wide.items()
           if int(row["value"]) != 0]
    colour = read("coloured.csv")
    sentences, answers = [], []
    answers.append(
        f"A row of n pieces is worth +1 to the first seat for n = 1, 5 and the multiples of 4 from 8 "
        f"on, and 0 otherwise: this holds up to n = {last}."
        if holds else
        f"A row of n pieces is worth +1 to the first seat for n = {listed(ones)}, up to n = {last}: "
        f"not just for 1, 5 and the multiples of 4 from 8 on.")
    answers.append(
        f"Of {len(wide)} solved plain boards of two rows and more {len(level)} are worth 0"
        + (f"; {listed(odd)}." if odd else "."))
    rows = []
    for size in COLOURED:
        values = [int(row["value"]) for row in colour if (int(row["rows"]), int(row["cols"])) == size]
        if values:
            mean, low, high = interval(values)
            most = [row["best_takes_most"] == "true" for row in colour
                    if (int(row["rows"]), int(row["cols"])) == size]
            rows.append([f"{size[0]} × {size[1]}", len(values),
                         f"{mean:.2f} [{low:.2f}, {high:.2f}]", signed(min(values)),
                         signed(max(values)), sum(value > 0 for value in values),
                         sum(value < 0 for value in values), sum(most)])
    colours = table(["board", "colourings", "mean value", "least", "most", "won by the first seat",
                     "lost", "a best capture takes a piece worth most"], rows)
    if rows:
        answers.append(
            "Murray's colours favour the first seat: with best play it is ahead by "
            + " and ".join(f"{row[2]} points on {row[0]}" for row in rows)
            + " (mean over colourings, 95 % interval).")
    under, told = other_rules(solved)
    strip_rows = [[f"{start}–{min(start + 9, last)}"] +
                  [f"<b>{signed(strips[n])}</b>" if strips.get(n) else signed(strips.get(n, 0))
                   for n in range(start, min(start + 10, last + 1))]
                  for start in range(1, last + 1, 10)]
    ends = all(solved[1, n]["best_count"] == "2"
               and solved[1, n]["first_capture_values"].split()[0] == "1" for n in ones if n >= 8)
    sentences.append(
        "Where a row of 8 or more is worth +1, the only best first captures are its two ends."
        if ends else "The best first captures of rows are in boards.csv.")
    figures, body = [], []
    for (rows, cols), row in sorted(wide.items()):
        values = list(map(int, row["first_capture_values"].split()))
        value = int(row["value"])
        certificate = OPTIONS.out / "certificates" / f"mini-{rows}x{cols}.json"
        proof = (f'<a href="certificates/{certificate.name}">{certificate.stat().st_size / 1e3:.0f} kB'
                 "</a>" if certificate.exists() else "")
        body.append([f"{rows} × {cols}", signed(value), f"{row['best_count']} of {len(values)}",
                     signed(min(values)), f"{int(row['positions']):,}".replace(",", " ")
                     if row["positions"] else "", proof])
        if min(values) != max(values):
            figures.append(f"<figure><h3>{rows} × {cols}: {signed(value)}</h3>"
                           f"{drawn(rows, cols, values, value)}</figure>")
    plays = [[f"<code>{row['variant']}</code>", f"<code>{row['strategy']}</code>", row["hands"],
              f"{float(row['points_lost']):.2f} [{float(row['points_lost_low']):.2f}, "
              f"{float(row['points_lost_high']):.2f}]", f"{100 * float(row['flawless']):.0f} %"]
             for row in read("play.csv")]
    style = (HERE / "crates/report/src/report/page.css").read_text()
    script = (HERE / "crates/report/src/report/page.js").read_text()
    title = "Leap Frog, solved: exact values of small boards"
    said = "".join(f'<p class="{"answer" if n == 0 else "answer more"}">{html.escape(answer)}</p>'
                   for n, answer in enumerate(answers))
    (OPTIONS.out / "report.html").write_text(f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<meta name="game" content="leapfrog"><meta name="question" content="What is a small board of Leap Frog worth with best play?">
<meta name="answer" content="{html.escape(answers[0])}"><meta name="description" content="Exact values">
<title>{title}</title><style>{style}
table td, table th {{ text-align: right; padding: .15rem .7rem; }}
table td:first-child, table th:first-child {{ text-align: left; }}</style></head><body>
<header><div class="dim">leapfrog · leapfrog-exact-values</div><h1>{title}</h1></header><main>
<section id="answer">{said}
<figure><h3>Rows of n pieces: filled where the first seat wins a point</h3>{strip_chart(strips)}</figure></section>
<p class="dim">The value is the points of the first seat less those of the second with best play, the
first captures counted. Chains optional, the first seat leaps first.</p>
<h2>A row of n pieces</h2>
<p>{html.escape(sentences[0])} Best play brings +1 or 0.</p>
{table(["n"] + [f"+{k}" for k in range(10)], strip_rows)}
<p class="dim">Column +3 of line 11–20 is n = 14.</p>
<h2>Boards of two rows and more</h2>
<p>Best first captures are those after which the value stands; the worst leaves what the fourth column says.</p>
{table(["board", "value", "best first captures", "after the worst", "positions searched", "certificate"], body)}
<h2>Where the first capture matters</h2>
<p>Filled pieces are best first captures; each other says what the board is worth after it. Boards on
which all first captures are alike are left out.</p>
<div class="grid">{"".join(figures)}</div>
<h2>Plain boards under other rules</h2>
<p>{html.escape(told)} The columns say which rules are switched: <i>single</i>: a turn is one leap;
<i>diagonal</i>: leaps go diagonally too; <i>second</i>: the second seat leaps first.</p>
{under}
<h2>Coloured boards</h2>
<p>Colourings in the fixed ratio; the unit of the interval is the colouring.</p>
{colours}
<h2>How good is good play?</h2>
<p>Each strategy plays itself; every turn is compared with the best one. Points lost are of one seat in
one hand; the unit of the interval is the deal. The last column is the share of hands in which a seat
lost nothing.</p>
{table(["board", "strategy", "hands", "points lost a hand", "nothing lost"], plays)}
<h2>How this was made</h2>
<p><code>scripts/leapfrog-exact.py</code> writes all of it; <code>parlour solve leapfrog mini-4x6
--certificate FILE</code> solves one board, and <code>parlour check-certificate FILE</code> proves the
value by the rules alone, without the solver. The tables: <a href="boards.csv">boards.csv</a>,
<a href="coloured.csv">coloured.csv</a>, <a href="play.csv">play.csv</a>, <a href="switched.csv">switched.csv</a>, and
<a href="values.csv">values.csv</a>, which has small boards under other rules too.</p>
</main><script>{script}</script></body></html>
""")


def main():
    if not OPTIONS.page:
        boards()
        play()
        switched()
        coloured()
    page()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parlour", default="parlour")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results/leapfrog-exact-values")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--memory", type=int, default=4096)
    OPTIONS = parser.parse_args()
    main()
