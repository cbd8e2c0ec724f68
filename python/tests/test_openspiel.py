"""Games for OpenSpiel and OpenSpiel's bots."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import parlour
from conftest import ROOT
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts
from open_spiel.python.algorithms import minimax
from parlour import openspiel
from parlour.envs import Environment

# Four cards: 3,900 positions.
TINY = {"base": "toy", "deck": ["AS", "2S", "3S", "JC"]}

EACH: list[tuple[str, Any, dict[str, Any]]] = [
    ("leopard", "toy", {}),
    ("leopard", "toy", {"reward": "points"}),
    ("leopard", "revised", {"deals": 5}),
    ("leapfrog", "mini-3x3", {"reward": "margin"}),
    ("leapfrog", "murray-mini-3x3", {"deals": 5}),
    ("leapfrog", {"base": "mini-2x4", "first_to_leap": "lot"}, {}),
    ("eleusis", "express", {"deals": 5}),
]


@pytest.mark.parametrize("game, variant, options", EACH)
def test_the_tests_of_openspiel_pass(game: str, variant: Any, options: Any) -> None:
    loaded = openspiel.load(game, variant, **options)
    pyspiel.random_sim_test(
        loaded, num_sims=1 if game == "eleusis" else 2, serialize=True, verbose=False
    )


def test_types_say_what_the_rules_are() -> None:
    kind = pyspiel.GameType
    toy = openspiel.load("leopard", "toy").get_type()
    assert toy.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert toy.information == kind.Information.IMPERFECT_INFORMATION
    assert toy.utility == kind.Utility.ZERO_SUM
    points = openspiel.load("leopard", "toy", reward="points")
    assert points.get_type().utility == kind.Utility.GENERAL_SUM
    assert (points.min_utility(), points.max_utility()) == (-1, 41)
    frogs = openspiel.load("leapfrog", "mini-3x3", reward="margin")
    assert frogs.get_type().chance_mode == kind.ChanceMode.DETERMINISTIC
    assert frogs.get_type().information == kind.Information.PERFECT_INFORMATION
    assert (frogs.min_utility(), frogs.max_utility()) == (-9, 9)
    named = pyspiel.load_game("parlour_leopard(variant=toy)")
    assert str(named) == str(openspiel.load("leopard", "toy"))


def test_wrong_arguments_are_refused_in_words() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"chance": "explicit"}, "too many outcomes"),
        ({"chance": "all"}, "'explicit' or 'sampled'"),
        ({"deals": 0}, "from 1"),
        ({"reward": "wins"}, "Did you mean `win`?"),
        ({"variant": "toi"}, "toi"),
    ]
    for wrong, words in cases:
        with pytest.raises(parlour.InputError, match=words):
            openspiel.load("leopard", **wrong)
    with pytest.raises(parlour.InputError, match="chosen"):
        (_, table), *_ = Environment("leopard", "toy").outcomes() or []
        pickle.dumps(table)
    assert Environment("leopard").outcomes() is None


def decisions(state: Any) -> Any:
    """All states in which a player chooses, below a state."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        yield state
    for action in state.legal_actions():
        yield from decisions(state.child(action))


def known(rules: Any, state: Any, seat: int) -> str:
    """All that a seat saw at its turns, found by playing the hand again."""
    table: Any = Environment("leopard", rules)
    outcomes, saw = table.outcomes(), []
    for pair in state.full_history():
        if pair.player == pyspiel.PlayerId.CHANCE:
            table, outcomes = outcomes[pair.action][1], None
            continue
        if pair.player == seat:
            saw.append((table.view(seat), table.past(seat)))
        outcomes = table.outcomes(pair.action)
        if sum(weight for weight, _ in outcomes) == 1:
            table, outcomes = outcomes[0][1], None
    return json.dumps([*saw, (table.view(seat), table.past(seat))])


def test_information_states_are_all_that_a_seat_saw() -> None:
    texts: Any = defaultdict(set)
    facts: Any = defaultdict(set)
    # Five cards, so that both seats have hidden cards.
    rules = {"base": "toy", "deck": ["AS", "AS", "JC", "JC", "QC"]}
    for state in decisions(openspiel.load("leopard", rules).new_initial_state()):
        seat = state.current_player()
        text = state.information_state_string(seat)
        truth = known(rules, state, seat)
        texts[text].add((seat, truth))
        facts[seat, truth].add(text)
        tensor = tuple(state.information_state_tensor(seat))
        texts[seat, tensor].add(text)
        facts[seat, text].add(tensor)
    assert len(facts) > 100
    assert all(len(same) == 1 for same in [*texts.values(), *facts.values()])


def best_response(worlds: list[tuple[float, Any]], seat: int) -> float:
    """Value of the best response to uniformly random play, found without OpenSpiel: `worlds` are
    tables that the seat cannot tell apart, with their probabilities."""
    value, groups = 0.0, defaultdict(list)
    while worlds:
        chance, table = worlds.pop()
        if table.seat is None:
            value += chance * table.rewards[seat]
        elif table.seat == seat:
            groups[json.dumps([table.view(seat), table.past(seat)])].append((chance, table))
        else:
            legal = table.legal_actions()
            for action in legal:
                worlds += after(table, action, chance / len(legal))
    for group in groups.values():
        value += max(
            best_response(
                [world for chance, table in group for world in after(table, action, chance)], seat
            )
            for action in group[0][1].legal_actions()
        )
    return value


