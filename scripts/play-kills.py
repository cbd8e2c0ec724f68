#!/usr/bin/env python3
"""Kills `parlour play` with SIGKILL at random moments of whole matches, and resumes each time.

Usage: scripts/play-kills.py [PROGRAM] [KILLS]   default: target/release/parlour, 200 kills

Two people at one page play random moves. Fails if an answered move is missing after a kill, if a resumed
hand has other moves, or if the records of a finished match are not its hands, each exactly once, or do
not verify.
"""

import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/parlour")
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
VARIANT = {"name": "short", "base": "denexa", "hand_size": 2, "knock_at": 2}


class Table:
    """A table of `parlour play`, killed after some seconds."""

    def __init__(self, folder, options, seconds):
        command = [PROGRAM, "play", "leopard", "--no-open", *options]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.timer = threading.Timer(seconds, self.process.kill)
        self.timer.start()
        line = self.process.stdout.readline()
        address = re.search(r"127\.0\.0\.1:(\d+)(/\S+)", line)
        if address is None and self.process.wait() > 0:
            sys.exit(f"no table: {self.process.stderr.read()}")
        self.port, self.path = address.groups() if address else (None, None)

    def ask(self, what, body=None):
        """Returns the answer; raises OSError or HTTPException once the program is killed."""
        if self.port is None:
            raise OSError("killed before the start")
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=10)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        text = json.dumps(body) if body else None
        connection.request("POST" if body else "GET", self.path + what, text, headers if body else {})
        answer = connection.getresponse()
        said = json.loads(answer.read())
        if answer.status != 200:
            sys.exit(f"{body}: {answer.status} {said}")
        return said

    def state(self):
        turn = self.ask("state")["turn"]
        return self.ask(f"state?seat={turn or 0}")

    def end(self):
        self.timer.cancel()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def past(state):
    return [event["move"] for event in state["past"]]


def play(table, lots, done):
    """Plays until the match is over or the program is killed; `done` follows the answered moves."""
    while True:
        state = table.state()
        # All that was answered is there; one more move may have been saved without an answer.
        if state["deal"] == done.get("deal"):
            moves, answered = past(state), done["moves"]
            if moves[: len(answered)] != answered or len(moves) > len(answered) + 1:
                sys.exit(f"answered: {answered}\nresumed: {moves}")
        elif state["deal"] < done.get("deal", 0):
            sys.exit(f"hand {done['deal']} was answered; hand {state['deal']} is resumed")
        done.update(deal=state["deal"], moves=past(state))
        if state["end"] and state["end"]["match_over"]:
            return
        if state["end"]:
            table.ask("do", {"act": "next_hand", "deal": state["deal"]})
            done.update(deal=state["deal"] + 1, moves=[])
            continue
        move = lots.choice(state["legal"])
        body = {"act": "play", "seat": state["turn"], "deal": state["deal"], "after": state["after"]}
        table.ask("do", body | {"moves": [move]})
        done["moves"].append(move)


def match(lots, kills):
    """Plays a match to its end with kills on the way; returns their number."""
    with tempfile.TemporaryDirectory() as folder:
        variant = Path(folder) / "short.json"
        variant.write_text(json.dumps(VARIANT))
        new = ["--variant", "short.json", "--seat", "0", "--seat", "1"]
        hand, records = Path(folder) / "leopard-hands.unfinished.json", Path(folder) / "leopard-hands.jsonl"
        killed, done = 0, {}
        while True:
            last = killed >= kills
            options = ["--resume", hand.name] if hand.exists() and hand.stat().st_size else new
            if options == new and done:
                # The match is over and recorded.
                break
            table = Table(folder, options, 60 if last else lots.uniform(0.01, 0.5))
            try:
                play(table, lots, done)
                break
            except (OSError, http.client.HTTPException, ValueError):
                killed += 1
                if last:
                    sys.exit("the table ended on its own")
            finally:
                table.end()
        lines = [json.loads(line) for line in records.read_text().splitlines()]
        hands = [(line["deal"], line["hand"]) for line in lines]
        if hands != [(0, hand) for hand in range(4)] or hand.exists():
            sys.exit(f"records: {hands}; files: {os.listdir(folder)}")
        subprocess.run([PROGRAM, "verify", records], check=True, capture_output=True)
        return killed


def main():
    lots, killed, matches = random.Random(39), 0, 0
    while killed < KILLS:
        killed += match(lots, min(20, KILLS - killed))
        matches += 1
    print(f"{killed} kills in {matches} matches: no answered move is lost, each hand is recorded once")


if __name__ == "__main__":
    main()
