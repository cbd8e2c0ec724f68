"""Games for OpenSpiel, and OpenSpiel's bots at parlour's tables.

>>> from parlour import openspiel
>>> game = openspiel.load("leopard", "toy")
>>> state = game.new_initial_state()
>>> len(state.chance_outcomes())
30
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from fractions import Fraction
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

try:
    import numpy as np
    import pyspiel
except ImportError as missing:
    raise ImportError(
        f"parlour.openspiel needs OpenSpiel ({missing}): pip install 'parlour[openspiel]'"
    ) from missing

from . import _parlour, arguments
from ._parlour import Environment, InputError, View

__all__ = ["Game", "State", "bot", "load"]

_DEFAULTS: dict[str, Any] = {"variant": "", "chance": "", "deals": 1000, "reward": "win"}

# A perfect-recall tensor has at most this many numbers.
_MOST_NUMBERS = 20_000


def load(
    game: str,
    variant: str | Mapping[str, Any] | None = None,
    *,
    chance: str | None = None,
    deals: int = 1000,
    reward: str = "win",
) -> Game:
    """Loads a game for OpenSpiel: `pyspiel.load_game("parlour_leopard(variant=toy)")` with checks.

    `chance="explicit"` has a chance node for the deal and for each draw, with exact probabilities.
    This needs rules with few outcomes, such as Leopard's `toy` or a short `deck`, or Leap Frog.
    `chance="sampled"` is the game of the first `deals` deals of seed 0: one chance node chooses
    among them with equal probability, and all later draws are those of the deal. The default is
    explicit chance where the rules allow it. `reward` is that of `Environment`.
    """
    if chance not in (None, "explicit", "sampled"):
        raise InputError(f"`chance` is {chance!r}; it must be 'explicit' or 'sampled'")
    count = arguments.integer("deals", deals, 1)
    said = "" if variant is None else quote(arguments.variant(variant))
    parameters = {"variant": said, "chance": chance or "", "deals": count, "reward": reward}
    game = arguments.game(game)
    Environment(game, variant, reward=reward)  # Wrong arguments raise here.
    loaded: Game = pyspiel.load_game(f"parlour_{game}", parameters)
    return loaded


class _Seen(NamedTuple):
    """What a seat has seen at its turns: an entry for each, with the moves since the one before
    and the changed parts of its view."""

    entries: tuple[str, ...] = ()
    view: Mapping[str, Any] = {}
    moves: int = 0

    def then(self, view: Mapping[str, Any], past: list[tuple[int, str]]) -> _Seen:
        """Adds what the seat sees now."""
        moves = "".join(f"{seat}: {move}; " for seat, move in past[self.moves :])
        new = {
            key: view[key] for key in view if key not in self.view or self.view[key] != view[key]
        }
        entry = moves + json.dumps(new, separators=(",", ":"), sort_keys=True)
        return _Seen((*self.entries, entry), view, len(past))


class _Node:
    """A position of a hand. It never changes, so states share it."""

    __slots__ = ("game", "table", "parent", "actions", "chances", "rows", "origin", "_now")

    def __init__(
        self,
        game: Game,
        table: Environment | None,
        parent: _Node | None = None,
        actions: tuple[int, ...] = (),
        chances: Sequence[tuple[int, Any]] | None = None,
        origin: Mapping[int, _Seen] | None = None,
    ) -> None:
        self.game, self.table, self.parent, self.actions = game, table, parent, actions
        """The table, which is that before the move at a chance node; None before the deal."""
        self.chances = chances
        """Weight and table of each outcome at a chance node."""
        self.origin: Mapping[int, _Seen] | None = parent.origin if parent else origin
        """What seats had seen before a sampled position; None in a hand that was dealt."""
        self.rows: tuple[Any, ...] = parent.rows if parent else ()
        """After the deal and after each move: the seat to move, and observations by seat."""
        if game.recalls and table is not None and not chances:
            self.rows += ((table.seat, [table.observe(seat) for seat in range(table.seats)]),)
        self._now: dict[int, _Seen] = {}

    @property
    def seat(self) -> int | None:
        """The seat to move, if any."""
        return None if self.chances or self.table is None else self.table.seat

    def before(self, seat: int) -> _Seen:
        """What a seat had seen at its turns before this position."""
        turns: list[_Node] = []
        node = self.parent
        while node is not None and not (turns and seat in turns[-1]._now):
            if node.seat == seat:
                turns.append(node)
            node = node.parent
        seen = (self.origin or {}).get(seat, _Seen())
        for turn in reversed(turns):
            seen = turn.add(seat, seen)
        return seen

    def now(self, seat: int) -> _Seen:
        """What a seat has seen, its view of this position included."""
        return self._now.get(seat) or self.add(seat, self.before(seat))

    def add(self, seat: int, before: _Seen) -> _Seen:
        """Adds what a seat sees here."""
        if seat not in self._now:
            table = self.table
            seen = before.then(table.view(seat), table.past(seat)) if table else before
            self._now[seat] = seen
        return self._now[seat]

    def child(self, action: int) -> _Node:
        """The position after an action of chance or of the seat to move."""
        actions = (*self.actions, action)
        if self.chances:
            return _Node(self.game, self.game.dealt(self.chances[action][1]), self, actions)
        assert self.table is not None
        chances = self.table.outcomes(action) if self.game.is_explicit else None
        if chances is None:
            table = self.table.clone()
            table.step(action)
            return _Node(self.game, table, self, actions)
        if sum(weight for weight, _ in chances) > 1:
            return _Node(self.game, self.table, self, actions, chances)
        # Drawing the last card is no chance node; everybody knows the number of cards.
        return _Node(self.game, chances[0][1], self, actions)

    def __deepcopy__(self, memo: object) -> _Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.origin is not None:
            raise InputError("a resampled state cannot be serialized: its deal is unknown")
        return _restore, (str(self.game), self.actions)


def _exact(reward: float) -> float:
    """A reward, which is a fraction, without the rounding of 32 bits."""
    return float(Fraction(reward).limit_denominator(1000))


@functools.lru_cache(maxsize=16)
def _load(text: str) -> Game:
    game: Game = pyspiel.load_game(text)
    return game


def _restore(game: str, actions: Iterable[int]) -> _Node:
    """Finds a pickled node again."""
    node = _load(game).root
    for action in actions:
        node = node.child(action)
    return node


class State(pyspiel.State):  # type: ignore[misc]
    """A position of a hand: a `pyspiel.State`. Seats are players; an action has the number that it
    has in `Environment`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.node = game.root

    def current_player(self) -> int:
        """The seat to move, or `pyspiel.PlayerId.CHANCE` or `TERMINAL`."""
        if self.node.chances:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.node.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        """Returns True when the hand is over."""
        return not self.node.chances and self.node.seat is None

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.table.legal_actions() if self.node.table else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of chance with their probabilities."""
        chances = self.node.chances or []
        total = sum(weight for weight, _ in chances)
        return [(action, weight / total) for action, (weight, _) in enumerate(chances)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        table = self.node.game.table
        text = table.notation(action)
        # OpenSpiel wants different texts; some rules of Eleusis have the same.
        return text if table.action(text) == action else f"{text} ({action})"

    def returns(self) -> list[float]:
        """Reward of each player; zeros before the end."""
        table = self.node.table
        if table is None or not self.is_terminal():
            return [0.0] * self.num_players()
        return [_exact(reward) for reward in table.rewards]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state that the player cannot tell from this one, by a random number below 1. Hidden
        cards and draws are drawn from all that are possible, given the moves; what the others'
        choices say about their cards is not used."""
        node, game, table = self.node, self.node.game, self.node.table
        if table is None or node.chances:
            raise InputError("a state is resampled at a player's turn, not at a chance node")
        if game.is_explicit:
            moves = [game.table.action(move) for _, move in table.past(player)]
            return game.sample(player, moves, node.now(player).entries, sampler())
        world = table.determinize(player, int(sampler() * 2**53))
        return game.imagined(world, player, node.before(player))

    def __str__(self) -> str:
        moves = ", ".join(move for _, move in self.node.table.past(0)) if self.node.table else ""
        return f"{list(self.node.actions)} {moves}"


