#!/usr/bin/env python3
"""Runs commands under small limits on processes, as a user without others: status 0, 1 or 2, no panic,
and no player left over. Needs root on Linux.

Usage: scripts/few-processes.py [PROGRAM]
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

USER = 64999
BOT = """while IFS= read -r line; do case "$line" in
*'"type":"hello"'*) echo '{"protocol":1,"name":"first"}' ;;
*'"type":"choose"'*) echo '{"index":0}' ;;
*'"type":"bye"'*) exit 0 ;;
esac; done"""
COMMANDS = [
    "run x.json --out out --replace --threads 1 --quiet",
    "tune leopard best-of-8 tries=2,4 --against ./bot.json --deals 256 --confirm 20 --quiet --out t.json --threads 1",
    "solve leapfrog mini-3x3 --threads 4",
    "advise position.json --strategy ismcts-250",
    "advise position.json --strategy ./bot.json",
]


def limited(limit):
    def prepare():
        os.setgroups([])
        os.setgid(USER)
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
        os.setuid(USER)
    return prepare


def left_over():
    """Kills the processes of the user, and counts them."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            status = open(f"/proc/{pid}/status").read()
            if os.stat(f"/proc/{pid}").st_uid == USER and "State:\tZ" not in status:
                os.kill(int(pid), signal.SIGKILL)
                found += 1
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def main():
    program = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else "target/release/parlour")
    faults = 0
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        os.chmod(here, 0o777)
        shutil.copy(program, "program")
        os.chmod("program", 0o755)
        bot = {"kind": "external", "command": ["sh", "-c", BOT]}
        json.dump({"about": "x", **bot}, open("bot.json", "w"))
        bots = [{"name": f"b{number}", **bot} for number in range(3)]
        json.dump({"game": "leopard", "variants": ["revised"], "strategies": ["random", *bots], "deals": 2}, open("x.json", "w"))
        subprocess.run("./program match leopard steady greedy --deals 1 --records g.jsonl >said && "
                       "./program replay g.jsonl --position 3 >position.json", shell=True, check=True)
        subprocess.run("chmod -R a+rwX .", shell=True, check=True)
        for command in COMMANDS:
            for limit in (1, 2, 3, 4, 7, 9, 12, 15):
                try:
                    p = subprocess.run(["./program", *command.split()], stdin=subprocess.DEVNULL, capture_output=True,
                                       text=True, preexec_fn=limited(limit))
                except BlockingIOError:
                    continue  # The system does not even start the program.
                time.sleep(0.5)
                left = left_over()
                if p.returncode not in (0, 1, 2) or "panicked" in p.stderr or left:
                    print(f"{limit} processes: {command}: status {p.returncode}, {left} left over, {p.stderr[:200]}")
                    faults += 1
                subprocess.run("rm -rf out out.* t.json*", shell=True, check=True)
    print(f"{faults} faults")
    sys.exit(faults > 0)


main()
