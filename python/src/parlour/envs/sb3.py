"""Many tables as a `VecEnv` of Stable-Baselines3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from .. import InputError
from .gym import GymVectorEnv, check_options


class SB3VecEnv(VecEnv):
    """Many tables as a `VecEnv` of Stable-Baselines3, with the masks that `MaskablePPO` asks for.

    The arguments are those of `GymVectorEnv` without `autoreset_mode` and `copy`.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        variant: str | dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        check_options(GymVectorEnv, options)
        self.envs = GymVectorEnv(game, num_envs, variant, autoreset_mode="SameStep", **options)
        self.render_mode = self.envs.render_mode
        super().__init__(
            num_envs, self.envs.single_observation_space, self.envs.single_action_space
        )

    @property
    def scale(self) -> npt.NDArray[np.float32]:
        """By what bytes were multiplied to make observations, shape (numbers,)."""
        envs = self.envs
        return envs.scale if envs.rescale else np.ones_like(envs.scale)

    def reset(self) -> npt.NDArray[Any]:
        observations, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], list[dict[str, Any]]]:
        observations, rewards, dones, _, infos = self.envs.step(self._actions)
        each: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for table in np.flatnonzero(dones):
            each[table] = {"terminal_observation": infos["final_obs"][table]}
        return observations, rewards, dones, each

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **named: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise InputError(f"tables have no method `{method_name}`. Known: action_masks.")
        masks = self.envs.action_masks()
        return [masks[table] for table in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise InputError("the attributes of tables cannot be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        self.envs.close()