class _Observer:
    """Observations of a state; see `open_spiel/python/observation.py`."""

    def __init__(self, game: Game, recall: bool) -> None:
        self.recall = recall
        rows = (game.max_game_length() + 1,) if recall and game.recalls else ()
        shape = (*rows, game.table.numbers)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        """Writes the encoded observation; for perfect recall a row for each move since the player's
        first turn, if the game is small and its chance explicit, else only the latest."""
        self.tensor.fill(0)
        node, into = state.node, self.dict["observation"]
        if node.table is None:
            return
        if into.ndim == 1:
            into[:] = node.table.observe(player)
            return
        # Before its first turn a seat is not asked: the order of its first cards is no knowledge.
        rows = list(itertools.dropwhile(lambda row: row[0] != player, node.rows)) or node.rows[-1:]
        for row, (_, observations) in zip(into, rows):
            row[:] = observations[player]

    def string_from(self, state: State, player: int) -> str:
        """The view as JSON; for perfect recall all that the player saw at its turns."""
        node = state.node
        if self.recall or node.table is None:
            return "\n".join(node.now(player).entries)
        return json.dumps(node.table.view(player), separators=(",", ":"))


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game under the rules of a variant: a `pyspiel.Game`."""

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        name = self.name
        said = {**_DEFAULTS, **(params or {})}
        variant, reward = unquote(said["variant"]) or None, said["reward"]
        self.table = Environment(name, variant, reward=reward)
        """A table with these rules."""
        facts = self.table.facts
        chances: Sequence[tuple[int, Any]] | None = None
        if said["chance"] != "sampled":
            chances = self.table.outcomes()
        if chances is None and said["chance"] == "explicit":
            raise InputError(
                "these rules have too many outcomes of chance to list; use chance='sampled', or "
                "rules with few cards"
            )
        self.is_explicit = chances is not None
        if chances is None:
            chances = [(1, deal) for deal in range(said["deals"])]
        is_open = name == "leapfrog"
        is_fixed = is_open and self.is_explicit and len(chances) == 1
        is_fixed = is_fixed and facts["rules"]["first_to_leap"] != "lot"
        seats, (low, high) = facts["seats"], map(_exact, facts["rewards"])
        self.is_zero_sum = reward == "win" or (reward == "margin" and seats == 2)
        self.recalls = self.is_explicit and facts["longest"] * facts["numbers"] <= _MOST_NUMBERS
        """The perfect-recall tensor has a row for each move."""
        info = pyspiel.GameInfo(
            num_distinct_actions=facts["count"],
            max_chance_outcomes=0 if is_fixed else max(len(chances), seats),
            num_players=seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.is_zero_sum else None,
            max_game_length=facts["longest"],
        )
        super().__init__(_type(name, seats, is_open, is_fixed, self.is_zero_sum), info, said)
        self.root = _Node(self, None, None, (), chances)
        if is_fixed:
            self.root = _Node(self, self.dealt(chances[0][1]))
        self._possible: tuple[Any, list[Any], list[float]] = (None, [], [])

    def new_initial_state(self, state: str | None = None) -> State:
        """The state before the deal."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """An observer; for perfect recall if the type asks for it."""
        return _Observer(self, iig_obs_type is not None and iig_obs_type.perfect_recall)

    def dealt(self, outcome: Any) -> Environment:
        """The table after an outcome of chance."""
        if not isinstance(outcome, int):
            table: Environment = outcome
            return table
        table = self.table.clone()
        table.reset(0, outcome)
        return table

    def sample(
        self, player: int, moves: list[int], entries: tuple[str, ...], number: float
    ) -> State:
        """A state where a player has seen these entries, by a random number below 1."""
        key = (player, entries)
        if self._possible[0] != key:  # Searches ask often in a row.
            worlds = self._worlds(player, moves, entries)
            self._possible = (key, *zip(*worlds))  # type: ignore[assignment]
        _, nodes, weights = self._possible
        (node,) = random.Random(number).choices(nodes, weights)
        state = State(self)
        for action in node.actions:
            state.apply_action(action)
        return state

    def _worlds(
        self, player: int, moves: list[int], entries: tuple[str, ...]
    ) -> list[tuple[_Node, float]]:
        """All positions after these moves that a player cannot tell apart, with their weights."""
        worlds = [(self.root, 1.0)]
        for move in (*moves, None):
            dealt = []
            for node, weight in worlds:
                for action, (times, _) in enumerate(node.chances or ()):
                    dealt.append((node.child(action), weight * times))
                if not node.chances:
                    dealt.append((node, weight))
            if move is None or dealt[0][0].seat == player:
                seen = [(node.now(player).entries, node, weight) for node, weight in dealt]
                dealt = [(node, w) for has, node, w in seen if has == entries[: len(has)]]
            worlds = dealt
            if move is not None:
                able = (it for it in worlds if it[0].table and move in it[0].table.legal_actions())
                worlds = [(node.child(move), weight) for node, weight in able]
        return worlds

    def imagined(self, table: Environment, player: int, seen: _Seen) -> State:
        """A state at a sampled table, given what a player saw at its earlier turns."""
        state = State(self)
        state.node = _Node(self, table, origin={player: seen})
        return state


def _type(name: str, seats: int, is_open: bool, is_fixed: bool, is_zero_sum: bool) -> Any:
    """A game's type as OpenSpiel describes it."""
    kind = pyspiel.GameType
    return kind(
        short_name=f"parlour_{name}",
        long_name=f"Parlour {name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC
        if is_fixed
        else kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION
        if is_open
        else kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if is_zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


# Classes, since OpenSpiel drops its references after the interpreter has ended.
for _name in _parlour.games():
    _class = type(f"Game_{_name}", (Game,), {"name": _name, "__doc__": Game.__doc__})
    pyspiel.register_game(_type(_name, 2, False, False, True), _class)


def bot(make: Callable[[Game, int, int], Any], *, reward: str = "win") -> type:
    """A player for `parlour.run` and the others, from a function that makes a `pyspiel.Bot`:
    `make(game, player, seed)` is called for each hand. The player is called as the function.

    At each turn the bot steps from a state that is resampled from what its seat has seen. It never
    gets the true hidden cards.

    >>> import parlour, pyspiel
    >>> uniform = bot(lambda game, player, seed: pyspiel.make_uniform_random_bot(player, seed % 999))
    >>> parlour.match("leopard", "greedy", uniform, deals=10, progress=False).deals
    10
    """

    class OpenSpielBot:
        """Plays one hand."""

        def __init__(self) -> None:
            self.bot: Any = None
            self.seen = _Seen()

        def choose(self, view: View) -> str:
            """Returns the move of the bot."""
            if self.bot is None:
                self.game = _loaded(view.game, json.dumps(view.rules), reward)
                self.bot = make(self.game, view.seat, view.seed)
                self.random = random.Random(view.seed)
            game, seat = self.game, view.seat
            if game.is_explicit:
                moves = [game.table.action(move) for _, move in view.past]
                entries = self.seen.then(dict(view), view.past).entries
                state = game.sample(seat, moves, entries, self.random.random())
            else:
                seed = self.random.getrandbits(53)
                table = Environment.from_position(view, reward=reward, seed=seed)
                state = game.imagined(table, seat, self.seen)
            self.seen = state.node.now(seat)
            return game.table.notation(int(self.bot.step(state)))

    name = getattr(make, "__name__", "")
    OpenSpielBot.__name__ = name if name.isidentifier() else "OpenSpielBot"
    return OpenSpielBot


@functools.lru_cache(maxsize=16)
def _loaded(game: str, rules: str, reward: str) -> Game:
    variant = {"base": next(iter(_parlour.variants(game))), **json.loads(rules)}
    return load(game, variant, reward=reward)
