"""Bots in Python, and built-in strategies that advise."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import View
from parlour.envs import Environment


class First:
    """Makes the first legal move."""

    def choose(self, view: View) -> int:
        return 0


class Seen:
    """Makes the last legal move by name, and stores the views."""

    views: list[View] = []
    scores: list[list[int]] = []

    def choose(self, view: View) -> str:
        self.views.append(view)
        return view.moves[-1]

    def end(self, scores: list[int]) -> None:
        self.scores.append(scores)


def rows(result: parlour.Result, table: str = "strategies") -> dict[str, dict[str, Any]]:
    return {row["strategy"]: row for row in result.table(table).rows()}


@pytest.mark.parametrize("game", parlour.games())
def test_a_class_plays_every_game(game: str) -> None:
    seats = ["random"] * 3 if game == "eleusis" else []
    result = parlour.match(game, First, "random", *seats, deals=3)
    assert rows(result)["First"]["faults"] == 0
    assert rows(result)["First"]["matches"] > 0


def test_a_class_plays_like_the_external_program(tmp_path: Path) -> None:
    program = tmp_path / "first.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    kind = json.loads(line)['type']\n"
        "    if kind == 'hello':\n"
        "        print(json.dumps({'protocol': 1, 'name': 'first'}), flush=True)\n"
        "    elif kind == 'choose':\n"
        "        print(json.dumps({'index': 0}), flush=True)\n"
    )
    outside = {"name": "first", "kind": "external", "command": [sys.executable, str(program)]}
    experiment = {"game": "leopard", "variants": ["revised"], "deals": 4}
    theirs = parlour.run({**experiment, "strategies": [outside, "greedy"]}, threads=1)
    ours = parlour.run({**experiment, "strategies": ["first", "greedy"]}, bots={"first": First})
    assert ours.table("matchups").rows() == theirs.table("matchups").rows()


def test_a_view_is_a_mapping_with_moves_and_past() -> None:
    Seen.views.clear()
    Seen.scores.clear()
    parlour.match("leopard", Seen, "greedy", variant="revised", deals=2, threads=1)
    assert len(Seen.scores) == 4, "two deals, each in both seats"
    assert all(len(scores) == 2 for scores in Seen.scores)
    first, view = Seen.views[0], Seen.views[3]
    assert isinstance(view, Mapping)
    assert {"seat", "hand"} <= set(view) == set(dict(view)) and len(view) == len(list(view))
    assert view["seat"] == view.seat and view.seats == 2 and view.game == "leopard"
    assert view.rules["knock_at"] == 7
    assert view.seed == first.seed, "one hand, one seed"
    mine = [move for seat, move in view.past if seat == view.seat]
    assert first.moves[-1] in mine
    assert view.get("nothing", 3) == 3 and "nothing" not in view
    with pytest.raises(KeyError):
        view["nothing"]
    assert json.loads(json.dumps(view.position()))["view"]["hand"] == view["hand"]
    assert "parlour.View of leopard" in repr(view)


def test_one_bot_may_play_all_hands() -> None:
    class Counts:
        name = "counts"
        asked = 0

        def choose(self, view: View) -> int:
            self.asked += 1
            return self.asked % len(view.moves)

    bot = Counts()
    result = parlour.match("leopard", bot, "random", deals=2)
    assert bot.asked > 20 and rows(result)["counts"]["faults"] == 0


def test_a_bot_that_raises_loses_the_hand_and_its_traceback_is_shown_once(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Raises:
        def choose(self, view: View) -> int:
            if len(view.past) > 6:
                raise RuntimeError("out of ideas")
            return 0

    with pytest.warns(parlour.BotWarning, match="`Raises` failed and lost .* out of ideas"):
        result = parlour.match("leopard", Raises, "random", deals=5, out=tmp_path / "x")
    row = rows(result)["Raises"]
    assert 0 < row["faults"] == row["faults_panicked"] <= 10
    assert rows(result)["random"]["faults"] == 0
    told = capfd.readouterr().err
    assert told.count("Traceback") == 1 and "RuntimeError: out of ideas" in told
    assert result.manifest["not_reproducible"] == ["Raises"]


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (None, "garbled", "it chose None, neither a move nor its place in `view.moves`"),
        (1.5, "garbled", "it chose 1.5"),
        ("knock the table", "illegal", "it chose `knock the table`"),
        (10_000, "illegal", "it chose move 10000 of"),
        (-1, "garbled", "it chose -1"),
    ],
)
def test_an_invalid_answer_loses_the_hand(answer: Any, kind: str, said: str) -> None:
    class Wrong:
        def choose(self, view: View) -> Any:
            return answer

    with pytest.warns(parlour.BotWarning) as warned:
        result = parlour.match("leopard", Wrong, "greedy", deals=2)
    assert said in str(warned[0].message)
    row = rows(result)["Wrong"]
    assert (row["faults"], row[f"faults_{kind}"], row["score"]) == (4, 4, 0.0)


def test_a_fault_at_both_seats_counts_once() -> None:
    class Raises:
        def choose(self, view: View) -> int:
            raise RuntimeError("out of ideas")

    with pytest.warns(parlour.BotWarning, match="lost 8 hands"):
        result = parlour.match("leopard", Raises, Raises, deals=4)
    assert result.table("matchups").rows()[0]["hands"] == 8
    assert "`Raises` 8 of 8 hands" in result.answer


def test_a_bot_that_never_finishes_a_hand_stops_the_run(tmp_path: Path) -> None:
    class Raises:
        def choose(self, view: View) -> int:
            raise RuntimeError("out of ideas")

    experiment = {"game": "leopard", "variants": ["revised"], "deals": 100, "strategies": ["x", "random"]}
    out = tmp_path / "x"
    with pytest.warns(parlour.BotWarning, match="lost 19 hands"):
        with pytest.raises(parlour.FailedError) as caught:
            parlour.run(experiment, bots={"x": Raises}, out=out, threads=1, progress=False)
    said = "`x` failed 20 times and finished no hand: RuntimeError: out of ideas; stopped: "
    assert str(caught.value).startswith(said) and "19 of 200 hands are saved" in str(caught.value)
    assert isinstance(caught.value.__cause__, RuntimeError)
    resumed = parlour.run(experiment, bots={"x": First}, out=out, resume=True, progress=False)
    assert rows(resumed)["x"]["faults"] == 19


def test_the_first_failure_is_raised_on_request(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Sometimes(First):
        def choose(self, view: View) -> int:
            if len(view.past) > 30:
                raise KeyError("a bug")
            return 0

    def strict(bot: Any, **more: Any) -> Any:
        return parlour.match("leopard", bot, "random", deals=30, progress=False, on_fault="raise", **more)

    with pytest.raises(parlour.FailedError, match="`Sometimes` failed: KeyError: 'a bug'") as caught:
        strict(Sometimes, out=tmp_path / "x", threads=1)
    assert isinstance(caught.value.__cause__, KeyError)
    assert "Traceback" not in capfd.readouterr().err
    # The failed hand counts for nobody, and no other is lost.
    Sometimes.choose = First.choose  # type: ignore[method-assign]
    resumed = strict(Sometimes, out=tmp_path / "x", resume=True)
    assert rows(resumed)["Sometimes"] == rows(strict(Sometimes))["Sometimes"]
    assert rows(resumed)["Sometimes"]["faults"] == 0
    with pytest.raises(parlour.InputError, match="`on_fault` is 'stop'; it must be 'count' or 'raise'"):
        parlour.match("leopard", First, "random", on_fault="stop")  # type: ignore[arg-type]
    with pytest.raises(parlour.FailedError, match="it chose -1"):
        parlour.compare("leopard", "original", "revised", strategies=[Fails], on_fault="raise")


class Fails:
    def choose(self, view: View) -> int:
        return -1


def test_a_view_has_the_numbers_of_the_environment() -> None:
    class Looks:
        seen: list[Any] = []

        def choose(self, view: View) -> int:
            table = Environment.from_position(view)
            assert (view.observation() == table.observe()).all()
            assert (view.mask() == table.mask()).all()
            assert view.actions == [table.action(move) for move in view.moves]
            assert sorted(view.actions) == table.legal_actions()
            self.seen.append(view.observation().dtype)
            return len(view.moves) - 1

    for game, variant in [("leopard", "running-revised"), ("leapfrog", "mini-4x5"), ("eleusis", "express")]:
        seats = Environment(game, variant).seats
        parlour.match(game, Looks, "random", variant=variant, seats=seats, deals=1, on_fault="raise")
    assert set(Looks.seen) == {np.dtype("uint8")}


class Network:
    """A batched bot: the best legal action by a fixed random linear function."""

    sizes: list[int] = []
    wait = 0.0

    def choose_many(self, observations: Any, masks: Any) -> Any:
        type(self).sizes.append(len(masks))
        assert observations.dtype == np.uint8 and masks.dtype == bool
        time.sleep(self.wait)
        weights = np.random.default_rng(1).standard_normal((observations.shape[1], masks.shape[1]))
        return np.where(masks, np.rint(1000 * weights.T @ observations[:, :, None])[:, :, 0], -1e9).argmax(1)


class Alone:
    """The same bot, asked for one hand at a time."""

    name = "Network"

    def choose(self, view: View) -> int:
        action = Network().choose_many(view.observation()[None], view.mask()[None] == 1)[0]
        return view.actions.index(action)


def test_a_batched_bot_plays_the_hands_of_a_single_one() -> None:
    Network.sizes = []
    each: list[tuple[Any, int | None]] = [(Network, None), (Network(), 3), (Network, 1), (Alone, None)]
    results = [
        parlour.match("leopard", bot, "greedy", deals=20, threads=threads, progress=False)
        for bot, threads in each
    ]
    assert max(Network.sizes) > 8, "hands wait together"
    assert len({str(result.table("matchups").rows()) for result in results}) == 1
    assert rows(results[0])["Network"]["faults"] == 0
    several = parlour.compare(
        "leapfrog", "mini-4x5", "mini-5x5", strategies=[Network, "random"], deals=8, on_fault="raise"
    )
    assert several.deals == 8


def test_a_batched_bot_meets_other_bots_of_its_user() -> None:
    first = First()
    first.name = "first"  # type: ignore[attr-defined]
    experiment = {"game": "leopard", "variants": ["revised"], "deals": 20, "seed": 3}
    for other in (First, first):
        bots = {"net": Network(), "other": other, "same": Network}
        strategies = {"strategies": list(bots)}
        result = parlour.run({**experiment, **strategies}, bots=bots, on_fault="raise", progress=False)
        assert rows(result)["net"]["faults"] == 0


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (lambda masks: masks.argmin(1), "illegal", "which is masked"),
        (lambda masks: np.full(len(masks), 306), "illegal", "it chose 306, which is masked or does not exist"),
        (lambda masks: [-1] * len(masks), "illegal", "it chose -1, which"),
        (lambda masks: masks, "panicked", "`choose_many` returned an array of bool with shape"),
        (lambda masks: masks.argmax(1)[:-1], "panicked", "it must be a row of 1 whole numbers"),
        (lambda masks: None, "panicked", "an array of object"),
        (lambda masks: 1 / 0, "panicked", "ZeroDivisionError"),
    ],
)
def test_a_wrong_answer_of_a_batched_bot_loses_hands(answer: Any, kind: str, said: str) -> None:
    class Wrong:
        def choose_many(self, observations: Any, masks: Any) -> Any:
            return answer(masks)

    with pytest.warns(parlour.BotWarning) as warned:
        result = parlour.match("leopard", Wrong, "greedy", deals=2, threads=1, progress=False)
    assert said in str(warned[0].message)
    row = rows(result)["Wrong"]
    assert (row["faults"], row[f"faults_{kind}"], row["score"]) == (4, 4, 0.0)


def test_a_masked_action_loses_its_hand_alone() -> None:
    class Once(Network):
        wrong = 0

        def choose_many(self, observations: Any, masks: Any) -> Any:
            actions = super().choose_many(observations, masks)
            if len(actions) > 1 and not self.wrong:
                self.wrong, actions[0] = 1, masks[0].argmin()
            return actions

    with pytest.warns(parlour.BotWarning, match="lost 1 hand: it chose .*, which is masked"):
        result = parlour.match("leopard", Once, "random", deals=20, progress=False)
    assert rows(result)["Once"]["faults"] == 1


def test_ctrl_c_stops_a_batched_bot(tmp_path: Path) -> None:
    code = SLOW.replace("def choose(self, view)", "def choose_many(self, observations, masks)")
    code = code.replace("return 0", "return masks.argmax(1)").replace("threads=1, ", "")
    # A call answers some of the hands or all of them, as the threads happen to run. So the number
    # of calls varies; the longest hand alone needs more than five.
    code = code.replace("130", "5")
    second = "    time.sleep(0.3)\n    os.kill(os.getpid(), signal.SIGINT)\n"
    assert second in code
    code = code.replace(second, "")
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "x")], capture_output=True, text=True, timeout=60
    )
    assert (said.returncode, said.stderr) == (0, "") and "saved" in said.stdout, said


def test_a_failing_constructor_loses_the_hands() -> None:
    class Needs:
        def __init__(self, more: int) -> None:
            self.more = more

        def choose(self, view: View) -> int:
            return 0

    with pytest.warns(parlour.BotWarning, match="lost 4 hands: TypeError"):
        parlour.match("leopard", Needs, "random", deals=2)


def test_invalid_bots_are_refused() -> None:
    class Mute:
        pass

    with pytest.raises(parlour.InputError, match="`Mute` is not a bot; it needs a method `choose`"):
        parlour.match("leopard", Mute, "random")  # type: ignore[arg-type]
    experiment = {"game": "leopard", "strategies": ["greedy", "random"], "deals": 2}
    with pytest.raises(parlour.InputError, match="unknown strategy `mine`.*`bots` names it"):
        parlour.run(experiment, bots={"mine": First})
    with pytest.raises(parlour.InputError, match="is not a bot"):
        parlour.run(experiment, bots={"greedy": 3})  # type: ignore[dict-item]
    with pytest.raises(parlour.InputError, match="two bots are named `First`"):
        parlour.match("leopard", First(), First())


def test_a_bot_cannot_have_the_name_of_a_strategy() -> None:
    class Named(First):
        def __init__(self, name: str) -> None:
            self.name = name

    taken = "a bot is called `random`, which is a strategy of leopard"
    steady = Named("steady")
    with pytest.raises(parlour.InputError, match=taken):
        parlour.match("leopard", Named("random"), "greedy", deals=2)
    with pytest.raises(parlour.InputError, match="`steady` is both a bot and a strategy"):
        parlour.match("leopard", steady, "steady", deals=2)
    with pytest.raises(parlour.InputError, match="`mine` is both a bot"):
        parlour.compare("leopard", "original", "revised", strategies=[Named("mine"), "mine"])
    experiment = {"game": "leopard", "strategies": ["steady", "random"], "deals": 2}
    with pytest.raises(parlour.InputError, match="`steady`.* give the bot another name"):
        parlour.run(experiment, bots={"steady": First})
    mirror = parlour.match("leopard", First, First, deals=2)
    assert "First" in mirror.answer


SLOW = """
import os, signal, sys, threading, time
import parlour

