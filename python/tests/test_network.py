"""Networks saved as strategies."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs import Environment

pytest.importorskip("safetensors")

GAMES = [("leopard", "revised"), ("leapfrog", "mini-6x6"), ("eleusis", "express")]

MARGIN = 1e-3
"""Scores nearer than this may be rounded into another order."""


def sizes(game: str, variant: str) -> tuple[int, int]:
    table = Environment(game, variant)
    return table.numbers, table.actions


def state_dict(numbers: int, actions: int, width: int = 64) -> dict[str, Any]:
    """Two hidden layers with random weights, as `torch.nn.Sequential` names them."""
    rng = np.random.default_rng(1)
    shapes = [(width, numbers), (width, width), (actions, width)]
    layers = [rng.standard_normal(shape) / np.sqrt(shape[1]) for shape in shapes]
    weights = {f"{2 * i}.weight": layer.astype(np.float32) for i, layer in enumerate(layers)}
    biases = {f"{2 * i}.bias": rng.standard_normal(len(layer)) for i, layer in enumerate(layers)}
    return {**weights, **biases}


def scores(arrays: dict[str, Any], observation: Any, activation: Any) -> Any:
    units = observation.astype(np.float64)
    for number in (0, 2):
        units = activation(arrays[f"{number}.weight"] @ units + arrays[f"{number}.bias"])
    return arrays["4.weight"] @ units + arrays["4.bias"]


def relu(units: Any) -> Any:
    return np.maximum(units, 0)


def disagreements(game: str, variant: str, file: Path, reference: Any, wanted: int) -> int:
    """Positions of random play in which the strategy's action is not the best of the reference."""
    table, compared, wrong = Environment(game, variant, seed=3), 0, 0
    while compared < wanted:
        if table.seat is None:
            table.reset()
            continue
        legal = table.legal_actions()
        said = reference(table.observe())[legal]
        order = np.argsort(-said, kind="stable")
        if len(legal) > 1 and said[order[0]] - said[order[1]] > MARGIN:
            wrong += table.choose(str(file)) != legal[order[0]]
            compared += 1
        table.step(table.sample())
    return wrong


