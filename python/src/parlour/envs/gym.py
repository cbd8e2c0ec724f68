"""Games in Gymnasium's interfaces: one seat learns, strategies play the other seats in Rust."""

from __future__ import annotations

import difflib
import inspect
from typing import Any, SupportsInt

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import InputError
from .._parlour import Vector
from .planes import highest

__all__ = ["GymEnv", "GymVectorEnv"]

Observations = npt.NDArray[Any]
Actions = npt.NDArray[np.int64]
Infos = dict[str, Any]

METADATA: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}

# Actions of `Vector`.
SKIP, DEAL = -1, -2


class _Observer:
    """Makes observations of the rows of `Vector`: the bytes, or floats from 0 to 1."""

    def __init__(self, tables: Vector, rescale: bool) -> None:
        high = highest(tables.facts)
        self.rescale, self.most = rescale, np.maximum(high, 1).astype(np.float32)
        self.space = (
            spaces.Box(0, 1, high.shape, dtype=np.float32)
            if rescale
            else spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
        )

    def observe(self, rows: npt.NDArray[np.uint8], copy: bool = True) -> Observations:
        if self.rescale:
            return np.asarray(rows / self.most)
        return rows.copy() if copy else rows


def _open(
    game: str, num_envs: int, variant: Any, opponent: Any, render_mode: str | None, **options: Any
) -> Vector:
    """Tables that keep the end of a hand."""
    if opponent is None:
        raise InputError("`opponent` is None; name a strategy for the other seats")
    if render_mode not in (None, "ansi", "human"):
        raise InputError(f"unknown render mode `{render_mode}`. Known: ansi, human.")
    return Vector(game, num_envs, variant, opponents=opponent, autoreset=False, **options)


def _check_actions(tables: Vector, actions: npt.NDArray[Any]) -> None:
    """Refuses the actions that are not the game's, but `Vector`'s."""
    if actions.dtype.kind == "i" and actions.size and actions.min() < 0:
        last = tables.facts["count"] - 1
        raise InputError(f"there is no action {actions.min()}; actions are 0 to {last}")


class GymVectorEnv(VectorEnv[Observations, Actions, npt.NDArray[Any]]):
    """Many tables as a Gymnasium `VectorEnv`; a hand is an episode.

    Observations are uint8 of shape (num_envs, numbers), or with `rescale=True` float32 from 0 to 1:
    multiplied by `scale` of shape (numbers,). Rewards are float32, and 0 before the end of a hand.
    `infos["action_mask"]` is int8 of shape (num_envs, actions), all ones where a hand is over. An
    illegal action raises `parlour.InputError`, and no table changes.

    Args:
        game: `leopard`, `leapfrog` or `eleusis`.
        num_envs: Number of tables.
        variant: A name, a file of rules or a dict.
        opponent: The strategy of the other seats, or a list with one for each seat after the learner's.
        seat: The learner's seat; by default it advances with each hand.
        reward: `win`, `points` or `margin`.
        rescale: Whether observations are float32 from 0 to 1.
        threads: Number of threads; by default one for each core.
        autoreset_mode: `NextStep`, `SameStep` or `Disabled`, as Gymnasium defines them.
        copy: With `False` the arrays of a step are overwritten by the next one.
        render_mode: `ansi`, `human` or None.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        variant: str | dict[str, Any] | None = None,
        *,
        opponent: Any = "random",
        seat: int | None = None,
        reward: str = "win",
        rescale: bool = False,
        threads: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(mode.value for mode in AutoresetMode)
            what = f"unknown autoreset mode `{autoreset_mode}`. Known: {known}."
            raise InputError(what) from None
        options = {"seat": seat, "reward": reward, "threads": threads}
        self.tables = _open(game, num_envs, variant, opponent, render_mode, **options)
        self.num_envs, self.copy, self.render_mode = num_envs, copy, render_mode
        self.rescale = rescale
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self._observer = _Observer(self.tables, rescale)
        self.scale = np.reciprocal(self._observer.most)
        self.single_observation_space = self._observer.space
        self.single_action_space = spaces.Discrete(self.tables.facts["count"])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, bool)
        self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Deals the next hands, or the first ones of a seed: deal i at table i.

        `options={"reset_mask": mask}` (bool, shape (num_envs,)) deals at some tables only.
        """
        super().reset(seed=seed)
        requested = dict(options or {})
        mask = np.asarray(requested.pop("reset_mask", np.ones(self.num_envs, bool)))
        if requested:
            raise InputError(f"unknown option `{min(map(str, requested))}`. Known: reset_mask.")
        if mask.shape != self._over.shape or mask.dtype != bool:
            raise InputError(f"`reset_mask` must be an array of {self.num_envs} booleans")
        if seed is not None and not mask.all():
            raise InputError("`seed` deals at all tables; leave out `reset_mask`")
        if seed is None and self._dealt:
            self.tables.step(np.where(mask, DEAL, SKIP))
            self._over = self._over & ~mask
        else:
            self.tables.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
            self._over, self._dealt = np.zeros(self.num_envs, bool), True
        return self._observations(), self._infos()

    def step(
        self, actions: Actions
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Infos]:
        """Plays an action at each table, and the opponents' until the learner's next choice."""
        tables, mode = self.tables, self.autoreset_mode
        if mode is AutoresetMode.DISABLED and self._over.any():
            first = int(self._over.argmax())
            raise InputError(
                f'table {first}: the hand is over; reset it with options["reset_mask"]'
            )
        actions = np.asarray(actions)
        if actions.shape == self._over.shape:
            _check_actions(tables, actions[~self._over])
            actions = np.where(self._over, DEAL, actions)
        tables.step(actions)
        infos: Infos = {}
        over, rewards = tables.dones.copy(), tables.rewards.copy()
        if mode is AutoresetMode.SAME_STEP and over.any():
            final = np.full(self.num_envs, None, dtype=object)
            for table in np.flatnonzero(over):
                final[table] = self._observer.observe(tables.observations[table])
            tables.step(np.where(over, DEAL, SKIP))
            infos = {"final_obs": final, "_final_obs": over}
            infos |= {"final_info": {}, "_final_info": over.copy()}
        else:
            self._over = over
        infos |= self._infos()
        return self._observations(), rewards, over.copy(), np.zeros_like(over), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of each table, bool of shape (num_envs, actions), as sb3-contrib asks."""
        masks = self.tables.masks
        masks[self._over] = True
        return masks.copy() if self.copy else masks

    def render(self) -> tuple[str, ...] | None:
        """The learner's view of each table as text; with `human` it is printed."""
        pictures = tuple(map(self.tables.picture, range(self.num_envs)))
        if self.render_mode == "human":
            print(*pictures, sep="\n")
            return None
        return pictures

    def _observations(self) -> Observations:
        return self._observer.observe(self.tables.observations, self.copy)

    def _infos(self) -> Infos:
        masks = self.action_masks().view(np.int8)
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, bool)}


