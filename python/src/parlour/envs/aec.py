"""Tables in PettingZoo's AEC interface: agents act one after the other."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .. import InputError
from .._parlour import Environment
from .planes import highest

Observation = dict[str, npt.NDArray[Any]]


class AECTable(AECEnv):  # type: ignore[misc]
    """Hands of a game; the agents `seat_0`, `seat_1` … choose in the order of the rules.

    `reset(seed=s)` deals the first hand of that seed, `reset()` the next one. `reset(seed=s,
    options={"deal": d})` deals the hand that is deal d of an experiment with this seed; there is no
    other option.
    """

    table: Environment

    def __init__(
        self,
        game: str,
        variant: str | dict[str, Any] | None = None,
        *,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise InputError(f"unknown render mode `{render_mode}`. Known: ansi, human.")
        self.table = Environment(game, variant, reward=reward)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        facts = self.table.facts
        self.facts = facts
        self.possible_agents = [f"seat_{seat}" for seat in range(facts["seats"])]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._observations() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(facts["count"]) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._seeded = False

    def _observations(self) -> spaces.Dict:
        high, count = highest(self.facts), self.facts["count"]
        return spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(high), high, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (count,), dtype=np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        requested = dict(options or {})
        # PettingZoo's own test passes an option of this name.
        unknown = sorted(str(name) for name in requested if name not in ("deal", "options"))
        if unknown:
            raise InputError(f"unknown option `{unknown[0]}`. Known: deal.")
        if seed is None and not self._seeded:
            seed = secrets.randbits(32)
        self.table.reset(seed, requested.get("deal"))
        self._seeded = True
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._update()

    def _update(self) -> None:
        seat = self.table.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            return
        for agent, reward in zip(self.possible_agents, self.table.rewards):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent] = True
        self._deads_step_first()

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise InputError("the hand is over; `reset` deals another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError(
                f"{agent} must choose an action; None is for agents whose hand is over"
            )
        self.table.step(action)
        self._cumulative_rewards[agent] = 0.0
        self._update()

    def observe(self, agent: str) -> Observation:
        seat = self._seat_of.get(agent)
        if seat is None:
            known = ", ".join(self.possible_agents)
            raise InputError(f"unknown agent `{agent}`. Known: {known}.")
        return self.table.observation(seat)

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        high = np.tile(highest(self.facts), len(self.possible_agents))
        return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)

    def state(self) -> npt.NDArray[np.uint8]:
        """The observations of all seats in one row (uint8), for central critics. No agent may see it."""
        return np.concatenate([self.table.observe(seat) for seat in range(self.table.seats)])

    def render(self) -> str | None:
        picture = self.table.picture()
        if self.render_mode == "human":
            print(picture)
            return None
        return picture

    def close(self) -> None:
        """Does nothing."""

    def clone(self) -> AECTable:
        """Copy of the hand with the same future chance."""
        other: AECTable = AECTable.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.table = self.table.clone()
        other.agents = self.agents[:]
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(other, name, dict(getattr(self, name)))
        other.infos = {agent: dict(info) for agent, info in self.infos.items()}
        return other


def wrapped(env: AECEnv) -> AECEnv:
    """Adds PettingZoo's wrappers: an illegal action ends the hand with reward -1."""
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
