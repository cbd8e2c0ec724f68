"""A greedy bot for Leap Frog: leaps over the most valuable piece, as long as possible.

    parlour check-bot --game leapfrog -- python3 scripts/bots/leapfrog_greedy.py
"""
import json
import random
import sys


def cell(name):
    """Row and column, from 0, of a cell such as `c12`: columns are letters, rows numbers from the top."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def worth(name_or_cell, board):
    row, column = cell(name_or_cell) if isinstance(name_or_cell, str) else name_or_cell
    # Empty cells at the end of a row, and empty rows at the end, may be missing.
    line = board[row] if row < len(board) else ""
    piece = line[column:column + 1] or "."
    return 0 if piece == "." else int(piece)


def gain(move, board):
    """`e5-g5` leaps from e5 to g5 over f5, `xe5` is a first capture of e5, `stop` ends a chain."""
    if move == "stop":
        return 0
    if move.startswith("x"):
        return worth(move[1:], board)
    (row, column), (to_row, to_column) = map(cell, move.split("-"))
    return worth(((row + to_row) // 2, (column + to_column) // 2), board)


def main():
    dice = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"protocol": 1, "name": "greedy.py", "games": ["leapfrog"]}
        elif message["type"] == "start":
            dice = random.Random(message["seed"])
            continue
        elif message["type"] == "choose":
            board = message["view"]["board"]
            gains = [gain(move, board) for move in message["moves"]]
            best = [index for index, points in enumerate(gains) if points == max(gains)]
            answer = {"index": dice.choice(best)}
        elif message["type"] == "bye":
            break
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