class GymEnv(gymnasium.Env[Observations, SupportsInt]):
    """One table as a Gymnasium `Env`; a hand is an episode. For the arguments see `GymVectorEnv`.

    Observations have the shape (numbers,); `info["action_mask"]` is int8 of shape (actions,). An
    illegal action raises `parlour.InputError` and changes nothing; with `illegal_reward=-1` it ends
    the hand with this reward.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str,
        variant: str | dict[str, Any] | None = None,
        *,
        opponent: Any = "random",
        seat: int | None = None,
        reward: str = "win",
        rescale: bool = False,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        options = {"seat": seat, "reward": reward, "threads": 1}
        self.tables = _open(game, 1, variant, opponent, render_mode, **options)
        self.illegal_reward, self.render_mode = illegal_reward, render_mode
        self._observer = _Observer(self.tables, rescale)
        self.scale = np.reciprocal(self._observer.most)
        self.observation_space = self._observer.space
        self.action_space = spaces.Discrete(self.tables.facts["count"])
        self._over = self._dealt = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Deals the next hand, or the first one of a seed. There are no options."""
        super().reset(seed=seed)
        if options:
            raise InputError(f"unknown option `{min(map(str, options))}`. There are none.")
        if seed is None and self._dealt:
            self.tables.step([DEAL])
        else:
            self.tables.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self._over, self._dealt = False, True
        return self._shown()

    def step(self, action: SupportsInt) -> tuple[Observations, float, bool, bool, Infos]:
        """Plays an action, and the opponents' until the learner's next choice."""
        if self._over:
            raise InputError("the hand is over; `reset` deals the next one")
        actions = np.asarray([action])
        try:
            _check_actions(self.tables, actions)
            self.tables.step(actions)
        except InputError:
            if self.illegal_reward is None:
                raise
            self._over, reward = True, self.illegal_reward
        else:
            self._over, reward = bool(self.tables.dones[0]), float(self.tables.rewards[0])
        observation, info = self._shown()
        return observation, reward, self._over, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions, bool of shape (actions,), as sb3-contrib asks for them."""
        masks: npt.NDArray[np.bool_] = self.tables.masks[0]
        return np.ones_like(masks) if self._over else masks.copy()

    def render(self) -> str | None:
        """The learner's view as text; with `human` it is printed, as after each step."""
        picture = self.tables.picture()
        if self.render_mode == "human":
            print(picture)
            return None
        return picture

    def _shown(self) -> tuple[Observations, Infos]:
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": self.action_masks().view(np.int8)}
        return self._observer.observe(self.tables.observations[0]), info


def check_options(kind: type, options: dict[str, Any]) -> None:
    """Refuses options that the class does not have."""
    known = list(inspect.signature(kind).parameters)
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f" Did you mean `{close[0]}`?" if close else ""
            raise InputError(f"unknown option `{name}`.{hint} Known: {', '.join(known)}.")


def make(**options: Any) -> GymEnv:
    """For `gymnasium.make`: a `GymEnv`, with an `InputError` for an unknown option."""
    check_options(GymEnv, options)
    return GymEnv(**options)


def make_vec(**options: Any) -> GymVectorEnv:
    """For `gymnasium.make_vec`: a `GymVectorEnv`, with an `InputError` for an unknown option."""
    check_options(GymVectorEnv, options)
    return GymVectorEnv(**options)


# Gymnasium reads the render modes here.
setattr(make, "metadata", METADATA)
