#!/usr/bin/env python3
"""Statistics of players from Eleusis records: strings, prophets, points.

Usage: scripts/eleusis-table.py RECORDS.jsonl...

Prints for each strategy: points a hand; the share of right plays by length, with and without a prophet;
how often it became prophet, after how many right cards, and how many of these prophets were overthrown
by their first verdict or later.

    parlour run eleusis-faith --out faith --records && scripts/eleusis-table.py faith/records.jsonl
"""

import collections
import json
import statistics
import sys

LENGTHS = ["1", "2 to 7", "8 or more"]


class Player:
    def __init__(self):
        self.points = []
        self.plays = collections.Counter()
        self.fates = collections.Counter()
        self.lines = []


def length(cards):
    return LENGTHS[0] if cards == 1 else LENGTHS[1] if cards < 8 else LENGTHS[2]


def hear(players, hand):
    """Adds one hand to the statistics of its players."""
    seats = hand["seats"]
    for seat, points in list(enumerate(hand["scores"]))[1:]:
        players[seats[seat]].points.append(points)
    prophet, judged, line = None, 0, 0
    for turn in hand["turns"]:
        player = players[seats[turn["seat"]]]
        under = "prophet_said" in turn
        if "play" in turn:
            player.plays[under, length(len(turn["play"])), turn["right"]] += 1
            line += len(turn["play"]) if turn["right"] else 0
        if under and prophet is not None:
            judged += 1
            if turn["prophet_said"] != turn["right"] or "prophet_drew" in turn:
                players[seats[prophet]].fates["at once" if judged == 1 else "later"] += 1
                prophet = None
        if turn.get("becomes_prophet"):
            prophet, judged = turn["seat"], 0
            player.fates["became"] += 1
            player.lines.append(line)


def told(name, player):
    fates, became = player.fates, player.fates["became"]
    print(f"{name}: {statistics.fmean(player.points):.1f} points in {len(player.points)} hands")
    for under in (False, True):
        each = []
        for cards in LENGTHS:
            right, wrong = (player.plays[under, cards, is_right] for is_right in (True, False))
            each.append(f"{right} of {right + wrong} of {cards}")
        print(f"  right {'under a prophet' if under else 'without a prophet'}: {', '.join(each)}")
    if became:
        share = lambda fate: f"{100 * fates[fate] / became:.0f} %"
        middle = statistics.median(player.lines)
        print(f"  prophet {became} times, after {middle:g} right cards (median); "
              f"overthrown at once {share('at once')}, later {share('later')}")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    players = collections.defaultdict(Player)
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as records:
            for line in records:
                hear(players, json.loads(line))
    for name in sorted(players, key=lambda name: -statistics.fmean(players[name].points)):
        told(name, players[name])


if __name__ == "__main__":
    main()
