"""The module: versions, lists and errors."""

import subprocess
import sys

import pytest

import parlour


def test_version_and_fingerprint() -> None:
    assert parlour.fingerprint().startswith(parlour.__version__ + " (")


def test_lists_of_names() -> None:
    assert parlour.games() == ["leopard", "leapfrog", "eleusis"]
    assert "revised" in parlour.variants("leopard")
    assert "steady" in parlour.strategies("leopard")
    assert "original-vs-revised" in parlour.experiments()


def test_errors_are_value_errors_with_messages() -> None:
    with pytest.raises(parlour.InputError) as caught:
        parlour.variants("lepard")
    sentence = "unknown game `lepard`. Did you mean `leopard`? Known: leopard, leapfrog, eleusis."
    assert str(caught.value) == sentence
    assert caught.value.faults[0]["text"] == sentence
    assert issubclass(parlour.InputError, parlour.Error)
    assert issubclass(parlour.FailedError, parlour.Error)
    assert issubclass(parlour.Error, ValueError)


def test_a_stop_is_an_interrupt() -> None:
    assert issubclass(parlour.Stopped, KeyboardInterrupt)
    assert not issubclass(parlour.Stopped, Exception)


def test_the_program_runs_as_a_module() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "parlour", "--version"], capture_output=True, text=True, check=True
    )
    assert parlour.__version__ in said.stdout
    wrong = subprocess.run(
        [sys.executable, "-m", "parlour", "match", "leopard"], capture_output=True, text=True
    )
    assert wrong.returncode == 2 and wrong.stderr


def test_commands_return_plain_objects() -> None:
    solved = parlour.command("solve", "leapfrog", "mini-3x3")
    assert (solved["board"], solved["value"]) == ("ooo/ooo/ooo", 0)
    with pytest.raises(parlour.InputError, match="^unknown variant of leapfrog `mini-3x`"):
        parlour.command("solve", "leapfrog", "mini-3x")


def test_lists_have_sentences() -> None:
    assert "revised" in parlour.variants("leopard")
    assert parlour.strategies("leopard")["steady"].startswith("A heuristic")