@pytest.mark.parametrize(("game", "variant"), GAMES)
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_actions_are_those_of_numpy(
    game: str, variant: str, activation: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.safetensors"
    arrays = state_dict(*sizes(game, variant))
    scale = 1 / 16
    parlour.save_network(
        arrays, game, file, variant=variant, activation=activation, scale=scale
    )
    function = relu if activation == "relu" else np.tanh
    reference = lambda observation: scores(arrays, observation * scale, function)  # noqa: E731
    assert disagreements(game, variant, file, reference, 1000) == 0


@pytest.mark.parametrize(("game", "variant"), GAMES)
def test_actions_are_those_of_torch(game: str, variant: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    nn = torch.nn
    torch.manual_seed(1)
    numbers, actions = sizes(game, variant)
    net = nn.Sequential(
        nn.Linear(numbers, 128), nn.ReLU(), nn.Linear(128, 96), nn.ReLU(), nn.Linear(96, actions)
    )
    value = nn.Sequential(nn.Linear(numbers, 16), nn.ReLU(), nn.Linear(16, 1), nn.Tanh())
    file = tmp_path / "mine.safetensors"
    entry = parlour.save_network(net, game, file, variant=variant, value=value)
    assert entry == {"name": "mine", "kind": "network", "file": str(file)}

    def reference(observation: Any) -> Any:
        with torch.no_grad():
            return net(torch.from_numpy(observation).float()).numpy()

    assert disagreements(game, variant, file, reference, 2000) == 0
    others = ["random"] * (Environment(game, variant).seats - 1)
    result = parlour.match(game, entry, *others, deals=2, variant=variant)
    assert "mine" in result.answer
    with torch.no_grad():
        net[4].weight[3, 7] = float("nan")
    with pytest.raises(parlour.InputError, match="network: `layer 2` has numbers that are infinite"):
        parlour.save_network(net, game, file, variant=variant)


def test_modules_that_are_no_perceptron_are_refused(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    nn, file = torch.nn, tmp_path / "mine.safetensors"

    class Hides(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.first, self.last = nn.Linear(187, 8), nn.Linear(8, 306)

        def forward(self, x: Any) -> Any:
            return self.last(nn.functional.silu(self.first(x)))

    def first() -> Any:
        return nn.Linear(187, 8)

    def last() -> Any:
        return nn.Linear(8, 306)

    for module, words in [
        (Hides(), "its `forward` is not its Linear layers in order with relu"),
        (nn.Sequential(first(), nn.GELU(), last()), "`GELU` is not Linear, ReLU or Tanh"),
        (nn.Sequential(first(), nn.ReLU(), nn.Tanh(), last()), "one kind of activation"),
        (nn.Sequential(first(), nn.ReLU(), last(), nn.Tanh()), "ends in Tanh"),
        (nn.Sequential(first(), nn.ReLU(), last(), nn.ReLU()), "one kind of activation"),
        (nn.ReLU(), "one kind of activation"),
        (nn.Flatten(), "no Linear layer"),
    ]:
        with pytest.raises(parlour.InputError, match=words):
            parlour.save_network(module, "leopard", file)
    net = nn.Sequential(first(), nn.ReLU(), nn.Dropout(), last()).to(torch.bfloat16)
    parlour.save_network(net, "leopard", file)
    assert net.training


def test_a_model_has_the_scale_of_its_environment(tmp_path: Path) -> None:
    sb3 = pytest.importorskip("sb3_contrib")
    from parlour.envs import SB3VecEnv
    from safetensors.numpy import load_file

    envs = SB3VecEnv("leopard", 2, "revised", rescale=True)
    model = sb3.MaskablePPO("MlpPolicy", envs, seed=1)

    def saved(**options: Any) -> Any:
        parlour.save_network(model, "leopard", tmp_path / "it.safetensors", **options)
        return load_file(tmp_path / "it.safetensors")["0.weight"]

    assert (saved() == saved(scale=envs.scale)).all()
    assert (saved() != saved(scale=1.0)).any()
    model.env = None
    with pytest.raises(parlour.InputError, match="give their `scale`"):
        saved()


def test_a_policy_of_stable_baselines_is_saved_with_its_critic(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    sb3 = pytest.importorskip("sb3_contrib.common.maskable.policies")
    spaces = pytest.importorskip("gymnasium").spaces
    torch.manual_seed(2)
    numbers, actions = sizes("leopard", "revised")
    box = spaces.Box(0, 255, (numbers,), np.uint8)
    policy = sb3.MaskableActorCriticPolicy(box, spaces.Discrete(actions), lambda _: 1e-3)
    # Its last layer starts near 0, where all actions are nearly equal.
    policy.action_net = torch.nn.Linear(64, actions)
    file = tmp_path / "mine.safetensors"
    parlour.save_network(policy, "leopard", file)

    def reference(observation: Any) -> Any:
        with torch.no_grad():
            batch = torch.from_numpy(observation)[None]
            return policy.get_distribution(batch).distribution.logits[0].numpy()

    assert disagreements("leopard", "revised", file, reference, 500) == 0
    search = {"base": "ismcts-250", "budget": {"iterations": 20}, "name": "search"}
    search["playouts"] = {"cut_off": {"moves": 1, "evaluator": str(file)}}
    assert parlour.match("leopard", search, "random", deals=1).answer


def test_wrong_arrays_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"

    def refused(words: str, network: Any = None, **changes: Any) -> None:
        arrays = {**state_dict(187, 306), **(network or {})}
        said: dict[str, Any] = {"game": "leopard", "path": file, **changes}
        with pytest.raises(parlour.InputError, match=words):
            parlour.save_network(arrays, **said)

    refused("it has 187 inputs; an observation of leapfrog `original` has", game="leapfrog")
    refused("has 205 numbers", variant={"base": "revised", "name": "x", "face_down_covers": "card"})
    refused(r"value: it has 306 outputs; the value is 1 number", value=state_dict(187, 306))
    refused(r"has 32 inputs; the layer before it has 64", {"2.weight": np.zeros((64, 32))})
    refused(r"shape \(64,\); it must be \(outputs, inputs\)", {"2.weight": np.zeros(64)})
    refused(r"bias of `0.weight` has the shape \(63,\)", {"0.bias": np.zeros(63)})
    refused("type int64; it must be a float", {"2.weight": np.zeros((64, 64), int)})
    refused("`4.weight` has numbers that are infinite", {"4.weight": np.full((306, 64), 1e300)})
    refused("unknown `log_std`; play other networks by a bot", {"log_std": np.zeros(3)})
    refused("`activation` is 'gelu'", activation="gelu")
    refused("`scale` must be a number, or one for each of 187 inputs", scale=np.ones(3))
    refused("`path` is 3; it must be the path of a file", path=3)
    refused("the name of a network must end in `.safetensors`", path=tmp_path / "mine.onnx")
    refused("cannot write .*: No such file", path=tmp_path / "none" / "mine.safetensors")
    with pytest.raises(parlour.InputError, match="a state dict is needed, not a str"):
        parlour.save_network("mine", "leopard", file)
    assert not list(tmp_path.iterdir())


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.safetensors"
    with pytest.raises(parlour.InputError, match="cannot read .*mine.safetensors"):
        parlour.strategy("leopard", file)
    parlour.save_network(state_dict(187, 306), "leopard", file)
    with pytest.raises(parlour.InputError, match="187 inputs .* observation has 911 numbers"):
        parlour.match("leapfrog", file, "random", deals=1)
    entry = {"kind": "network", "file": str(file)}
    played = parlour.match("leopard", entry, "random", deals=1)
    assert played.experiment["line_ups"] == [["mine", "random"]]
    other = {"base": "revised", "name": "x", "face_down_covers": "card"}
    table = Environment("leopard", other)
    with pytest.raises(parlour.InputError, match="187 inputs and 306 actions.* 205 numbers"):
        table.choose(str(file))
    with pytest.raises(parlour.InputError, match="187 inputs and 306 actions.* 205 numbers"):
        parlour.match("leopard", file, "greedy", variant=other, deals=1)


def test_the_program_plays_the_file(program: Path, tmp_path: Path) -> None:
    parlour.save_network(state_dict(187, 306), "leopard", tmp_path / "mine.safetensors")
    play = [program, "match", "leopard", "mine.safetensors", "random", "--deals", "5", "--out", "out"]
    subprocess.run([*map(str, play), "--quiet"], cwd=tmp_path, check=True, capture_output=True)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    strategy = manifest["experiment"]["strategies"][0]["strategy"]
    assert strategy["file"] == "mine.safetensors" and len(strategy["sha256"]) == 64
