"""Environments: single tables and vectors."""

import copy
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import parlour
import pytest
from parlour.envs import Environment, Vector, describe, split

GAMES: dict[str, list[Any]] = {
    "leopard": list(parlour.variants("leopard")),
    "leapfrog": ["murray", "froglet", "mini-4x5", {"base": "mini-5x5", "diagonal": True, "seats": 3}],
    "eleusis": list(parlour.variants("eleusis")),
}
EACH = [(game, variant) for game, variants in GAMES.items() for variant in variants]


def play(table: Environment, steps: int = 10**9) -> Environment:
    while table.seat is not None and steps > 0:
        table.step(table.sample())
        steps -= 1
    return table


@pytest.mark.parametrize("game, variant", EACH)
def test_masks_match_legal_actions_and_notations_parse(game: str, variant: Any) -> None:
    table = Environment(game, variant, seed=2)
    high = np.concatenate(
        [np.full(np.prod(plane["shape"]), plane["most"]) for plane in table.facts["planes"]]
    )
    for _ in range(60):
        legal = table.legal_actions()
        assert np.flatnonzero(table.mask()).tolist() == legal
        for action in legal:
            # The Eleusis corpus contains some rules twice; the first is as good.
            again = table.action(table.notation(action))
            assert again == action or table.notation(again) == table.notation(action)
        assert (table.observe() <= high).all()
        others = [seat for seat in range(table.seats) if seat != table.seat]
        assert not any(table.mask(seat).any() for seat in others)
        table.step(table.sample())
        if table.seat is None:
            assert abs(sum(table.rewards)) < 1e-6
            table.reset()


def test_seed_and_deal_determine_the_hand() -> None:
    one, two = Environment("leopard", seed=4, deal=2), Environment("leopard", seed=4)
    two.reset(deal=2)
    assert play(one).record() == play(two).record()
    two.reset()
    assert two.deal == 3
    two.reset(seed=9)
    assert (two.seed, two.deal) == (9, 0)


def test_views_moves_and_records_are_plain_objects() -> None:
    table = Environment("leopard", seed=1)
    assert json.loads(json.dumps(table.view(1)))["seat"] == 1
    assert len(table.view(0)["hand"]) == 9
    action = table.choose("greedy")
    table.step(action)
    assert table.past() == [(0, table.notation(action))]
    assert "stock" in play(table).picture()
    record = table.record()
    assert record["scores"] == table.points and record["deal"] == 0
    assert table.rewards in ([1.0, -1.0], [-1.0, 1.0], [0.0, 0.0])


def test_planes_match_the_view() -> None:
    table = Environment("leopard", seed=1)
    hand = split(table, table.observe())["hand"]
    assert hand.base is not None and hand.sum() == 9
    letters = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
    cards = [card for card, copies in zip(letters, hand) for _ in range(copies)]
    assert cards == table.view()["hand"]
    vector = Vector("leapfrog", 5, "mini-4x5")
    assert split(vector, vector.observations)["pieces"].shape == (5, 1, 4, 5)


def test_a_clone_continues_identically() -> None:
    table = play(Environment("eleusis", "express", seed=3), 9)
    other, third = table.clone(), copy.deepcopy(table)
    assert play(other).record() == play(table).record() == play(third).record()


@pytest.mark.parametrize("game, variant", EACH)
def test_a_pickled_table_continues_identically(game: str, variant: Any) -> None:
    table = play(Environment(game, variant, seed=5, deal=2, reward="margin"), 25)
    other = pickle.loads(pickle.dumps(table))
    while table.seat is not None:
        assert other.legal_actions() == table.legal_actions()
        action = table.sample()
        table.step(action)
        other.step(action)
    assert (other.record(), other.rewards) == (table.record(), table.rewards)
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(Vector("leopard", 2))


def test_a_strategy_accepts_positions_of_a_table() -> None:
    table = play(Environment("leopard", {"base": "revised", "knock_at": 8}, seed=1), 5)
    steady = parlour.strategy("leopard", "steady")
    assert table.position()["view"] == table.view()
    assert table.choose(steady) == table.choose("steady") == table.action(steady.choose(table))
    assert pickle.loads(pickle.dumps(steady)).choose(table) == steady.choose(table.position())
    with pytest.raises(parlour.InputError, match="`table.position..` of an .* has no `view`"):
        steady.choose(table.view())
    with pytest.raises(parlour.InputError, match="`game` is `eleusis`; it must be `leopard`"):
        steady.choose(Environment("eleusis"))


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda table: table.step(305), "action 305 (`knock`) is not legal here; "),
        (lambda table: table.step(400), "there is no action 400; actions are 0 to 305"),
        (lambda table: table.record(), "the hand is not over; seat 0 is to move"),
        (lambda table: table.observe(2), "there is no seat 2; seats are 0 to 1"),
        (lambda table: table.choose("stedy"), "Did you mean `steady`?"),
        (lambda table: table.action("7H o9x"), "`7H o9x` is not a move"),
        (lambda table: table.notation(306), "action 306 is no move"),
        (lambda table: play(table).sample(), "the hand is over"),
        (lambda table: play(table).step(0), "is over; `reset` deals another"),
        (lambda table: Environment("leopard", "revise"), "Did you mean `revised`?"),
        (lambda table: Environment("leopard", {"base": "revised", "nock": 1}), "field `nock`"),
        (lambda table: Environment("chess"), "unknown game `chess`"),
        (lambda table: Environment("leopard", reward="wins"), "Did you mean `win`?"),
        (lambda table: Environment("leopard", seed=-1), "`seed` is -1; it must be a whole number"),
        (lambda table: Environment("leopard", deal=2**64), "`deal` is 18446744073709551616; it must"),
        (lambda table: table.reset(deal=-1), "`deal` is -1"),
        (lambda table: table.reset(seed=1.5), "`seed` is 1.5"),
        (lambda table: table.view(-1), "there is no seat -1; seats are 0 to 1"),
        (lambda table: table.observe(300), "there is no seat 300; seats are 0 to 1"),
        (lambda table: table.step(10**30), f"there is no action {10**30}; actions are 0 to 305"),
        (lambda table: table.step(-1), "there is no action -1; actions are 0 to 305"),
    ],
)
def test_invalid_calls_are_refused(call: Callable[[Any], object], sentence: str) -> None:
    table = Environment("leopard", "revised", seed=1)
    with pytest.raises(parlour.InputError, match=re.escape(sentence)):
        call(table)


