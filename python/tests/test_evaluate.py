"""Evaluation of policies, recorded hands as learning data, and complete docstrings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import parlour
import pytest
from parlour.envs import Environment, Vector, leopard_v0, replay


def first(observations: Any, masks: Any) -> Any:
    """The first legal action."""
    return masks.argmax(1)


def test_an_evaluation_is_written_to_a_folder(tmp_path: Path) -> None:
    found = parlour.evaluate(first, "leopard", deals=5, out=tmp_path / "it", progress=False)
    assert len(found.manifest["results_digest"]) == 64


def test_a_policy_is_scored_from_all_seats() -> None:
    found = parlour.evaluate(first, "leopard", deals=60, progress=False)
    row = found.table("matchups").rows()[0]
    assert (row["deals"], row["matches"], {row["strategy"], row["opponent"]}) == (60, 120, {"policy", "greedy"})
    assert 0 <= found.interval[0] <= found.score <= found.interval[1] < 0.3
    assert found.sentence.startswith("`policy` scores ") and found.rating is None
    assert "against `greedy` under `revised`: 60 deals, each from all 2 seats." in found.sentence
    assert found.sentence in repr(found) and found.ratings is not None
    same = parlour.evaluate(first, "leopard", deals=60, threads=2, progress=False)
    assert (same.score, same.interval) == (found.score, found.interval)


def test_a_policy_meets_each_opponent_under_any_variant() -> None:
    rules = {"base": "revised", "knock_at": 8}
    several = parlour.evaluate(first, "leopard", rules, opponents=["random", "greedy"], deals=20, progress=False)
    assert len(several.table("matchups").rows()) == 2
    assert "`random` and `greedy` under `own`" in several.sentence
    many = parlour.evaluate(first, "eleusis", "express", opponents="random", deals=5, progress=False)
    assert "5 deals, each from all 4 seats" in many.sentence
    # Names and bots work, too: one evaluation is that of a match.
    steady = parlour.evaluate("steady", "leopard", "original", deals=50, progress=False)
    match = parlour.match("leopard", "steady", "greedy", variant="original", deals=50, progress=False)
    assert steady.table("matchups").rows() == match.table("matchups").rows()


def test_a_policy_is_placed_on_the_ladder() -> None:
    rated = parlour.rate(first, "leopard", deals=40, progress=False)
    assert rated.rating is not None and rated.rating_interval is not None
    assert rated.rating_interval[0] < rated.rating < rated.rating_interval[1] < 0
    assert rated.sentence.endswith("; `greedy` has 0.") and "Elo (95 % interval" in rated.sentence
    other = parlour.rate("steady", "leopard", anchor="random", ladder=["greedy"], deals=20, progress=False)
    assert other.rating is not None and other.rating > 500 and other.anchor == "random"


def test_an_evaluation_refuses_what_is_wrong() -> None:
    def broken(observations: Any, masks: Any) -> Any:
        raise ZeroDivisionError("a bug")

    with pytest.raises(parlour.FailedError, match="`policy` failed: ZeroDivisionError") as caught:
        parlour.evaluate(broken, "leopard", deals=5, progress=False)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(parlour.FailedError, match="which is masked or does not exist"):
        parlour.evaluate(lambda o, m: m.argmin(1), "leopard", deals=5, progress=False)
    anything: Any = 3
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: parlour.evaluate(anything, "leopard"), "a policy is a function of observations and masks"),
        (lambda: parlour.evaluate(first, "lepard"), "unknown game `lepard`"),
        (lambda: parlour.evaluate(first, "leopard", "revise"), "Did you mean `revised`"),
        (lambda: parlour.evaluate(first, "leopard", opponents="gredy"), "Did you mean `greedy`"),
        (lambda: parlour.evaluate(first, "leopard", opponents=[]), "`opponents` is empty"),
        (lambda: parlour.rate(first, "eleusis", "express", anchor="random"), "pairings need 2"),
        (lambda: parlour.rate(first, "leopard", anchor="gredy"), "Did you mean `greedy`"),
    ]
    for call, sentence in calls:
        with pytest.raises(parlour.InputError, match=sentence):
            call()


@pytest.mark.parametrize("game, variant", [("leopard", "running-revised"), ("leapfrog", "murray"), ("eleusis", "express")])
def test_recorded_hands_are_replayed(game: str, variant: str, tmp_path: Path) -> None:
    players = [{"name": name, "base": "random"} for name in "ab"]
    table = Environment(game, variant)
    line_ups = [["a", "b"] * (table.seats // 2)]
    experiment = {"game": game, "variants": [variant], "strategies": players, "deals": 2}
    more = {"schedule": "line-up", "line_ups": line_ups}
    run = parlour.run({**experiment, **more}, out=tmp_path / "x", records=True, progress=False)
    for record in run.records():
        if record["hand"] > 0:
            with pytest.raises(parlour.InputError, match="a later hand of a match"):
                next(replay(table, record))
            continue
        choices = 0
        for seat, action in replay(table, record):
            assert seat == table.seat and action in table.legal_actions()
            choices += 1
        assert table.seat is None and table.points == record["scores"] and choices > 10
    with pytest.raises(parlour.InputError, match="the record is of another game"):
        next(replay(Environment("leopard" if game != "leopard" else "leapfrog"), record))
    with pytest.raises(parlour.InputError, match="a record is a dict"):
        next(replay(table, 3))  # type: ignore[arg-type]


def test_strategies_are_given_as_names_dicts_and_objects() -> None:
    greedy = parlour.strategy("leopard", "greedy")
    small: Mapping[str, Any] = {"base": "ismcts-250", "budget": {"iterations": 4}}
    pairs: list[tuple[Any, Any]] = [
        ("greedy", greedy),
        (["greedy"], [greedy]),
        (small, parlour.strategy("leopard", small)),
    ]
    for pair in pairs:
        vectors = [Vector("leopard", 4, opponents=it, seed=3) for it in pair]
        for _ in range(20):
            action = vectors[0].sample()
            for vector in vectors:
                vector.step(action)
        assert (vectors[0].observations == vectors[1].observations).all()
    table = Environment("leopard", seed=3)
    assert table.choose(greedy) == table.choose("greedy") == table.choose({"base": "greedy"})
    with pytest.raises(parlour.InputError, match="`greedy` is a strategy of leopard; this is leapfrog"):
        Vector("leapfrog", 4, opponents=greedy)
    with pytest.raises(parlour.InputError, match="unknown field `bse`|kind"):
        Vector("leopard", 4, opponents={"bse": "greedy"})


def test_public_members_have_docstrings() -> None:
    module = parlour._parlour
    classes = [getattr(module, name) for name in dir(module) if isinstance(getattr(module, name), type)]
    classes += [parlour.Result, parlour.Evaluation, parlour.SampleSize]
    missing = [
        f"{it.__name__}.{name}"
        for it in classes
        for name in dir(it)
        if name[0] != "_" and not issubclass(it, BaseException) and not getattr(it, name).__doc__
    ]
    missing += [name for name in parlour.__all__ if name not in ("Bot", "__version__") and not getattr(parlour, name).__doc__]
    assert missing == []


def test_dir_lists_the_public_names() -> None:
    assert sorted([*parlour.__all__, "envs"]) == dir(parlour)
    assert "envs" in dir(parlour) and "importlib" not in dir(parlour)


def test_state_joins_the_observations_of_all_seats() -> None:
    env = leopard_v0.env("revised")
    env.reset(seed=1)
    state = env.state()
    assert env.unwrapped.state_space.contains(state)
    seats = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert (state == np.concatenate(seats)).all()
