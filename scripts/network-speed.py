#!/usr/bin/env python3
"""Decisions a second of networks with random weights: one thread in the arena's loop, user time, the
median of five runs. Needs the installed package. `python scripts/network-speed.py [FILE.onnx …]`"""

import resource
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np

import parlour

DEALS = 400


def write(widths: list[int], path: Path) -> dict[str, object]:
    """A network with layers of these widths."""
    rng, arrays = np.random.default_rng(1), {}
    for number, (inputs, outputs) in enumerate(zip(widths, widths[1:])):
        arrays[f"{2 * number}.weight"] = rng.standard_normal((outputs, inputs)) / np.sqrt(inputs)
        arrays[f"{2 * number}.bias"] = rng.standard_normal(outputs)
    return parlour.save_network(arrays, "leopard", path)


def rate(entry: object) -> float:
    """Decisions a second of user time: under `revised` a turn is one decision."""
    rates = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        experiment = {"game": "leopard", "strategies": [entry], "mirror": True, "deals": DEALS}
        experiment["variants"] = ["revised"]
        result = parlour.run(experiment, threads=1, progress=False)
        seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
        rates.append(2 * DEALS * result.table("variants").rows()[0]["turns"] / seconds)
    return statistics.median(rates)


with tempfile.TemporaryDirectory() as folder:
    entries = {
        name: write(widths, Path(folder) / f"{name}.safetensors")
        for name, widths in {"one-layer": [187, 256, 306], "two-layers": [187, 256, 256, 306]}.items()
    }
    for name, entry in {**entries, **{file: file for file in sys.argv[1:]}}.items():
        print(f"{name}: {rate(entry):,.0f} decisions a second")
