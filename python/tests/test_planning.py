"""Planning without peeking: determinized tables, tables from positions, and their limits."""

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import parlour
import pytest
from parlour.envs import Environment

SECRET = {"base": "express", "secret": "red"}
EACH: list[tuple[str, Any]] = [
    ("leopard", "revised"),
    ("leopard", "running-revised"),
    ("leapfrog", "mini-4x5"),
    ("eleusis", "express"),
    ("eleusis", SECRET),
]


def play(table: Environment, steps: int = 10**9) -> Environment:
    while table.seat is not None and steps > 0:
        table.step(table.sample())
        steps -= 1
    return table


def moves_to_the_end(table: Environment) -> tuple[list[tuple[int, str]], list[float]]:
    play(table)
    return table.past(), table.rewards


@pytest.mark.parametrize("game, variant", EACH)
def test_a_determinized_table_agrees_with_what_the_seat_knows(game: str, variant: Any) -> None:
    table = play(Environment(game, variant, seed=5), 6)
    seat = table.seat
    assert seat is not None
    for who in range(table.seats):
        world = table.determinize(who, seed=3)
        assert world.view(who) == table.view(who)
        assert world.past(who) == table.past(who) and world.seat == seat
        assert (world.observe(who) == table.observe(who)).all()
        assert world.position(who) == table.position(who)
    world = table.determinize(seed=3)
    assert world.legal_actions() == table.legal_actions() and world.points
    assert moves_to_the_end(world) == moves_to_the_end(table.determinize(seat, seed=3))
    assert abs(sum(world.rewards)) < 1e-6
    assert table.past() == table.determinize().past(), "the table itself did not move"


def test_copies_peek_and_determinized_tables_do_not() -> None:
    table = play(Environment("leopard", "revised", seed=8), 4)
    makes: list[tuple[int, Callable[[], Environment]]] = [
        (1, lambda: table.clone()),
        (1, lambda: copy.copy(table)),
        (20, lambda: table.determinize()),
        (20, lambda: table.clone(hidden=False)),
    ]
    for count, make in makes:
        hands = {json.dumps(make().view(1 - (table.seat or 0))) for _ in range(20)}
        assert len(hands) == count
    first = table.determinize(seed=1).sample()
    draws = set()
    for seed in range(20):
        world = table.determinize(seed=seed)
        world.step(first)
        draws.add(json.dumps(world.view(1 - (table.seat or 0))))
    assert len(draws) > 10, "future draws differ, too"


def test_two_tables_that_a_seat_cannot_tell_apart_give_the_same_worlds() -> None:
    table = play(Environment("leopard", "revised", seed=8), 4)
    seat = table.seat
    twin = table.determinize(seat, seed=77)
    assert twin.view(1 - (seat or 0)) != table.view(1 - (seat or 0))
    one, two = table.determinize(seat, seed=5), twin.determinize(seat, seed=5)
    assert moves_to_the_end(one) == moves_to_the_end(two)
    assert (one.seed, one.deal) == (5, 0), "not those of the real deal"


def test_a_secret_rule_does_not_reach_a_determinized_table() -> None:
    table = play(Environment("eleusis", SECRET, seed=2), 5)
    assert table.facts["rules"]["secret"] == "red"
    seat = table.seat
    assert seat, "a player, not the dealer"
    worlds = [table.determinize(seed=seed) for seed in range(8)]
    assert len({world.view(0)["rule"] for world in worlds}) > 3
    for world in worlds:
        assert world.facts["rules"].get("secret") is None
        assert '"secret"' not in json.dumps(world.position())
        again = world.determinize(0)
        assert again.view(0)["rule"] == world.view(0)["rule"]
    assert table.determinize(0).view(0)["rule"] == table.view(0)["rule"], "the dealer knows it"


@pytest.mark.parametrize("game, variant", EACH)
def test_a_table_continues_from_a_position(game: str, variant: Any, tmp_path: Path) -> None:
    table = play(Environment(game, variant, seed=5, reward="points"), 6)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(table.position()), "utf-8")
    for position in (table.position(), table, file, str(file)):
        there = Environment.from_position(position, reward="points", seed=4)
        assert there.view(table.seat) == table.view() and there.past() == table.past()
        assert moves_to_the_end(there) == moves_to_the_end(table.determinize(seed=4))


def test_a_bot_opens_a_table_at_its_view() -> None:
    """A planner in six lines: the mean result of random hands after each move."""

    class Rollouts:
        def choose(self, view: parlour.View) -> int:
            table = Environment.from_position(view, seed=view.seed)
            assert table.seat == view.seat and table.view() == dict(view)
            values = [0.0] * len(view.moves)
            for index, move in enumerate(view.moves):
                for _ in range(4):
                    world = table.determinize()
                    world.step(move)
                    values[index] += play(world).rewards[view.seat]
            return int(np.argmax(values))

    result = parlour.match("leopard", Rollouts, "random", deals=10, progress=False)
    row = {row["strategy"]: row for row in result.table("strategies").rows()}["Rollouts"]
    assert row["faults"] == 0 and row["score"] > 0.7


def test_reset_samples_another_hidden_state() -> None:
    table = play(Environment("leopard", "revised", seed=5), 6)
    there = Environment.from_position(table, seed=1)
    hands = []
    for _ in range(5):
        hands.append(json.dumps(there.view(1 - (table.seat or 0))))
        play(there).reset()
        assert there.view(table.seat) == table.view() and there.deal == len(hands)
    assert len(set(hands)) == 5
    there.reset(seed=1)
    assert json.dumps(there.view(1 - (table.seat or 0))) == hands[0]


@pytest.mark.parametrize("game, variant", EACH)
def test_copies_of_a_determinized_table_go_on_alike(game: str, variant: Any) -> None:
    table = play(Environment(game, variant, seed=5, reward="points"), 6)
    for who in range(table.seats):
        world = play(table.determinize(who, seed=9), 3)
        other, third = world.clone(), copy.deepcopy(world)
        assert other.view(0) == world.view(0) and other.facts["reward"] == "points"
        while world.seat is not None:
            action = world.sample()
            for it in (world, other, third):
                it.step(action)
        assert world.rewards == other.rewards == third.rewards
        assert world.view(1) == other.view(1) == third.view(1)


def test_what_cannot_be_is_refused() -> None:
    table = play(Environment("leopard", "revised", seed=5), 6)
    with pytest.raises(parlour.InputError, match="a table from a position was not dealt: it has no record"):
        play(table.determinize()).record()
    with pytest.raises(parlour.InputError, match="cannot be pickled; pickle its `position..`"):
        pickle.dumps(table.determinize())
    with pytest.raises(parlour.InputError, match="it is not the turn of this view's seat"):
        Environment.from_position(table.position(1 - (table.seat or 0)))
    with pytest.raises(parlour.InputError, match="there is no seat 2; seats are 0 to 1"):
        table.determinize(2)
    with pytest.raises(parlour.InputError, match="`seed` is -1; it must be a whole number from 0"):
        table.determinize(seed=-1)
    right = table.position()

    def refused(position: Any, sentence: str) -> None:
        with pytest.raises(parlour.InputError) as caught:
            Environment.from_position(position)
        assert sentence in str(caught.value)

    refused({**right, "game": "lepard"}, "unknown game `lepard`. Did you mean `leopard`?")
    refused({"view": right["view"]}, "field `game` is `None`; it must be the name of a game")
    refused({**right, "view": {}}, "position: field `view`: missing field")
    refused({"game": "leopard"}, "this dict has no `view`")
    refused("nothing.json", "cannot read the file 'nothing.json'")
    refused(3, "not an int")