asked = []

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    asked.append(len(asked))
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

class Slow:
    def choose(self, view):
        asked.append(len(asked))
        if len(asked) == 130:
            threading.Thread(target=interrupt).start()
        if len(asked) >= 130:
            time.sleep(0.6)
        return 0

try:
    parlour.match("leopard", Slow, "random", deals=20, threads=1, out=sys.argv[1], progress=False)
except parlour.Stopped as stopped:
    time.sleep(0.4)
    print(len(asked), stopped)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
def test_ctrl_c_stops_a_slow_bot_within_a_hand(tmp_path: Path) -> None:
    class Slow(First):
        pass

    out = tmp_path / "x"
    said = subprocess.run(
        [sys.executable, "-c", SLOW, str(out)], capture_output=True, text=True, timeout=60
    )
    assert (said.returncode, said.stderr) == (0, "")
    asked, sentence = said.stdout.split(" ", 1)
    assert int(asked) <= 132 and "hands are saved in" in sentence, said.stdout
    resumed = parlour.match("leopard", Slow, "random", deals=20, out=out, resume=True)
    whole = parlour.match("leopard", Slow, "random", deals=20)
    assert resumed.table("matchups").rows() == whole.table("matchups").rows()
    assert rows(resumed)["Slow"] == rows(whole)["Slow"]


