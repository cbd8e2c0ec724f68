"""The module itself: what it is, what there is, and how its errors stand in Python."""

import pytest

import parlour


def test_it_says_which_program_it_is() -> None:
    assert parlour.fingerprint().startswith(parlour.__version__ + " (")


def test_it_lists_what_there_is() -> None:
    assert parlour.games() == ["leopard", "leapfrog", "eleusis"]
    assert "revised" in parlour.variants("leopard")
    assert "steady" in parlour.strategies("leopard")
    assert "original-vs-revised" in parlour.experiments()


def test_errors_are_value_errors_with_the_command_lines_sentence() -> None:
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