def after(table: Any, action: int | None, chance: float) -> list[tuple[float, Any]]:
    outcomes = table.outcomes(action)
    total = sum(weight for weight, _ in outcomes)
    return [(chance * weight / total, table) for weight, table in outcomes]


@pytest.mark.parametrize("rules", [TINY, {**TINY, "deck": ["AS", "2S", "2S", "3S"]}])
def test_exploitability_is_that_of_an_exact_best_response(rules: Any) -> None:
    game = openspiel.load("leopard", rules)
    found = exploitability.nash_conv(
        game, policy.UniformRandomPolicy(game), return_only_nash_conv=False
    )
    deal = after(Environment("leopard", rules), None, 1.0)
    exact = [best_response(list(deal), seat) for seat in (0, 1)]
    assert sum(exact) == pytest.approx(found.nash_conv)
    assert found.nash_conv > 0.1


def test_regret_minimization_approaches_an_equilibrium() -> None:
    game = openspiel.load("leopard", TINY)
    solver, found = cfr.CFRSolver(game), []
    for times in (1, 4):
        for _ in range(times):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[1] < 0.5 * found[0]
    sampled = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(10):
        sampled.iteration()
    uniform = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    assert exploitability.exploitability(game, sampled.average_policy()) < uniform


def test_learning_environments_and_nfsp_run() -> None:
    nfsp = pytest.importorskip("open_spiel.python.pytorch.nfsp")
    env = rl_environment.Environment(openspiel.load("leopard", "toy"))
    width, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [nfsp.NFSP(seat, width, actions, [32], 1000, 0.1) for seat in (0, 1)]
    for _ in range(5):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert sum(step.rewards) == 0


@pytest.mark.parametrize("variant", ["toy", "revised"])
def test_resampled_states_look_the_same_to_the_player(variant: str) -> None:
    game = openspiel.load("leopard", variant, deals=3)
    state, seats = game.new_initial_state(), set()
    random.seed(2)
    while not state.is_terminal():
        if not state.is_chance_node():
            for player in (0, 1):
                hands = set()
                for _ in range(8):
                    other = state.resample_from_infostate(player, random.random)
                    assert other.information_state_string(player) == state.information_state_string(
                        player
                    )
                    assert other.observation_tensor(player) == state.observation_tensor(player)
                    assert (
                        other.legal_actions() == state.legal_actions()
                        or player != state.current_player()
                    )
                    hands.add(other.observation_string(1 - player))
                seats |= {player} if len(hands) > 1 else set()
        state.apply_action(random.choice(state.legal_actions()))
    assert seats == {0, 1}, "hidden cards differ"


def test_resampling_weighs_hidden_cards_by_their_number() -> None:
    rules = {"base": "toy", "deck": ["AS", "2S", "2S", "3S", "JC"]}
    start = openspiel.load("leopard", rules).new_initial_state()
    deals = map(start.child, start.legal_actions())
    state = next(it for it in deals if hand(it, 0) == ["AS", "3S"])
    random.seed(4)
    hands = [hand(state.resample_from_infostate(0, random.random), 1) for _ in range(3000)]
    assert hands.count(["2S"]) / len(hands) == pytest.approx(2 / 3, abs=0.03)
    assert hands.count(["JC"]) / len(hands) == pytest.approx(1 / 3, abs=0.03)


def hand(state: Any, seat: int) -> Any:
    return json.loads(state.observation_string(seat))["hand"]


def test_the_value_of_leap_frog_is_that_of_the_solver(program: Path) -> None:
    for size in ("1x5", "2x3", "3x3"):
        game = openspiel.load("leapfrog", f"mini-{size}", reward="margin")
        value, _ = minimax.alpha_beta_search(game)
        asked = [program, "solve", "leapfrog", f"mini-{size}", "--json"]
        solved = json.loads(
            subprocess.run(list(map(str, asked)), capture_output=True, check=True).stdout
        )
        assert value == solved["value"], solved


def test_random_games_agree_with_the_engine() -> None:
    script = ROOT / "scripts" / "openspiel-agreement.py"
    subprocess.run([sys.executable, str(script), "200"], check=True)


def uniform(game: Any, player: int, seed: int) -> Any:
    return pyspiel.make_uniform_random_bot(player, seed % 2**31)


def search(game: Any, player: int, seed: int) -> Any:
    evaluator = mcts.RandomRolloutEvaluator(1)
    return ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=20)


def test_bots_of_openspiel_play_in_tournaments() -> None:
    small = {"name": "small", "base": "toy", "deck": ["AS", "2S", "3S", "2C", "3C"]}
    runs: list[tuple[str, Any, Any, int]] = [
        ("leopard", small, search, 3),
        ("leopard", "revised", uniform, 2),
    ]
    runs += [("leapfrog", "mini-4x4", uniform, 3), ("eleusis", "express", uniform, 2)]
    for game, variant, make, deals in runs:
        seats = 4 if game == "eleusis" else None
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # A fault of the bot is a warning.
            result = parlour.match(
                game,
                openspiel.bot(make),
                "random",
                variant=variant,
                seats=seats,
                deals=deals,
                progress=False,
            )
        assert result.deals == deals
        assert make.__name__ in result.answer
