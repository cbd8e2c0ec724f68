#!/usr/bin/env python3
"""Compares a run on Dask with one process: CPU seconds of a run of about a minute on a local cluster of two
workers. The start of the cluster is not counted. The files are compared byte by byte.

Usage: PYTHON scripts/distributed-overhead.py [DEALS [TURNS]]    PYTHON has the package and Dask
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from distributed import Client, LocalCluster

import parlour


def own():
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def files(folder):
    """Files of a run, without the timing of the manifest."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    manifest = json.loads(found.pop("manifest.json"))
    del manifest["timing"]
    return found, manifest


def main():
    """Plays and prints the comparison."""
    deals, turns = map(int, [*sys.argv[1:], *("11000", "2")[len(sys.argv) - 1 :]])
    how = {"deals": deals, "progress": False}
    with tempfile.TemporaryDirectory() as here, LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster, Client(cluster) as client:
        client.run(lambda: __import__("parlour"))
        alone = spread = 0.0
        for turn in range(1, turns + 1):
            began = own()
            parlour.run("original-vs-revised", out=f"{here}/one-{turn}", threads=2, **how)
            took = own() - began
            before, began, clock = sum(client.run(own).values()), own(), time.monotonic()
            parlour.distributed.run("original-vs-revised", client, out=f"{here}/many-{turn}", **how)
            wall = time.monotonic() - clock
            workers = sum(client.run(own).values()) - before
            many = workers + own() - began
            print(f"one process {took:.1f} s; Dask {many:.1f} s, {workers:.1f} of it the workers' ({wall:.0f} s by the clock)")
            alone, spread = alone + took, spread + many
            if files(Path(f"{here}/one-{turn}")) != files(Path(f"{here}/many-{turn}")):
                sys.exit("the files differ")
        more = spread / alone - 1
        print(f"{100 * more:+.1f} %, identical bytes")
        if more > 0.1:
            sys.exit("more than 10 %")


if __name__ == "__main__":
    main()
