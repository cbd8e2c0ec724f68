"""The extension module's types."""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

__version__: str

class Error(ValueError):
    """Anything that parlour says is wrong; the sentence is the command line's."""

    faults: list[dict[str, Any]]

class InputError(Error):
    """Wrong usage or bad input: nothing was done."""

class FailedError(Error):
    """It failed while running."""

class Stopped(KeyboardInterrupt):
    """Stopped by Ctrl-C; what was finished is saved."""

    faults: list[dict[str, Any]]

def fingerprint() -> str: ...
def games() -> list[str]: ...
def variants(game: str) -> list[str]: ...
def strategies(game: str) -> list[str]: ...
def experiments() -> list[str]: ...

@final
class Environment:
    """One table of a game: seats choose one after the other until the hand is over."""

    def __new__(
        cls,
        game: str,
        variant: str | PathLike[str] | Mapping[str, Any] | None = None,
        *,
        reward: str = "win",
        seed: int = 0,
        deal: int = 0,
    ) -> Self: ...
    @property
    def facts(self) -> dict[str, Any]:
        """What it is and what its numbers mean: game, variant, rules, seats, planes, actions."""
    @property
    def seats(self) -> int: ...
    @property
    def actions(self) -> int:
        """How many actions there are, legal or not."""
    @property
    def numbers(self) -> int:
        """How many numbers an observation has."""
    @property
    def seat(self) -> int | None:
        """The seat to choose; None when the hand is over."""
    @property
    def seed(self) -> int: ...
    @property
    def deal(self) -> int: ...
    @property
    def rewards(self) -> list[float]:
        """What the hand came to, by seat; zeros before it is over."""
    @property
    def points(self) -> list[int]:
        """The points of each seat, were the hand to end here."""
    def reset(self, seed: int | None = None, deal: int | None = None) -> None:
        """Deals the first hand of another seed, the next of the same one, or the one asked for."""
    def step(self, action: int) -> None:
        """Makes the choice of the seat whose turn it is."""
    def sample(self) -> int:
        """A legal action by lot; the hand must not be over."""
    def legal_actions(self) -> list[int]:
        """The legal actions, ascending."""
    def observe(self, seat: int | None = None) -> npt.NDArray[np.uint8]:
        """What a seat knows, the seat to choose if none is named."""
    def mask(self, seat: int | None = None) -> npt.NDArray[np.int8]:
        """1 for each action that is legal for the seat now."""
    def observation(self, seat: int | None = None) -> dict[str, npt.NDArray[Any]]:
        """`observation` and `action_mask`, as PettingZoo hands them out."""
    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat knows, as players from outside are handed it."""
    def position(self, seat: int | None = None) -> dict[str, Any]:
        """The view with the rules and the moves so far, as a position file has them and every strategy
        takes them."""
    def past(self, seat: int | None = None) -> list[tuple[int, str]]:
        """The moves so far, as the seat was told of them."""
    def picture(self, seat: int | None = None) -> str:
        """What a seat knows, drawn in 80 columns."""
    def notation(self, action: int) -> str:
        """An action as the game writes it."""
    def action(self, notation: str) -> int:
        """The action of a move as the game writes it."""
    def choose(self, strategy: str | Strategy) -> int:
        """What a strategy would do here: by name or path, or one of `parlour.strategy`."""
    def record(self) -> dict[str, Any]:
        """The finished hand as a line of `records.jsonl`."""
    def clone(self) -> Environment:
        """The same table once more, with the same chance to come."""
    def __copy__(self) -> Environment: ...
    def __deepcopy__(self, _memo: object) -> Environment: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]: ...
    def nothing(self, action: int) -> int:
        """Does nothing: what a call costs."""

@final
class Vector:
    """Many tables of a game that are stepped at once; its arrays stay the same ones."""

    def __new__(
        cls,
        game: str,
        n: int,
        variant: str | PathLike[str] | Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        reward: str = "win",
        threads: int | None = None,
        opponents: str | list[str] | None = None,
        seat: int | None = None,
        observations: bool = True,
        masks: bool = True,
    ) -> Self: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    @property
    def n(self) -> int: ...
    @property
    def observations(self) -> npt.NDArray[np.uint8]:
        """What the seat to choose knows, a row for each table."""
    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """Its legal actions, a row for each table."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """What a hand came to that ended with the last step, else 0: a column for each seat, or
        with opponents the learner's alone."""
    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Whether a hand ended with the last step; the observation is then of the next."""
    @property
    def seats(self) -> npt.NDArray[np.uint8]:
        """The seat to choose."""
    def reset(self, seed: int | None = None) -> None:
        """Deals at every table anew."""
    def step(self, actions: npt.ArrayLike) -> None:
        """Makes a choice at every table; nothing is done if one of them is not legal."""
    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action by lot for every table, always in the same array."""
    def __len__(self) -> int: ...

@final
class Table:
    """A table of a run: one of its CSV files, with all digits and with types. It goes into any
    data frame that takes Arrow."""

    @property
    def name(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def kinds(self) -> dict[str, str]:
        """`integer`, `number`, `boolean` or `text` for each column."""
    @property
    def units(self) -> dict[str, str]: ...
    @property
    def meanings(self) -> dict[str, str]: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def to_dict(self) -> dict[str, list[Any]]: ...
    def to_polars(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_arrow(self) -> Any: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

@final
class Summary:
    @property
    def name(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def deals(self) -> int: ...
    @property
    def early(self) -> bool: ...
    @property
    def question(self) -> str: ...
    @property
    def sentences(self) -> list[str]: ...
    @property
    def tables(self) -> list[str]: ...
    def table(self, name: str) -> Table: ...
    def experiment(self) -> dict[str, Any]: ...
    def text(self, wide: int = 100) -> str: ...
    def page(self) -> str: ...

def read(folder: Path) -> Summary: ...
def play(
    what: dict[str, Any], how: dict[str, Any], bots: list[tuple[str, Any]]
) -> Summary | None: ...
def needs(
    folder: Path | None,
    what: dict[str, Any],
    how: dict[str, Any],
    bots: list[tuple[str, Any]],
    wanted: tuple[float, float, int],
) -> tuple[dict[str, Any], str]: ...
@final
class Merge:
    """What was taken of a run's shards, one by one."""

    def __new__(cls, shard: Path) -> Self: ...
    @property
    def deals(self) -> int: ...
    def take(self, shard: Path) -> None: ...
    @staticmethod
    def check(out: Path, replace: bool) -> None: ...
    def finish(self, out: Path, replace: bool) -> None: ...

def join(shards: list[Path], out: Path, replace: bool, same_program: bool) -> Summary: ...

@final
class View(Mapping[str, Any]):
    """What the seat to move knows: a mapping of the fields of the view, and beside it the hand's
    moves so far and those that are legal now. Nothing hidden is in it."""

    @property
    def game(self) -> str: ...
    @property
    def rules(self) -> dict[str, Any]: ...
    @property
    def seat(self) -> int: ...
    @property
    def seats(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def past(self) -> list[tuple[int, str]]: ...
    def position(self) -> dict[str, Any]: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

@final
class Strategy:
    """A strategy that can be asked what it would do."""

    @property
    def name(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def options(self) -> dict[str, Any]: ...
    def choose(self, view: Mapping[str, Any] | Environment, seed: int = 1) -> str: ...
    def advise(self, view: Mapping[str, Any] | Environment, seed: int = 1) -> dict[str, Any]: ...

def load(game: str, name: str, text: str | None) -> Strategy: ...
