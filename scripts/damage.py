#!/usr/bin/env python3
"""Damages runs and checks that each goes on to the same bytes or is refused with a message.

`kill` ends each command with SIGKILL at random moments and repeats it. `flip` flips a random bit of each
file that is read again. `inject` lets a random system call that writes fail (strace is needed). Prints a
line for each command or file; the status is 1 if a result differs.

Usage: scripts/damage.py {kill,flip,inject} [--program FILE] [--count N] [--seed N] [--only WORD]
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXPERIMENT = {
    "game": "leopard", "variants": ["original", "revised"], "strategies": ["random", "greedy", "steady"],
    "deals": 400, "seed": 7, "confirm": True, "luck_adjusted": True,
}
RUN = ["run", "e.json", "--quiet", "--out", "out"]
LISTS = [*RUN, "--records", "--hands"]
# The arguments of each command, what is added when it is repeated, and its result.
COMMANDS = {
    "run": (RUN, ["--resume"], "out"),
    "run with lists": (LISTS, ["--resume"], "out"),
    "sweep": (["sweep", "leopard", "revised", "knock_at=5..8", "--strategies", "greedy,random", "--deals", "300", "--out", "out"], ["--resume"], "out"),
    "exploit": (["exploit", "leopard", "random", "--deals", "6", "--iterations", "60", "--out", "out"], ["--resume"], "out"),
    "tune": (["tune", "steady-plain", "--deals", "1024", "--starts", "1", "--confirm", "300", "--out", "t.json", "--quiet"], ["--resume"], "t.json"),
    "merge": (["merge", "s1", "s2", "--out", "out"], [], "out"),
    "merge --replace": (["merge", "s1", "s2", "--out", "out", "--replace"], [], "out"),
    "solve": (["solve", "leapfrog", "mini-5x4", "--save", "saved", "--certificate", "out"], ["--replace"], "out"),
    "science": (["science", "--corpus", "test", "--deals", "1", "--strategy", "random", "--out", "out", "--replace"], [], "out"),
}
# Columns of times, which no two runs share.
TIMES = ("milliseconds", "seconds")


class Bench:
    def __init__(self, program, chance):
        self.program, self.chance = program, chance
        self.home = Path(tempfile.mkdtemp(prefix="damage-"))
        self.inputs = self.home / "inputs"
        self.inputs.mkdir()
        (self.inputs / "e.json").write_text(json.dumps(EXPERIMENT))
        for part in ("1", "2"):
            shard = ["run", "e.json", "--quiet", "--records", "--shard", f"{part}/2", "--out", f"s{part}"]
            assert self.call(shard, self.inputs)[0] == 0

    def place(self):
        """A new folder with the inputs."""
        place = Path(tempfile.mkdtemp(dir=self.home))
        shutil.copytree(self.inputs, place, dirs_exist_ok=True)
        return place

    def call(self, arguments, place, before=()):
        done = subprocess.run([*before, self.program, *arguments], cwd=place, capture_output=True, text=True, errors="replace", timeout=300)
        return done.returncode, done.stderr

    def result(self, place, name):
        """What a repetition must give: files without times; for a certificate, that it is right."""
        path = place / name
        if path.is_file():
            if path.read_text().startswith('{\n  "format": 1,\n  "game": "leapfrog"'):
                return self.call(["check-certificate", name], place)[0], json.loads(path.read_text())["value"]
            return path.read_bytes()
        found = {}
        for file in sorted(path.rglob("*")) if path.is_dir() else ():
            if file.suffix in (".csv", ".jsonl"):
                found[str(file.relative_to(path))] = without_times(file)
        return found


def without_times(file):
    text = file.read_text(errors="replace")
    if file.suffix != ".csv":
        return text
    rows = [line.split(",") for line in text.splitlines()]
    keep = [at for at, head in enumerate(rows[0]) if not any(word in head for word in TIMES)] if rows else []
    return [[row[at] for at in keep if at < len(row)] for row in rows]


def is_refusal(status, said):
    return status in (1, 2) and said.startswith("parlour: ") and "panicked" not in said


def kill(bench, count, only):
    failed = 0
    for name, (first, more, result) in COMMANDS.items():
        if only and only not in name:
            continue
        place = bench.place()
        start = time.monotonic()
        assert bench.call(first, place)[0] == 0, name
        length, right = time.monotonic() - start, bench.result(place, result)
        same = refused = ended = 0
        for _ in range(count):
            place = bench.place()
            if name == "merge --replace":
                bench.call(first, place)
            process = subprocess.Popen([bench.program, *first], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(bench.chance.random() * length * 1.05)
                ended += 1
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            status, said = bench.call([*first, *more], place)
            if status == 0 and bench.result(place, result) == right:
                same += 1
            elif is_refusal(status, said) and bench.result(place, result) in (right, {}, *partial(place, result)):
                refused += 1
                last = said.strip()
            else:
                failed += 1
                print(f"  {name}: status {status}: {said.strip()[:300]}", flush=True)
            shutil.rmtree(place)
        print(f"kill {name}: {same} same bytes, {refused} refused, {ended} of {count} after the end" + (f": {last[:150]}" if refused else ""), flush=True)
    return failed


def partial(place, result):
    """Results that are not there, or are unfinished and say so."""
    path = place / result
    return [None] if path.exists() and not path.is_file() and not (path / "manifest.json").exists() else []


def stopped(bench, first, wait_for):
    """A folder in which a command was killed when a file appeared."""
    while True:
        place = bench.place()
        process = subprocess.Popen([bench.program, *first], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not list(place.glob(wait_for)):
            time.sleep(0.002)
        time.sleep(0.01)
        alive = process.poll() is None
        process.kill()
        process.wait()
        if alive:
            return place
        shutil.rmtree(place)


def flip(bench, count, only):
    slow = [*RUN[:-1], "out", "--threads", "1"]
    lists = [*LISTS, "--threads", "1"]
    tune = COMMANDS["tune"][0]
    long_tune = [*tune[:3], "6144", *tune[4:]]
    solve = [*COMMANDS["solve"][0][:5], "--threads", "1"]
    # What damaged it, the files, and the command that reads them with its result.
    cases = [
        ("progress of a run", lambda: stopped(bench, slow, "out/.checkpoints/seconds"), ["out/progress.jsonl"], [*RUN, "--resume"], "out"),
        ("lists of a run", lambda: stopped(bench, lists, "out/.checkpoints/records-000009"), ["out/.checkpoints/records-00000*", "out/.checkpoints/hands-00000*"], [*LISTS, "--resume"], "out"),
        ("lists of a shard", bench.place, ["s1/.checkpoints/records-*", "s1/progress.jsonl"], COMMANDS["merge"][0], "out"),
        ("progress of a tuning", lambda: stopped(bench, long_tune, "t.json.unfinished/state.json"), ["t.json.unfinished/*.json"], [*long_tune, "--resume"], "t.json"),
        ("saved search", lambda: stopped_solve(bench, solve), ["saved"], solve, "saved"),
        ("manifest of a run", lambda: finished(bench, RUN), ["out/manifest.json"], ["run", "out/manifest.json", "--out", "again", "--quiet"], "again"),
        ("certificate", lambda: finished(bench, COMMANDS["solve"][0]), ["out"], ["check-certificate", "out"], "out"),
        ("lists of a finished run", lambda: finished(bench, LISTS), ["out/records.jsonl", "out/hands.csv", "out/progress.jsonl"], [*LISTS, "--resume"], "out"),
    ]
    failed = 0
    for name, make, globs, command, result in cases:
        if only and only not in name:
            continue
        damaged = make()
        whole = copy(bench, damaged)
        status, said = bench.call(command, whole)
        assert status == 0, (name, said)
        right = outcome(bench, whole, name, result)
        shutil.rmtree(whole)
        files = [file.relative_to(damaged) for glob in globs for file in damaged.glob(glob)]
        refused = same = 0
        for _ in range(count):
            place = copy(bench, damaged)
            file = place / bench.chance.choice(files)
            data = bytearray(file.read_bytes())
            bit = bench.chance.randrange(8 * len(data))
            data[bit // 8] ^= 1 << bit % 8
            file.write_bytes(data)
            status, said = bench.call(command, place)
            if is_refusal(status, said):
                refused += 1
            elif status == 0 and outcome(bench, place, name, result) == right:
                same += 1
            else:
                failed += 1
                print(f"  {name}: {file.name} bit {bit}: status {status}: {said.strip()[:200]}", flush=True)
            shutil.rmtree(place)
        print(f"flip {name}: {refused} refused, {same} with the same result, of {count}", flush=True)
    return failed


def outcome(bench, place, name, result):
    if name == "saved search":
        return bench.call(["solve", "leapfrog", "mini-5x4", "--json"], place)[0]
    found = bench.result(place, result)
    # The progress of a rerun names the digest of the manifest.
    return {file: rows for file, rows in found.items() if file.endswith(".csv")} if name.startswith("manifest") else found


def copy(bench, folder):
    place = Path(tempfile.mkdtemp(dir=bench.home))
    shutil.copytree(folder, place, dirs_exist_ok=True)
    return place


def finished(bench, command):
    place = bench.place()
    assert bench.call(command, place)[0] == 0
    return place


def stopped_solve(bench, solve):
    place = finished(bench, solve)
    lines = (place / "saved").read_bytes().splitlines(keepends=True)
    (place / "saved").write_bytes(b"".join(lines[: len(lines) // 2 + 1]))
    return place


CALLS = {
    "write": ["EIO", "ENOSPC", "EDQUOT"], "fdatasync": ["EIO", "ENOSPC"],
    "openat": ["EMFILE", "EACCES", "ENOSPC", "EROFS"], "rename,renameat,renameat2": ["EIO", "EPERM", "ENOSPC"],
    "mkdir,mkdirat": ["ENOSPC", "EPERM"], "unlink,unlinkat": ["EIO", "EPERM"], "ftruncate": ["EIO"],
    "flock": ["ENOLCK", "EOPNOTSUPP"], "fchmod": ["EPERM", "ENOSYS"],
}


def inject(bench, count, only):
    failed = 0
    for name in ("run with lists", "merge", "tune", "science", "solve", "match --records"):
        if only and only not in name:
            continue
        match = ["match", "leopard", "random", "greedy", "--deals", "40", "--quiet", "--records", "out"]
        first, more, result = COMMANDS.get(name, (match, ["--replace"], "out"))
        first = [*first, "--threads", "1"] if name != "merge" else first
        place = bench.place()
        assert bench.call(first, place)[0] == 0
        right = bench.result(place, result)
        whole = failures = 0
        for _ in range(count):
            place = bench.place()
            calls = bench.chance.choice(list(CALLS))
            error = bench.chance.choice(CALLS[calls])
            number = bench.chance.choice([1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])
            until = bench.chance.choice(["", "+"])
            # Only calls on paths of the folder: not those that start the program.
            where = ["-P", str(place / result)] if calls == "write" and (place / result).is_file() else []
            strace = ["strace", "-f", "-qq", "-o", "/dev/null", *where, "-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when={number}{until}"]
            status, said = bench.call(first, place, strace)
            now = bench.result(place, result)
            what = f"{name}: {calls} {error} from {number}{until}"
            if "panicked" in said or status not in (0, 1, 2, 127):
                failed += 1
                print(f"  {what}: status {status}: {said.strip()[:300]}", flush=True)
            elif status == 0 and now != right:
                failed += 1
                print(f"  {what}: status 0 and another result", flush=True)
            # Without the fault, the work goes on to the same bytes.
            if status == 0:
                whole += 1
            else:
                failures += 1
                again, said = bench.call([*first, *more], place)
                if not (again == 0 and bench.result(place, result) == right):
                    failed += 1
                    print(f"  {what}, then again: status {again}: {said.strip()[:300]}", flush=True)
            shutil.rmtree(place)
        print(f"inject {name}: {whole} right in spite of it, {failures} failed and were repeated, of {count}", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=["kill", "flip", "inject"])
    parser.add_argument("--program", default="target/release/parlour")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    bench = Bench(os.path.realpath(args.program), random.Random(args.seed))
    try:
        failed = {"kill": kill, "flip": flip, "inject": inject}[args.way](bench, args.count, args.only)
    finally:
        shutil.rmtree(bench.home, ignore_errors=True)
    print(f"{failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
