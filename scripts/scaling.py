#!/usr/bin/env python3
"""Plans a large run: tasks, hours by cores, files, and the cost of failures. Prints the tables of
docs/scaling.md, from the throughput of one core below and a simulation of workers that fail, are slow and come
back. The simulation has a fixed seed.

Usage: scripts/scaling.py             prints the tables
       scripts/scaling.py --check     fails where docs/scaling.md has others
       scripts/scaling.py --measure [PROGRAM]    measures the throughput on this machine, in CPU seconds
"""

import heapq
import json
import os
import pathlib
import random
import sys
import tempfile

# Hands a CPU second of one core, measured by `--measure` on the shared machine of docs/performance.md.
RATES = {"cheap": 33_000.0, "searched": 5.3}
# The two planned runs: one pairing of Leopard under `revised`.
RUNS = {
    "cheap": (10**9, ["steady", "greedy"], 50_000),
    "searched": (10**7, ["ismcts-500", "steady"], 60),
}

# Measured bytes of a shard.
FILE = {"cheap": 5_200, "searched": 8_000}
# Workers. Each is lost once in FAILS_AFTER seconds, like preemptible cloud machines, and replaced BACK_AFTER seconds later.
FAILS_AFTER = 20 * 3600.0
BACK_AFTER = 300.0
# Most cores are equally fast; one in fifty is slower by this factor.
SPREAD, SLOW_SHARE, SLOW_TIMES = 0.05, 0.02, 4.0
# Overhead of a task in seconds: sending, starting a process, writing files.
OVERHEAD = 1.0
# Seconds between checkpoints of a task.
SAVED_EVERY = 5.0


def minutes(seconds):
    """A time with its unit."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def number(count):
    """A number with thousands separators."""
    return f"{count:,.0f}"


def simulate(work, tasks, workers, kept, chance):
    """Wall time of a run and wasted core seconds. `work` is in seconds of a usual core; with `kept`, an
    interrupted task resumes."""

    def speed():
        slow = SLOW_TIMES if chance.random() < SLOW_SHARE else 1.0
        return 1.0 / (slow * chance.lognormvariate(0.0, SPREAD))

    todo = [work / tasks] * tasks
    speeds = [speed() for _ in range(workers)]
    # Times at which workers become free or return.
    free = [(0.0, worker) for worker in range(workers)]
    heapq.heapify(free)
    back, wall, lost = [], 0.0, 0.0
    while todo or back:
        now, worker = heapq.heappop(free)
        if not todo:
            # A free worker waits for tasks of failed workers.
            at, left = heapq.heappop(back)
            todo.append(left)
            heapq.heappush(free, (max(now, at), worker))
            continue
        while back and back[0][0] <= now:
            todo.append(heapq.heappop(back)[1])
        left = todo.pop()
        takes = left / speeds[worker]
        fails = chance.expovariate(1.0 / FAILS_AFTER)
        if fails < OVERHEAD + takes:
            played = max(0.0, fails - OVERHEAD)
            saved = played // SAVED_EVERY * SAVED_EVERY if kept else 0.0
            lost += played - saved
            heapq.heappush(back, (now + fails, left - saved * speeds[worker]))
            speeds[worker] = speed()
            heapq.heappush(free, (now + fails + BACK_AFTER, worker))
        else:
            wall = max(wall, now + OVERHEAD + takes)
            heapq.heappush(free, (now + OVERHEAD + takes, worker))
    return wall, lost


def seconds_of(name):
    """Seconds of a run on one core."""
    return RUNS[name][0] / RATES[name]


def by_cores():
    """Rows of the table by cores."""
    yield "| run | hands a second and core | 1 core | 2 cores | 64 | 1,000 | tasks of a minute | files of the tasks |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, (hands, strategies, _) in RUNS.items():
        work = seconds_of(name)
        tasks = max(1, round(work / 60))
        hours = " | ".join(minutes(work / cores) for cores in (1, 2, 64, 1000))
        rate = f"{RATES[name]:,.0f}" if RATES[name] >= 100 else f"{RATES[name]:.1f}"
        what = f"{number(hands)} hands of `{strategies[0]}` and `{strategies[1]}`"
        yield f"| {what} | {rate} | {hours} | {number(tasks)} | {tasks * FILE[name] / 1e6:.0f} MB |"


def by_tasks(workers, rounds):
    """Rows of the table by task size."""
    yield "| a task takes | tasks | core hours to start them | wall time | played for nothing, core hours | with a shared folder |"
    yield "|---|---|---|---|---|---|"
    work = seconds_of("searched")
    for size in (10, 60, 600, 3600, work / 64):
        tasks = max(1, round(work / size))
        walls, losses = [], []
        for kept in (False, True):
            chance = random.Random(1963)
            found = [simulate(work, tasks, workers, kept, chance) for _ in range(rounds)]
            walls.append(sorted(wall for wall, _ in found)[rounds // 2])
            losses.append(sum(lost for _, lost in found) / rounds / 3600)
        start = tasks * OVERHEAD / 3600
        cells = [minutes(work / tasks), number(tasks), f"{start:.1f}", minutes(walls[0])]
        yield f"| {' | '.join(cells + [f'{lost:.2f}' for lost in losses])} |"


def tables():
    """Both tables of the document."""
    return {"by-cores": list(by_cores()), "by-tasks": list(by_tasks(1000, 9))}


def measure(program):
    """Prints the speed of this machine."""
    with tempfile.TemporaryDirectory() as here:
        for name, (_, strategies, deals) in RUNS.items():
            experiment = {"game": "leopard", "variants": ["revised"], "strategies": strategies, "deals": deals}
            file = pathlib.Path(here, f"{name}.json")
            file.write_text(json.dumps(experiment))
            words = [program, "run", str(file), "--threads", "1", "--quiet", "--out", f"{here}/{name}"]
            silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
            _, status, used = os.wait4(os.posix_spawn(words[0], words, os.environ, file_actions=silent), 0)
            if status:
                sys.exit("the run failed")
            seconds = used.ru_utime + used.ru_stime
            shard = [*words[:-1], f"{here}/{name}-shard", "--shard", f"{deals}/{deals}"]
            os.waitpid(os.posix_spawn(words[0], shard, os.environ, file_actions=silent), 0)
            size = os.path.getsize(f"{here}/{name}-shard/progress.jsonl")
            print(f"{name}: {2 * deals / seconds:,.1f} hands a CPU second; a shard leaves {size / 1000:.1f} kB")


def main():
    """Runs the command line."""
    if "--measure" in sys.argv:
        rest = sys.argv[sys.argv.index("--measure") + 1 :]
        measure(os.path.abspath(rest[0] if rest else "target/release/parlour"))
        return
    document = pathlib.Path(__file__).parent.parent / "docs/scaling.md"
    text = document.read_text() if "--check" in sys.argv else ""
    for name, lines in tables().items():
        table = "\n".join(lines)
        if not text:
            print(f"{name}\n\n{table}\n")
        elif table not in text:
            sys.exit(f"{document}: table `{name}` differs from the output of this script")


main()
