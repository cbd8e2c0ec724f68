#!/usr/bin/env python3
"""Writes the mean of the weights of two networks of `parlour learn`, the second a continuation of the first.

Usage: mean-network.py FIRST.safetensors SECOND.safetensors OUT.safetensors

A mean of the start and the end of a training is often better at what either could do (Wortsman et al. 2022,
"Robust fine-tuning of zero-shot models"). Prints the SHA-256 of the file.
"""

import array
import hashlib
import json
import struct
import sys
from pathlib import Path


def main() -> None:
    first, second = (Path(name).read_bytes() for name in sys.argv[1:3])
    (length,) = struct.unpack_from("<Q", first)
    start = 8 + length
    if first[:start] != second[:start]:
        sys.exit("the networks differ in shape")
    mean = bytearray(first)
    for name, tensor in json.loads(first[8:start]).items():
        if name == "__metadata__" or tensor["dtype"] != "F32":
            continue
        begin, end = (start + offset for offset in tensor["data_offsets"])
        pairs = zip(array.array("f", first[begin:end]), array.array("f", second[begin:end]), strict=True)
        mean[begin:end] = array.array("f", ((one + other) / 2 for one, other in pairs)).tobytes()
    Path(sys.argv[3]).write_bytes(mean)
    print(hashlib.sha256(mean).hexdigest())


if __name__ == "__main__":
    main()