def test_a_manifest_is_repeated_with_its_bot(tmp_path: Path) -> None:
    first = parlour.match("leopard", First, "random", deals=4, out=tmp_path / "x")
    manifest = tmp_path / "x" / "manifest.json"
    again = parlour.run(manifest, bots={"First": First})
    assert again.table("matchups").rows() == first.table("matchups").rows()
    with pytest.raises(parlour.InputError, match='with `bots={"First": …}`'):
        parlour.run(manifest)


def test_a_run_with_a_bot_is_resumed_and_merged(tmp_path: Path) -> None:
    experiment = {"game": "leapfrog", "variants": ["mini-4x5"], "strategies": [First, "random"]}
    whole = parlour.run(experiment, deals=30)
    shards = [
        parlour.run(experiment, deals=30, shard=(part, 2), out=tmp_path / str(part))
        for part in (1, 2)
    ]
    merged = parlour.merge(shards, tmp_path / "merged")
    assert merged.table("matchups").rows() == whole.table("matchups").rows()
    assert parlour.read(tmp_path / "merged").answer == whole.answer


def a_view() -> View:
    Seen.views.clear()
    parlour.match("leopard", Seen, "greedy", variant="revised", deals=1, threads=1)
    return Seen.views[4]


def test_every_strategy_chooses_for_a_view() -> None:
    view = a_view()
    assert len(view.moves) > 1
    for name in ["random", "greedy", "steady", "ismcts-100"]:
        if name not in parlour.strategies("leopard"):
            continue
        asked = parlour.strategy("leopard", name)
        assert asked.choose(view, seed=3) == asked.choose(view.position(), seed=3)
        assert asked.choose(view) in view.moves
    moves = {parlour.strategy("leopard", "random").choose(view, seed=seed) for seed in range(20)}
    assert len(moves) > 3, "another seed, another draw"


