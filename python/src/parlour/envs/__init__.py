"""Games as environments for learning.

`Environment` is one table, `Vector` many tables stepped at once into NumPy arrays. `leopard_v0`,
`leapfrog_v0` and `eleusis_v0` follow PettingZoo's AEC interface.

>>> from parlour.envs import Environment
>>> table = Environment("leopard", "revised", seed=1963)
>>> while table.seat is not None:
...     table.step(table.sample())
>>> sum(table.rewards)
0.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

try:
    import numpy as _numpy  # noqa: F401
except ImportError as missing:
    raise ImportError(
        "parlour.envs needs NumPy, and PettingZoo for `leopard_v0` and the others: "
        "pip install 'parlour[envs]'"
    ) from missing

from .._parlour import Environment, Vector
from .planes import describe, split
from .replay import replay

if TYPE_CHECKING:
    from . import eleusis_v0, leapfrog_v0, leopard_v0

__all__ = [
    "Environment",
    "Vector",
    "describe",
    "eleusis_v0",
    "leapfrog_v0",
    "leopard_v0",
    "replay",
    "split",
]

_PETTINGZOO = ("eleusis_v0", "leapfrog_v0", "leopard_v0")


def __getattr__(name: str) -> Any:
    """Imports PettingZoo with the first of its environments."""
    if name in _PETTINGZOO:
        try:
            return importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as missing:
            raise ImportError(
                f"`{name}` needs PettingZoo ({missing}): pip install 'parlour[envs]'"
            ) from missing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
