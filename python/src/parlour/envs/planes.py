"""The planes of an observation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .._parlour import Environment, Vector


def split(
    table: Environment | Vector, observations: npt.NDArray[Any]
) -> dict[str, npt.NDArray[Any]]:
    """Planes of an observation, or of a batch, by name: NumPy views, not copies.

    >>> from parlour.envs import Environment, split
    >>> table = Environment("leopard", seed=1)
    >>> planes = split(table, table.observe())
    >>> planes["hand"].sum(), planes["own square"].shape
    (np.uint64(9), (4, 3, 3))
    """
    planes: dict[str, npt.NDArray[Any]] = {}
    at, before = 0, observations.shape[:-1]
    for plane in table.facts["planes"]:
        count = int(np.prod(plane["shape"]))
        planes[plane["name"]] = observations[..., at : at + count].reshape(*before, *plane["shape"])
        at += count
    return planes


def highest(facts: dict[str, Any]) -> npt.NDArray[np.uint8]:
    """Maximum of each number of an observation."""
    planes = facts["planes"]
    each = [np.full(int(np.prod(p["shape"])), p["most"], dtype=np.uint8) for p in planes]
    return np.concatenate(each)


def describe(table: Environment | Vector) -> str:
    """Planes and actions as two Markdown tables with their offsets."""
    facts = table.facts
    lines = ["| observation | shape | from | highest | meaning |", "|---|---|---|---|---|"]
    at = 0
    for plane in facts["planes"]:
        shape = " × ".join(str(side) for side in plane["shape"])
        lines.append(f"| {plane['name']} | {shape} | {at} | {plane['most']} | {plane['about']} |")
        at += int(np.prod(plane["shape"]))
    lines += ["", "| action | number | from | meaning |", "|---|---|---|---|"]
    at = 0
    for actions in facts["actions"]:
        lines.append(f"| {actions['name']} | {actions['count']} | {at} | {actions['about']} |")
        at += actions["count"]
    return "\n".join(lines)
