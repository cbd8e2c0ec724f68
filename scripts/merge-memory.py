#!/usr/bin/env python3
"""Measures the memory of `merge` for 10, 100 and 1,000 shards of a run and compares the files with one process.
Fails if a byte differs, or if 1,000 shards take a tenth more memory than 10.

Usage: scripts/merge-memory.py [PROGRAM]    (target/release/parlour)
"""

import filecmp
import json
import os
import pathlib
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/parlour")
EXPERIMENT = ["run", "original-vs-revised", "--deals", "2000", "--quiet"]


def run(*arguments):
    """Peak megabytes and seconds of the program."""
    child = os.posix_spawn(
        PROGRAM,
        [PROGRAM, *map(str, arguments)],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"failed: {' '.join(map(str, arguments))}")
    return used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def differing(one, other):
    """Files that differ, apart from the timing in the manifest."""
    names = {path.name for folder in (one, other) for path in folder.iterdir() if path.is_file()}
    names.remove("manifest.json")
    _, wrong, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    manifests = [json.loads((folder / "manifest.json").read_text()) for folder in (one, other)]
    for manifest in manifests:
        del manifest["timing"]
    return wrong + missing + ["manifest.json"] * (manifests[0] != manifests[1])


with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    memory, seconds = run(*EXPERIMENT, "--out", here / "whole")
    print(f"{'':>12}  {'MB':>6}  {'CPU s':>6}  files on disk")
    print(f"{'one process':>12}  {memory:6.1f}  {seconds:6.1f}")
    peaks = []
    for of in (10, 100, 1000):
        shards = [here / f"shard-{part}-of-{of}" for part in range(1, of + 1)]
        for part, shard in enumerate(shards, 1):
            run(*EXPERIMENT, "--shard", f"{part}/{of}", "--threads", "1", "--out", shard)
        size = sum((shard / "progress.jsonl").stat().st_size for shard in shards)
        memory, seconds = run("merge", *shards, "--out", here / f"merged-{of}")
        peaks.append(memory)
        wrong = differing(here / "whole", here / f"merged-{of}")
        print(f"{of:>5} shards  {memory:6.1f}  {seconds:6.1f}  {size / of / 1000:.0f} kB a shard", flush=True)
        if wrong:
            sys.exit(f"files differ from one process: {', '.join(wrong)}")
    if peaks[-1] > 1.1 * peaks[0]:
        sys.exit("memory grows with the number of shards")
