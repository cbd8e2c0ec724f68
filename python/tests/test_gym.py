"""Gymnasium environments: Gymnasium's own checks, autoreset modes, masks, wrong input."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import parlour
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from parlour.envs import GymEnv, GymVectorEnv, Vector

GAMES = ["Leopard", "LeapFrog", "Eleusis"]
MODES = list(AutoresetMode)


def sample(envs: Any) -> Any:
    """A random legal action for each table; 0 where the hand is over."""
    return np.maximum(envs.unwrapped.tables.sample(), 0)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("rescale", [False, True])
def test_gymnasiums_check_passes(name: str, rescale: bool) -> None:
    # Its actions are random, so illegal ones must end the hand.
    env = gymnasium.make(
        f"parlour/{name}-v0", illegal_reward=-1, render_mode="ansi", rescale=rescale
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("name", GAMES)
def test_hands_of_masked_actions(name: str) -> None:
    env = gymnasium.make(f"parlour/{name}-v0", opponent="random")
    env.action_space.seed(1)
    ends = set()
    for hand in range(6):
        observation, info = env.reset(seed=hand)
        over = False
        while not over:
            mask = info["action_mask"]
            assert (mask == env.get_wrapper_attr("action_masks")()).all()
            observation, reward, over, truncated, info = env.step(env.action_space.sample(mask))
            assert observation in env.observation_space and not truncated
            assert over or reward == 0
        ends.add(reward)
    assert len(ends) > 1


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = GymEnv("leopard", "revised")
    observation, info = env.reset(seed=1)
    for action, said in [
        (305, "`knock`. is not legal here"),
        (306, "no action 306"),
        (-1, "no action -1"),
    ]:
        with pytest.raises(parlour.InputError, match=said):
            env.step(action)
    wrong: Any
    for wrong in (0.5, None):
        with pytest.raises(parlour.InputError, match="whole numbers"):
            env.step(wrong)
    legal = int(info["action_mask"].argmax())
    other = GymEnv("leopard", "revised")
    other.reset(seed=1)
    assert (env.step(legal)[0] == other.step(legal)[0]).all()


def test_an_illegal_action_can_end_the_hand() -> None:
    env = GymEnv("leopard", "revised", illegal_reward=-2)
    first, _ = env.reset(seed=1)
    observation, reward, over, _, info = env.step(305)
    assert (observation == first).all() and reward == -2 and over and info["action_mask"].all()
    with pytest.raises(parlour.InputError, match="`reset` deals the next one"):
        env.step(0)
    second, _ = env.reset()
    two = Vector("leopard", 1, "revised", opponents="random", autoreset=False, seed=1)
    two.step([-2])
    assert (second == two.observations[0]).all(), "the next deal of the seed"


def test_a_finished_hand_cannot_be_stepped() -> None:
    env = GymEnv("leopard", "revised")
    env.reset(seed=1)
    while not env.step(env.tables.sample()[0])[2]:
        pass
    with pytest.raises(parlour.InputError, match="`reset` deals the next one"):
        env.step(0)


@pytest.mark.parametrize("mode", MODES)
def test_one_table_is_gymnasiums_vector_of_one_environment(mode: AutoresetMode) -> None:
    ours = GymVectorEnv("leopard", 1, "revised", opponent="greedy", autoreset_mode=mode)
    theirs: Any = SyncVectorEnv(
        [lambda: GymEnv("leopard", "revised", opponent="greedy")], autoreset_mode=mode
    )
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode
    both = [ours, theirs]
    seen = [envs.reset(seed=5) for envs in both]
    ends = 0
    for step in range(200):
        (observations, infos), (expected, known) = [(one[0], one[-1]) for one in seen]
        assert observations.dtype == expected.dtype and (observations == expected).all()
        for name in known.keys() - {"final_info"}:
            assert all((a == b).all() for a, b in zip(infos[name], known[name])), name
        assert infos.keys() == known.keys()
        if step and seen[0][2].any():
            ends += 1
            assert seen[0][1] == seen[1][1] != 0 and seen[1][2].all()
            if mode is AutoresetMode.DISABLED:
                chosen = {"reset_mask": np.ones(1, bool)}
                seen = [envs.reset(options=dict(chosen)) for envs in both]
        action = sample(ours).copy()
        seen = [envs.step(action) for envs in both]
    assert ends > 2


def test_autoreset_modes_play_the_same_hands() -> None:
    """Steps after which no hand was over, of all modes, are those of `Vector`."""
    n = 16
    tables = Vector("leopard", n, "revised", opponents="greedy", seed=3)
    all_envs = {
        mode: GymVectorEnv("leopard", n, "revised", opponent="greedy", autoreset_mode=mode)
        for mode in MODES
    }
    for envs in all_envs.values():
        assert (envs.reset(seed=3)[0] == tables.observations).all()
    for _ in range(100):
        actions = tables.sample().copy()
        tables.step(actions)
        for mode, envs in all_envs.items():
            observations, rewards, over, truncated, infos = envs.step(actions)
            assert (rewards == tables.rewards).all() and (over == tables.dones).all()
            assert (
                not truncated.any() and (infos["action_mask"][~over] == tables.masks[~over]).all()
            )
            if mode is AutoresetMode.SAME_STEP:
                assert (observations == tables.observations).all()
                assert over.any() == ("final_obs" in infos)
                continue
            # What ended is dealt again, and nothing else moves.
            assert not over.any() or (infos["action_mask"][over] == 1).all()
            if mode is AutoresetMode.DISABLED and over.any():
                with pytest.raises(parlour.InputError, match="the hand is over; reset it"):
                    envs.step(actions)
                observations, infos = envs.reset(options={"reset_mask": over})
                assert (observations == tables.observations).all()
            elif over.any():
                envs.tables.step(np.where(over, -2, -1))
                envs._over[:] = False
                assert (envs.tables.observations == tables.observations).all()


def test_next_step_ignores_the_action_after_the_end() -> None:
    envs = GymVectorEnv("leopard", 8, "revised")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs.reset(seed=1)
    over, dealt = np.zeros(8, bool), 0
    for _ in range(60):
        actions = np.where(over, -1, sample(envs))
        _, rewards, ended, _, _ = envs.step(actions)
        assert not ended[over].any() and not rewards[over].any()
        dealt += int(over.sum())
        over = ended
    assert dealt > 3


def test_wrappers_of_gymnasium_count_episodes() -> None:
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = gymnasium.make_vec("parlour/Leopard-v0", 8, variant="revised", autoreset_mode=mode)
        wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
        wrapped.reset(seed=1)
        for _ in range(60):
            wrapped.step(sample(envs))
        assert wrapped.episode_count > 5 and set(wrapped.return_queue) <= {-1.0, 0.0, 1.0}


def test_rescaled_observations_are_floats_from_0_to_1() -> None:
    plain = GymVectorEnv("leopard", 64, "revised")
    scaled = GymVectorEnv("leopard", 64, "revised", rescale=True)
    plain.reset(seed=1), scaled.reset(seed=1)
    for _ in range(30):
        actions = sample(plain)
        observations, floats = plain.step(actions)[0], scaled.step(actions)[0]
        assert floats in scaled.observation_space and floats.dtype == np.float32
        assert np.allclose(observations * plain.scale, floats)
    assert floats.max() == 1


def test_arrays_are_copies_unless_the_caller_forgoes_them() -> None:
    for copy in (True, False):
        envs = GymVectorEnv("leopard", 4, copy=copy)
        first, infos = envs.reset(seed=1)
        second, _, _, _, other = envs.step(sample(envs))
        assert np.shares_memory(first, second) != copy
        assert np.shares_memory(infos["action_mask"], other["action_mask"]) != copy


def test_seeds_select_hands() -> None:
    env = GymEnv("leopard", "revised")
    hands = [env.reset(seed=7)[0], env.reset()[0], env.reset(seed=7)[0], env.reset()[0]]
    assert (hands[0] == hands[2]).all() and (hands[1] == hands[3]).all()
    assert (hands[0] != hands[1]).any()
    unseeded = [GymEnv("leopard", "revised", seat=0).reset()[0] for _ in range(2)]
    assert (unseeded[0] != unseeded[1]).any()


def test_the_learner_keeps_its_seat_and_meets_its_opponent() -> None:
    envs = GymVectorEnv("leopard", 32, "revised", opponent="greedy", seat=1, reward="margin")
    envs.reset(seed=1)
    results: list[float] = []
    for _ in range(100):
        _, rewards, over, _, _ = envs.step(sample(envs))
        assert (envs.tables.seats == 1).all()
        results.extend(rewards[over])
    assert len(results) > 50 and np.mean(results) < -2, "random play loses to greedy"


def test_wrong_options_are_refused() -> None:
    with pytest.raises(parlour.InputError, match="unknown autoreset mode `Next`. Known: NextStep"):
        GymVectorEnv("leopard", 2, autoreset_mode="Next")
    with pytest.raises(
        parlour.InputError, match="unknown render mode `rgb_array`. Known: ansi, human"
    ):
        GymEnv("leopard", render_mode="rgb_array")
    with pytest.raises(parlour.InputError, match="greedy"):
        GymEnv("leopard", opponent="gredy")
    for make in (GymEnv, GymVectorEnv):
        with pytest.raises(parlour.InputError, match="`opponent` is None; name a strategy"):
            make("leopard", opponent=None)
    with pytest.raises(parlour.InputError, match="`n` is 0"):
        GymVectorEnv("leopard", 0)
    envs = GymVectorEnv("leopard", 2)
    with pytest.raises(parlour.InputError, match="unknown option `deal`. Known: reset_mask."):
        envs.reset(options={"deal": 3})
    with pytest.raises(parlour.InputError, match="array of 2 booleans"):
        envs.reset(options={"reset_mask": [1, 0]})
    with pytest.raises(parlour.InputError, match="leave out `reset_mask`"):
        envs.reset(seed=1, options={"reset_mask": [True, False]})
    with pytest.raises(parlour.InputError, match="unknown option `deal`"):
        GymEnv("leopard").reset(options={"deal": 3})
    unknown = "unknown option `varient`. Did you mean `variant`? Known: game, "
    for gym_make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(parlour.InputError, match=re.escape(unknown)):
            gym_make("parlour/Leopard-v0", varient="revised")
    with pytest.raises(parlour.InputError, match="there are 2 tables, but 3 actions"):
        envs.step(np.zeros(3, int))


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    envs = GymVectorEnv("leopard", 2, render_mode="ansi")
    pictures = envs.render()
    assert pictures and len(pictures) == 2 and "stock" in pictures[0]
    env = GymEnv("leopard", "revised", render_mode="human")
    env.reset(seed=1)
    assert "your hand" in capsys.readouterr().out
    assert env.render() is None


def test_sb3_learns_with_masks() -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    from parlour.envs import SB3VecEnv
    from stable_baselines3.common.vec_env import VecMonitor

    envs = SB3VecEnv("leopard", 4, "revised", opponent="greedy")
    model = sb3.MaskablePPO("MlpPolicy", VecMonitor(envs), n_steps=32, batch_size=64, seed=1)
    model.learn(256)
    assert len(model.ep_info_buffer) > 3
    envs.seed(3)
    expected, _ = GymVectorEnv("leopard", 4, "revised", opponent="greedy").reset(seed=3)
    assert (envs.reset() == expected).all()
    for _ in range(60):
        masks = envs.env_method("action_masks")
        assert (np.stack(masks) == envs.envs.action_masks()).all()
        _, _, dones, infos = envs.step(sample(envs.envs))
        assert ["terminal_observation" in info for info in infos] == list(dones)
    with pytest.raises(parlour.InputError, match="no method `fly`"):
        envs.env_method("fly")
    with pytest.raises(parlour.InputError, match="`oponent`. Did you mean `opponent`"):
        SB3VecEnv("leopard", 4, oponent="greedy")


def test_sb3_takes_one_table() -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.env_checker import check_env as check_for_sb3

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_for_sb3(GymEnv("leopard", "revised", illegal_reward=-1))
    env = gymnasium.make("parlour/Leopard-v0", opponent="greedy")
    sb3.MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, seed=1).learn(64)


def test_torchrl_takes_masks_from_pettingzoo() -> None:
    pytest.importorskip("torchrl")
    from parlour.envs import leopard_v0
    from torchrl.envs import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs

    env = PettingZooWrapper(leopard_v0.env("revised"), use_mask=True)
    check_env_specs(env)
    rollout = env.rollout(20)
    assert rollout.batch_size[0] == 20


def test_environments_are_in_pettingzoos_registry() -> None:
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    import parlour.envs

    env = pettingzoo.make("aec", "parlour/leopard_v0", variant="running-revised")
    env.reset(seed=1)
    assert env.unwrapped.table.facts["variant"] == "running-revised"
