"""parlour: a self-play laboratory for parlour games with chance and hidden information."""

from ._parlour import (
    Error,
    FailedError,
    InputError,
    Stopped,
    __version__,
    experiments,
    fingerprint,
    games,
    strategies,
    variants,
)

__all__ = [
    "Error",
    "FailedError",
    "InputError",
    "Stopped",
    "__version__",
    "experiments",
    "fingerprint",
    "games",
    "strategies",
    "variants",
]
