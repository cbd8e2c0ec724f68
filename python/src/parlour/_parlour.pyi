"""Types of the extension module."""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Union, final

import numpy as np
import numpy.typing as npt
import pandas
import polars
import pyarrow
from typing_extensions import Self

__version__: str

class Error(ValueError):
    """Base of all errors, with the message of the command line."""

    faults: list[dict[str, Any]]

class InputError(Error):
    """Wrong usage or bad input; nothing was done."""

class FailedError(Error):
    """A failure while running."""

class Stopped(KeyboardInterrupt):
    """Stopped by Ctrl-C; finished work is saved."""

    faults: list[dict[str, Any]]

def fingerprint() -> str: ...
def main(arguments: list[str]) -> int: ...
def games() -> list[str]: ...
def variants(game: str) -> dict[str, str]: ...
def strategies(game: str) -> dict[str, str]: ...
def moves(record: Mapping[str, Any]) -> list[tuple[int, str]]: ...
def experiments() -> list[str]: ...

_Strategy = Union[str, PathLike[str], Mapping[str, Any], "Strategy"]

@final
class Environment:
    """One table of a game, for one hand at a time."""

    def __new__(
        cls,
        game: str,
        variant: str | PathLike[str] | Mapping[str, Any] | None = None,
        *,
        reward: str = "win",
        seed: int = 0,
        deal: int = 0,
    ) -> Self: ...
    @staticmethod
    def from_position(
        position: View | Environment | Mapping[str, Any] | str | PathLike[str],
        *,
        reward: str = "win",
        seed: int = 0,
    ) -> Environment:
        """A table at a position; what its seat does not know is sampled from the seed."""
    @property
    def facts(self) -> dict[str, Any]:
        """Game, variant, rules, seats, planes and actions."""
    @property
    def seats(self) -> int: ...
    @property
    def actions(self) -> int:
        """Number of actions, legal or not."""
    @property
    def numbers(self) -> int:
        """Length of an observation."""
    @property
    def seat(self) -> int | None:
        """The seat to move; None when the hand is over."""
    @property
    def seed(self) -> int: ...
    @property
    def deal(self) -> int: ...
    @property
    def rewards(self) -> list[float]:
        """Result of the hand by seat; zeros before its end."""
    @property
    def points(self) -> list[int]:
        """Points of each seat if the hand ended here."""
    def reset(self, seed: int | None = None, deal: int | None = None) -> None:
        """Deals the first hand of a seed, the next hand of the same seed, or a given deal."""
    def step(self, action: int | str) -> None:
        """Plays an action for the seat to move."""
    def sample(self) -> int:
        """A random legal action; the hand must not be over."""
    def legal_actions(self) -> list[int]:
        """Legal actions in ascending order."""
    def observe(self, seat: int | None = None) -> npt.NDArray[np.uint8]:
        """Observation of a seat, by default of the seat to move."""
    def mask(self, seat: int | None = None) -> npt.NDArray[np.int8]:
        """1 for each legal action of the seat, else 0."""
    def observation(self, seat: int | None = None) -> dict[str, npt.NDArray[Any]]:
        """`observation` and `action_mask`, in PettingZoo's form."""
    def view(self, seat: int | None = None) -> dict[str, Any]:
        """View of a seat, as external bots receive it."""
    def position(self, seat: int | None = None) -> dict[str, Any]:
        """View, rules and moves in the form of a position file, which every strategy accepts."""
    def past(self, seat: int | None = None) -> list[tuple[int, str]]:
        """Moves so far, as far as the seat saw them."""
    def picture(self, seat: int | None = None) -> str:
        """View of a seat, drawn in 80 columns."""
    def notation(self, action: int) -> str:
        """Notation of an action."""
    def action(self, notation: str) -> int:
        """Action of a move in the game's notation."""
    def choose(self, strategy: _Strategy) -> int:
        """Action that a strategy would choose: a name, a path, a dict or a `parlour.strategy`."""
    def outcomes(self, action: int | None = None) -> list[tuple[int, Environment]] | None:
        """Tables after each outcome of chance that may follow an action, or of the deal, with their
        integer weights; None if there are too many to list."""
    def record(self) -> dict[str, Any]:
        """The finished hand as a line of `records.jsonl`."""
    def determinize(self, seat: int | None = None, seed: int | None = None) -> Environment:
        """A new table that agrees with what a seat knows; what is hidden and future chance are
        sampled."""
    def clone(self, *, hidden: bool = True) -> Environment:
        """Copy of the table with all that is hidden and the same future chance; `hidden=False`
        samples both."""
    def __copy__(self) -> Environment: ...
    def __deepcopy__(self, _memo: object) -> Environment: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, Any]]: ...