def test_a_search_values_the_moves() -> None:
    view = a_view()
    small = {"base": "ismcts-500", "budget": {"iterations": 40}}
    asked = parlour.strategy("leopard", small)
    advice = asked.advise(view, seed=2)
    assert advice["best"] == advice["moves"][0]["move"] and advice["best"] in view.moves
    assert 0 <= advice["moves"][0]["low"] <= advice["moves"][0]["value"] <= 1
    assert advice["sentence"].startswith(f"strategy plays {advice['best']}")
    assert advice == asked.advise(view, seed=2)
    assert asked.options["budget"] == {"iterations": 40} or asked.options["kind"] == "ismcts"


def test_a_bot_can_ask_a_strategy() -> None:
    steady = parlour.strategy("leopard", "steady")

    class Asks:
        def choose(self, view: View) -> str:
            return steady.choose(view)

    experiment = {"game": "leopard", "variants": ["revised"], "deals": 5}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of the same name, it meets the same chance.
        asks = parlour.run({**experiment, "strategies": ["one", "random"]}, bots={"one": Asks})
    one = {"name": "one", "base": "steady"}
    itself = parlour.run({**experiment, "strategies": [one, "random"]})
    assert asks.table("matchups").rows() == itself.table("matchups").rows()


def test_a_wrong_position_is_refused() -> None:
    asked = parlour.strategy("leopard", "greedy")
    right = a_view().position()

    def refused(position: Any, sentence: str) -> None:
        with pytest.raises(parlour.InputError) as caught:
            asked.choose(position)
        assert sentence in str(caught.value)

    refused({**right, "game": "lepard"}, "position: field `game` is `lepard`; it must be `leopard`")
    refused({**right, "what": 1}, "unknown field `what`")
    refused({**right, "variant": "revisd"}, "Did you mean `revised`?")
    refused({**right, "view": {}}, "position: field `view`: missing field `seat`")
    refused({**right, "past": [{"seat": 0, "move": "fly"}]}, "past[0].move")
    refused(3, "not an int")
    refused(object(), "a position file, or a dict like one, with `game` and `view`")


