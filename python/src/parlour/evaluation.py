"""Evaluation of a policy: its score against opponents, and its place among built-in strategies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from . import arguments
from ._parlour import Environment, InputError
from .play import Path_, Progress, Strategy_, Variant_, run
from .result import Result

__all__ = ["Evaluation", "evaluate", "rate"]

Policy = Union[Strategy_, Callable[[Any, Any], Any]]
"""A function of `observations` (n × numbers, uint8) and `masks` (n × actions, bool) that returns n
actions; or a bot or strategy."""

LADDERS = {
    "leopard": ("random", "greedy", "brisk", "steady"),
    "leapfrog": ("random", "greedy", "careful", "lookahead-2"),
    "eleusis": ("random", "cautious", "bayes"),
}
"""The strategies that `rate` compares with by default."""


class Evaluation(Result):
    """The result of a policy. Everything that a `Result` has, and the numbers of the policy."""

    def __init__(self, result: Result, policy: str) -> None:
        super().__init__(result._summary, result.folder)
        row = next(row for row in self.table("strategies").rows() if row["strategy"] == policy)
        self.policy = policy
        """Name of the policy in the tables."""
        self.score: float = row["score"]
        """Share of the win, the mean over opponents; a draw with two seats is 0.5."""
        self.interval: tuple[float, float] = (row["score_low"], row["score_high"])
        """95 % interval of the score, from the variance between deals."""
        self.anchor: str | None = (self.experiment.get("anchor") or {}).get("strategy")
        """The strategy with rating 0, of `rate`."""
        self.rating: float | None = row["rating"] if self.anchor else None
        """Elo above the anchor; None if none can be fitted."""
        self.rating_interval: tuple[float, float] | None = None
        """95 % interval of the rating."""
        if self.anchor and row["rating_low"] is not None:
            self.rating_interval = (row["rating_low"], row["rating_high"])

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        experiment = self.experiment
        names = [it["name"] for it in experiment["strategies"]]
        variant, seats = experiment["variants"][0]["name"], len(experiment["tables"][0]["line_up"])
        others = [name for name in names if name != self.policy]
        low, high = (100 * end for end in self.interval)
        said = (
            f"`{self.policy}` scores {100 * self.score:.1f} % (95 % interval {low:.1f} to {high:.1f} %) "
            f"against {_listed(others)} under `{variant}`: {self.deals:,} deals, each from all {seats} seats"
        )
        if self.rating is not None:
            said += f". Its rating is {self.rating:.0f} Elo"
            if self.rating_interval:
                low, high = self.rating_interval
                said += f" (95 % interval {low:.0f} to {high:.0f})"
            said += f"; `{self.anchor}` has 0"
        return said + "."

    def __repr__(self) -> str:
        return f"<parlour.Evaluation: {self.sentence}>"


def evaluate(
    policy: Policy,
    game: str,
    variant: Variant_ | None = None,
    *,
    opponents: Strategy_ | Sequence[Strategy_] = "greedy",
    deals: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    out: Path_ | None = None,
    progress: Progress = True,
) -> Evaluation:
    """Scores a policy: every deal is played from all seats, against each of the opponents in turn,
    who then have all other seats.

    `policy` is a function of `observations` (n × numbers, uint8) and `masks` (n × actions, bool) that
    returns n actions, such as `lambda o, m: net(o, m).argmax(1)`, or a bot, or the name of a strategy.
    Its errors are raised. `out` is a folder for the files of the run. The result has `score`, `interval`, `sentence`, and all tables of a run.
    """
    bot, name = _bot(policy)
    variant = _variant(game, variant)
    rivals = _list(opponents)
    if not rivals:
        raise InputError("`opponents` is empty; name at least one strategy")
    others = Environment(game, variant).seats - 1
    entries = [bot, *rivals]
    names = [name, *(_name(rival) for rival in rivals)]
    line_ups = [[name, *[rival] * others] for rival in names[1:]]
    plan = {"schedule": "line-up", "line_ups": line_ups}
    return _played(entries, name, game, variant, plan, deals, seed, threads, out, progress)


def rate(
    policy: Policy,
    game: str,
    variant: Variant_ | None = None,
    *,
    anchor: str = "greedy",
    ladder: Sequence[Strategy_] | None = None,
    deals: int = 300,
    seed: int = 1,
    threads: int | None = None,
    out: Path_ | None = None,
    progress: Progress = True,
) -> Evaluation:
    """Places a policy among built-in strategies: all pairings of the policy and the `ladder` meet on
    the same deals, and the rating of the anchor is 0 Elo, as in `parlour tournament --anchor`. The
    variant has two seats. `policy` is as in `evaluate`; the result has `rating`, `rating_interval`,
    `sentence`, and all tables of a run."""
    bot, name = _bot(policy)
    rivals = _list(LADDERS.get(game, ()) if ladder is None else ladder)
    if anchor not in [_name(rival) for rival in rivals]:
        rivals = [anchor, *rivals]
    plan = {"anchor": {"strategy": anchor, "rating": 0}}
    variant = _variant(game, variant)
    return _played([bot, *rivals], name, game, variant, plan, deals, seed, threads, out, progress)


def _played(
    strategies: list[Any],
    name: str,
    game: str,
    variant: Variant_,
    plan: dict[str, Any],
    deals: int,
    seed: int,
    threads: int | None,
    out: Path_ | None,
    progress: Progress,
) -> Evaluation:
    if isinstance(variant, Mapping) and "name" not in variant:
        variant = {"name": "own", **variant}
    experiment = {"game": arguments.game(game), "variants": [variant], "strategies": strategies, **plan}
    result = run(
        experiment,
        name="evaluation",
        deals=deals,
        seed=seed,
        threads=threads,
        out=out,
        on_fault="raise",
        progress=progress,
    )
    return Evaluation(result, name)


def _variant(game: str, variant: Variant_ | None) -> Variant_:
    """The variant, by default the first of the game."""
    if variant is not None:
        return variant
    first: str = Environment(arguments.game(game)).facts["variant"]
    return first


def _bot(policy: Any) -> tuple[Any, str]:
    """The policy as a strategy of an experiment, and its name."""
    if isinstance(policy, (str, Mapping)) or hasattr(policy, "choose") or hasattr(policy, "choose_many"):
        return policy, _name(policy)
    if not callable(policy):
        what = arguments.type_name(policy)
        raise InputError(f"a policy is a function of observations and masks, or a bot, not {what}")
    return _Function(policy), _Function.name


class _Function:
    """A function as a batched bot."""

    name = "policy"

    def __init__(self, choose_many: Callable[[Any, Any], Any]) -> None:
        self.choose_many = choose_many


def _list(said: Any) -> list[Any]:
    """One strategy or several."""
    several = isinstance(said, Sequence) and not isinstance(said, str)
    return list(said) if several else [said]


def _name(strategy: Any) -> str:
    """The name that a strategy has in an experiment."""
    name = strategy.get("name") if isinstance(strategy, Mapping) else getattr(strategy, "name", None)
    if isinstance(name, str):
        return name
    if isinstance(strategy, str):
        return strategy
    if isinstance(strategy, Mapping):
        raise InputError("a strategy given as a dict needs a `name`")
    return str(getattr(strategy, "__name__", None) or type(strategy).__name__)


def _listed(names: list[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
