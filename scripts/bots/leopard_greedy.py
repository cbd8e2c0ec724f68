"""A greedy bot for Leopard: maximizes the gain of its own square less that of the opponent's.

    parlour check-bot --game leopard -- python3 scripts/bots/leopard_greedy.py
"""
import json
import random
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
RED = "HD"


def value(square, rules):
    """Value of the lines of a square; a cell is a suit, or `.` if it is open."""
    total = 0
    for line in LINES:
        suits = {square[cell] for cell in line}
        if "." in suits:
            continue
        if len(suits) == 1:
            total += rules["suit_line"]
        elif len({suit in RED for suit in suits}) == 1:
            total += rules["color_line"]
    return total


def gain(move, squares, rules):
    """Gain of a move for the own square less that for the other: `3H o5` lays the three of hearts on
    cell 5 of the own square, `3H x5` on the other's, `3H -` discards it."""
    if move in ("knock", "end"):
        return 0
    card, where = move.split()
    if where == "-":
        # Jacks, queens and kings are worth keeping.
        return -0.1 if card[0] in "JQK" else 0
    side, cell = where[0], int(where[1]) - 1
    before = squares[side]
    # A jack or a queen lies face down and makes the cell open.
    laid = "." if card[0] in "JQ" else card[1]
    after = before[:cell] + laid + before[cell + 1:]
    change = value(after, rules) - value(before, rules)
    return change + 0.01 if side == "o" else -change - 0.01


def choose(message, start, dice):
    view, moves = message["view"], message["moves"]
    own = start["seat"]
    squares = {side: view["squares"][seat].replace("/", "") for side, seat in (("o", own), ("x", 1 - own))}
    if "knock" in moves and view["values"][own] > view["values"][1 - own] + 1:
        return moves.index("knock")
    worth = [gain(move, squares, start["rules"]) - 99 * (move == "knock") for move in moves]
    best = max(worth)
    return dice.choice([index for index, w in enumerate(worth) if w == best])


def main():
    start, dice = None, None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"protocol": 1, "name": "greedy.py", "games": ["leopard"]}
        elif message["type"] == "start":
            start, dice = message, random.Random(message["seed"])
            continue
        elif message["type"] == "choose":
            answer = {"index": choose(message, start, dice)}
        elif message["type"] == "bye":
            break
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
