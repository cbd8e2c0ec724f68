"""The extension module's types."""

from typing import Any

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