@final
class Vector:
    """Many tables of a game, stepped at once. Its arrays are allocated once."""

    def __new__(
        cls,
        game: str,
        n: int,
        variant: str | PathLike[str] | Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        reward: str = "win",
        threads: int | None = None,
        opponents: _Strategy | Sequence[_Strategy] | None = None,
        seat: int | None = None,
        autoreset: bool = True,
        observations: bool = True,
        masks: bool = True,
    ) -> Self: ...
    @property
    def facts(self) -> dict[str, Any]:
        """Game, variant, rules, planes and actions."""
    @property
    def n(self) -> int:
        """Number of tables."""
    @property
    def observations(self) -> npt.NDArray[np.uint8]:
        """Observation of the seat to move (n × numbers)."""
    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions (n × actions); none after the end of a hand."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Result of a hand that ended with the last step, otherwise 0 (n × seats; with opponents n)."""
    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """True where a hand ended with the last step (n). With `autoreset` the observation then shows
        the next hand, otherwise the end of this one."""
    @property
    def seats(self) -> npt.NDArray[np.uint8]:
        """The seat to move (n)."""
    def reset(self, seed: int | None = None) -> None:
        """Deals new hands at all tables, the first ones of the seed."""
    def step(self, actions: npt.ArrayLike) -> None:
        """Plays an action at every table, or at none if one of them is illegal. -1 leaves a table and
        its rows as they are, -2 deals its next hand."""
    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for every table, always in the same array."""
    def picture(self, table: int = 0) -> str:
        """The learner's view at a table, drawn for a terminal."""
    def __len__(self) -> int: ...

@final
class Table:
    """A table of a run: one of its CSV files with types and all digits. Any Arrow library can read
    it."""

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
    def to_polars(self) -> polars.DataFrame: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def to_arrow(self) -> pyarrow.Table: ...
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
    """An incremental merge of shards."""

    def __new__(cls, shard: Path) -> Self: ...
    @property
    def deals(self) -> int: ...
    def take(self, shard: Path) -> None: ...
    @staticmethod
    def check(out: Path, replace: bool) -> None: ...
    def finish(self, out: Path, replace: bool) -> None: ...

def join(shards: list[Path], out: Path, replace: bool, allow_other_build: bool) -> Summary: ...

@final
class View(Mapping[str, Any]):
    """View of the seat to move: a mapping of its fields, with the past moves and the legal moves as
    attributes. It contains nothing hidden."""

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
    @property
    def actions(self) -> list[int]:
        """The action number of each of `moves`."""
    def observation(self) -> npt.NDArray[np.uint8]:
        """The observation as `Environment.observe()` returns it."""
    def mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action, else 0."""
    def position(self) -> dict[str, Any]: ...
    def _position_text(self) -> tuple[str, str]: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...

@final
class Strategy:
    """A strategy that chooses moves and advises."""

    @property
    def name(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def options(self) -> dict[str, Any]: ...
    def choose(
        self, view: Mapping[str, Any] | Environment | str | PathLike[str], seed: int = 1
    ) -> str: ...
    def advise(
        self, view: Mapping[str, Any] | Environment | str | PathLike[str], seed: int = 1
    ) -> dict[str, Any]: ...

def load(game: str, name: str, text: str | None) -> Strategy: ...
