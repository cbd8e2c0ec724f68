"""The command `parlour`: `python -m parlour run original-vs-revised`."""

from __future__ import annotations

import sys

from ._parlour import main as _main


def main() -> None:
    """Runs the program with the arguments of this process."""
    sys.exit(_main(["parlour", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
