"""Games as environments for learning.

`Environment` is one table, `Vector` many tables stepped at once into NumPy arrays. `GymEnv` and
`GymVectorEnv` are Gymnasium environments, registered as `parlour/Leopard-v0`,
`parlour/LeapFrog-v0` and `parlour/Eleusis-v0`; `SB3VecEnv` is for Stable-Baselines3. `leopard_v0`,
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
        "parlour.envs needs NumPy, and Gymnasium or PettingZoo for their interfaces: "
        "pip install 'parlour[envs]'"
    ) from missing

from .._parlour import Environment, Vector
from .planes import describe, split
from .replay import replay

if TYPE_CHECKING:
    from . import eleusis_v0, leapfrog_v0, leopard_v0
    from .gym import GymEnv, GymVectorEnv
    from .sb3 import SB3VecEnv

__all__ = [
    "Environment",
    "GymEnv",
    "GymVectorEnv",
    "SB3VecEnv",
    "Vector",
    "describe",
    "eleusis_v0",
    "leapfrog_v0",
    "leopard_v0",
    "replay",
    "split",
]

# The module of each name that needs another package.
_MODULES = {
    "GymEnv": "gym",
    "GymVectorEnv": "gym",
    "SB3VecEnv": "sb3",
    "eleusis_v0": "eleusis_v0",
    "leapfrog_v0": "leapfrog_v0",
    "leopard_v0": "leopard_v0",
}


def __getattr__(name: str) -> Any:
    """Imports Gymnasium, PettingZoo or Stable-Baselines3 with the first name that needs it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as missing:
        package = {"gym": "Gymnasium", "sb3": "Stable-Baselines3"}
        needed = package.get(_MODULES[name], "PettingZoo")
        raise ImportError(
            f"`{name}` needs {needed} ({missing}): pip install 'parlour[envs]'"
        ) from missing
    return module if name == _MODULES[name] else getattr(module, name)


def _register_gymnasium() -> None:
    try:
        import gymnasium
    except ImportError:
        return
    for name in ("Leopard", "LeapFrog", "Eleusis"):
        gymnasium.register(
            f"parlour/{name}-v0",
            entry_point="parlour.envs.gym:make",
            vector_entry_point="parlour.envs.gym:make_vec",
            kwargs={"game": name.lower()},
        )


def _register_pettingzoo() -> None:
    try:
        from pettingzoo import register  # from PettingZoo 1.27
    except ImportError:
        return
    for name in ("leopard_v0", "leapfrog_v0", "eleusis_v0"):
        register("aec", f"parlour/{name}", entry_point=f"parlour.envs.{name}:env")


_register_gymnasium()
_register_pettingzoo()