def test_a_vector_plays_the_hands_of_single_tables() -> None:
    vector = Vector("leopard", 3, "running-revised", seed=6, reward="points", threads=2)
    alone = [
        Environment("leopard", "running-revised", reward="points", seed=6, deal=deal)
        for deal in range(3)
    ]
    observations, masks, dones = vector.observations, vector.masks, vector.dones
    deals, ended = list(range(3)), 0
    for _ in range(300):
        for at, table in enumerate(alone):
            assert (observations[at] == table.observe()).all() and vector.seats[at] == table.seat
            assert (masks[at] == table.mask()).all()
        actions = vector.sample()
        for table, action in zip(alone, actions):
            table.step(int(action))
        vector.step(actions)
        for at, table in enumerate(alone):
            assert dones[at] == (table.seat is None)
            assert vector.rewards[at].tolist() == (table.rewards if dones[at] else [0, 0])
            if dones[at]:
                ended += 1
                deals[at] += 3
                table.reset(deal=deals[at])
    assert ended > 3 and observations is not None


def test_opponents_play_the_other_seats() -> None:
    vector = Vector("leopard", 64, opponents="greedy", seed=1)
    assert vector.rewards.shape == (64,) and set(vector.seats) == {0, 1}
    won = hands = 0
    for _ in range(300):
        vector.step(vector.sample())
        won += vector.rewards.sum()
        hands += vector.dones.sum()
    assert hands > 100 and won < -0.8 * hands


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda v: v.step(np.full(4, 305)), "table 0: action 305 (`knock`) is not legal here"),
        (lambda v: v.step([1, 2]), "there are 4 tables, but 2 actions"),
        (lambda v: v.step(np.zeros(4)), "actions are whole numbers in one row"),
        (lambda v: Vector("leopard", 0), "`n` is 0"),
        (lambda v: Vector("leopard", 4, seat=1), "there are none"),
        (lambda v: Vector("leopard", 4, opponents=["none-such"]), "none-such"),
        (lambda v: Vector("leopard", -1), "`n` is -1"),
        (lambda v: Vector("leopard", 4, seed=-1), "`seed` is -1"),
        (lambda v: Vector("leopard", 4, threads=-1), "`threads` is -1"),
        (lambda v: Vector("leopard", 4, opponents="greedy", seat=-1), "`seat` is -1"),
        (lambda v: Vector("leopard", 4, opponents="greedy", seat=300), "is 300; it must be from 0 to 1"),
        (lambda v: Vector(5, 4), "5 is no text; a name is wanted here"),  # type: ignore[arg-type]
        (lambda v: Vector("leopard", 4, opponents=["greedy"] * 2), "there is 1 other seat"),
        (lambda v: Vector("eleusis", 4, opponents=["random"] * 9), "other seats: name one for all"),
        (lambda v: Vector("leopard", 4, opponents=[]), "`opponents` is []; name a strategy"),
        (lambda v: v.reset(seed=10**40), "`seed` is 1000"),
    ],
)
def test_invalid_calls_of_a_vector_are_refused(call: Callable[[Any], object], sentence: str) -> None:
    vector = Vector("leopard", 4, seed=1)
    before = vector.observations.copy()
    with pytest.raises(parlour.InputError, match=re.escape(sentence)):
        call(vector)
    assert (vector.observations == before).all()
    vector.step(vector.sample().astype(np.int32))


@pytest.mark.parametrize("n", [4_000_000, 16_777_216])
def test_insufficient_memory_raises(n: int) -> None:
    code = f"""
import resource
import parlour
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
try:
    parlour.envs.Vector("leopard", {n}, threads=2)
except parlour.InputError as error:
    print(error)
print(len(parlour.envs.Vector("leopard", 1000, threads=2)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(rf"`n` is {n}: these tables need \d+\.\d GB .*\n1000\n", done.stdout)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked there")
def test_a_forked_process_needs_its_own_vector() -> None:
    vector = Vector("leopard", 4, threads=2)
    child = os.fork()
    if child == 0:
        try:
            vector.step(vector.sample())
        except parlour.InputError as error:
            os._exit(7 if "made in another process" in str(error) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    vector.step(vector.sample())


def test_arrays_can_be_left_out() -> None:
    vector = Vector("leopard", 4, observations=False, masks=False)
    vector.step(vector.sample())
    assert vector.observations is None and vector.masks is None


def test_describe_and_the_page_agree_with_the_games() -> None:
    page = (pathlib.Path(__file__).parents[2] / "docs/environments.md").read_text("utf-8")
    for game, variant in (("leopard", "revised"), ("leapfrog", "murray"), ("eleusis", "express")):
        table = Environment(game, variant)
        text = describe(table)
        assert all(f"| {plane['name']} |" in text for plane in table.facts["planes"])
        assert f"(`{variant}`) | {table.numbers:,} | {table.actions:,} |" in page