def test_a_wrong_seed_is_refused() -> None:
    view, asked = a_view(), parlour.strategy("leopard", "greedy")
    for seed in (-1, 2**64, 1.5, True):
        with pytest.raises(parlour.InputError, match=r"`seed` is .*; it must be a whole number"):
            asked.choose(view, seed=seed)  # type: ignore[arg-type]
        with pytest.raises(parlour.InputError, match="it must be a whole number from 0"):
            asked.advise(view, seed=seed)  # type: ignore[arg-type]


def test_wrong_strategies_are_refused() -> None:
    with pytest.raises(parlour.InputError, match="Did you mean `steady`"):
        parlour.strategy("leopard", "stedy")
    with pytest.raises(parlour.InputError, match="unknown game"):
        parlour.strategy("lepard", "steady")
    with pytest.raises(parlour.InputError, match="unknown field `bse`|kind"):
        parlour.strategy("leopard", {"bse": "steady"})
    with pytest.raises(parlour.InputError, match="not valid JSON"):
        parlour.strategy("leopard", {"base": {1}})


class Overlaps:
    """Counts calls during which another thread calls, and hands that are interleaved."""

    calls = most = 0
    hands: list[Any] = []

    def choose(self, view: View) -> int:
        cls = type(self)
        cls.calls += 1
        cls.most = max(cls.most, cls.calls)
        time.sleep(0.0005)
        if not cls.hands or cls.hands[-1] != view.seed:
            cls.hands.append(view.seed)
        cls.calls -= 1
        return 0


def overlaps(bot: Any) -> tuple[int, int, int]:
    Overlaps.most, Overlaps.hands = 0, []
    parlour.match("leopard", bot, "random", deals=12, threads=4)
    return Overlaps.most, len(Overlaps.hands), len(set(Overlaps.hands))


def test_one_thread_at_a_time_calls_a_bot() -> None:
    most, _, hands = overlaps(Overlaps)
    assert (most, hands) == (1, 24)


def test_the_hands_of_an_instance_are_not_interleaved() -> None:
    assert overlaps(Overlaps()) == (1, 24, 24)


def test_instances_on_both_seats_do_not_wait_for_each_other() -> None:
    bots = {"a": Overlaps(), "b": Overlaps()}
    experiment = {"game": "leopard", "variants": ["revised"], "strategies": ["a", "b"], "deals": 6}
    assert rows(parlour.run(experiment, bots=bots, threads=4))["a"]["faults"] == 0


def test_a_thread_safe_bot_is_called_by_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Overlaps, "thread_safe", True, raising=False)
    assert overlaps(Overlaps)[0] > 1
