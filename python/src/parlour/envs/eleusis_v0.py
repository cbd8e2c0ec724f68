"""Eleusis and Eleusis Express as PettingZoo environments: `seat_0` is the dealer."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from . import aec

__all__ = ["env", "raw_env"]


def raw_env(
    variant: str | dict[str, Any] | None = None,
    *,
    reward: str = "win",
    render_mode: str | None = None,
) -> aec.AECTable:
    """Returns the environment without wrappers: an illegal action raises an error and changes nothing."""
    return aec.AECTable("eleusis", variant, reward=reward, render_mode=render_mode)


def env(
    variant: str | dict[str, Any] | None = None,
    *,
    reward: str = "win",
    render_mode: str | None = None,
) -> AECEnv:
    """Returns the environment in PettingZoo's wrappers: an illegal action ends the hand with reward -1."""
    return aec.wrapped(raw_env(variant, reward=reward, render_mode=render_mode))
