"""PettingZoo's own tests, illegal actions and finished hands."""

import copy
import pickle
import warnings
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import parlour
from parlour.envs import eleusis_v0, leapfrog_v0, leopard_v0
from pettingzoo.test import api_test, seed_test

EACH = [
    (leopard_v0, None),
    (leopard_v0, "running-revised"),
    (leapfrog_v0, "murray-mini-6x6"),
    (leapfrog_v0, {"base": "mini-5x5", "seats": 4}),
    (eleusis_v0, "eleusis"),
    (eleusis_v0, "express"),
]


@pytest.mark.parametrize("game, variant", EACH)
def test_pettingzoo_tests_pass(game: Any, variant: Any) -> None:
    with warnings.catch_warnings():
        # Observations are dicts with a mask, as PettingZoo's classic environments have them.
        warnings.simplefilter("ignore", UserWarning)
        api_test(game.env(variant), num_cycles=200)
        api_test(game.raw_env(variant), num_cycles=200)
        seed_test(lambda: game.env(variant), num_cycles=100)


def hand(env: Any) -> dict[str, float]:
    last: dict[str, float] = {}
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        last[agent] = reward
        env.step(None if over else env.unwrapped.table.sample())
    return last


def test_rewards_come_at_the_end() -> None:
    env = leopard_v0.env("revised")
    env.reset(seed=5)
    rewards = hand(env)
    assert sorted(rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])
    env = leopard_v0.raw_env("revised", reward="points")
    env.reset(seed=5)
    rewards = hand(env)
    assert list(rewards.values()) == env.table.points


def test_an_illegal_action_ends_the_hand_only_in_wrappers() -> None:
    env = leopard_v0.env()
    env.reset(seed=1)
    env.step(305)
    assert all(env.terminations.values()) and env.rewards["seat_0"] == -1
    raw = leopard_v0.raw_env()
    raw.reset(seed=1)
    with pytest.raises(parlour.InputError, match="`knock`. is not legal here"):
        raw.step(305)
    raw.step(raw.table.sample())


def test_invalid_options_and_seeds_are_refused() -> None:
    raw = leopard_v0.raw_env()
    with pytest.raises(parlour.InputError, match="unknown option `dael`. Known: deal."):
        raw.reset(options={"dael": 3})
    with pytest.raises(parlour.InputError, match="`seed` is -3"):
        raw.reset(seed=-3)


def test_a_finished_hand_cannot_be_stepped() -> None:
    raw = leopard_v0.raw_env()
    raw.reset(seed=1)
    hand(raw)
    with pytest.raises(parlour.InputError, match="`reset` deals another"):
        raw.step(0)


def test_a_clone_continues_independently() -> None:
    env = leopard_v0.raw_env()
    env.reset(seed=3, options={"deal": 8})
    assert env.table.deal == 8
    for _ in range(4):
        env.step(env.table.sample())
    other = env.clone()
    copied, pickled = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    rewards = hand(other)
    assert env.agents and not other.agents
    for same in (env, copied):
        assert hand(same) == rewards
    # Only `sample` draws again.
    assert sum(hand(pickled).values()) == 0


def test_wrapped_environments_copy_and_pickle() -> None:
    env = leopard_v0.env()
    env.reset(seed=3)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = env.last()[0]["observation"]
        assert (other.last()[0]["observation"] == before).all()
        other.step(other.unwrapped.table.sample())
        assert (env.last()[0]["observation"] == before).all()
    with pytest.raises(parlour.InputError, match="unknown agent `nobody`. Known: seat_0, seat_1."):
        env.unwrapped.observe("nobody")


def test_render() -> None:
    env = leopard_v0.raw_env(render_mode="ansi")
    env.reset(seed=3)
    assert "stock" in str(env.render())
    with pytest.raises(parlour.InputError, match="render mode"):
        leopard_v0.raw_env(render_mode="rgb_array")
