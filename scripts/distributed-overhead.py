#!/usr/bin/env python3
"""What a run on Dask costs beside one process: CPU seconds (user and system) of a run of about a minute, and of the same
run by `parlour.distributed.run` on two workers, pilot and merge included, each twice in turn. Starting the workers'
processes is not counted: a cluster is there. The files are compared to the byte.

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
    """The CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def files(folder):
    """The files of a run, without the manifest's timing."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    manifest = json.loads(found.pop("manifest.json"))
    del manifest["timing"]
    return found, manifest


def main():
    """Plays and prints."""
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
                sys.exit("not the same files")
        more = spread / alone - 1
        print(f"{100 * more:+.1f} %, the same bytes")
        if more > 0.1:
            sys.exit("more than 10 %")


if __name__ == "__main__":
    main()
