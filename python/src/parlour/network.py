"""Trained networks as strategies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _parlour, arguments
from ._parlour import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = ["save_network"]

_ACTIVATIONS = {"ReLU": "relu", "Tanh": "tanh"}
_IGNORED = {"Dropout", "Flatten", "FlattenExtractor", "Identity", "Sequential"}
_OTHERS = "play other networks by a bot with `choose_many`"


class _Layers(NamedTuple):
    """Fully connected layers: weights of shape (outputs, inputs), and biases."""

    weights: list[Floats]
    biases: list[Floats]
    activation: str | None
    ends_in_tanh: bool


def save_network(
    network: Any,
    game: str,
    path: str | os.PathLike[str],
    *,
    variant: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    activation: str | None = None,
    scale: Any = None,
    value: Any = None,
) -> dict[str, Any]:
    """Saves a multilayer perceptron as a strategy, and returns its entry for `run`, `match` or `rate`.
    The file is a strategy of the command line too: `parlour match leopard mine.safetensors greedy`.

    `network` maps an observation, shape (numbers,), as float32, to a score (logit) of each action,
    shape (actions,). It is a `torch.nn.Sequential` of `Linear`, `ReLU` and `Tanh`; a module that
    holds such layers in order; a policy or a model of Stable-Baselines3, with its critic; or a state
    dict: arrays `….weight` of shape (outputs, inputs) and `….bias` of shape (outputs,), of torch or
    NumPy. Numbers become float32.

    `variant` is the rules for which it was trained, by default the first of the game; `activation` is
    `"relu"` or `"tanh"`, for networks without activation modules (default `"relu"`). `scale` is the
    number, or the numbers, shape (numbers,), by which observations were multiplied in training; a model
    of Stable-Baselines3 has it from its `SB3VecEnv`.
    `value` is a network of the same inputs and 1 output, the expected reward from -1 to 1 of the seat
    to move (a final `Tanh` is allowed). Searches can then evaluate positions with it.
    """
    np = _import_numpy()
    game = arguments.game(game)
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"`path` is {path!r}; it must be the path of a file")
    file = Path(arguments.text("`path`", os.fspath(path)))
    if file.suffix != ".safetensors":
        raise InputError(f"{file}: the name of a network must end in `.safetensors`")
    if activation not in (None, *_ACTIVATIONS.values()):
        raise InputError(f"`activation` is {activation!r}; it must be 'relu' or 'tanh'")
    facts = _parlour.Environment(game, variant).facts
    network_given = network
    network, critic = _parts(network)
    value = critic if value is None else value
    modules = {"network": network} if value is None else {"network": network, "value": value}
    networks = {what: _layers(what, module) for what, module in modules.items()}
    for what, layers in networks.items():
        _check(what, layers, facts)
    found = {layers.activation for layers in networks.values()} | {activation}
    found.discard(None)
    if len(found) > 1:
        raise InputError("network: it has relu and tanh; all hidden layers must have the same")
    activation = found.pop() or "relu" if found else "relu"
    for what, module in modules.items():
        if callable(getattr(module, "parameters", None)):
            _compare(what, module, networks[what], activation)
    if scale is None:
        scale = _scale_of(network_given)
    try:
        factor = np.broadcast_to(np.asarray(scale, np.float32), (facts["numbers"],))
    except (TypeError, ValueError):
        factor = np.full(1, np.nan)
    if not np.isfinite(factor).all():
        raise InputError(f"`scale` must be a number, or one for each of {facts['numbers']} inputs")
    tensors = {}
    for what, layers in networks.items():
        layers.weights[0] = layers.weights[0] * factor
        for number, (weight, bias) in enumerate(zip(layers.weights, layers.biases)):
            name = f"{'value.' if what == 'value' else ''}{2 * number}"
            tensors[f"{name}.weight"] = np.ascontiguousarray(weight, np.float32)
            tensors[f"{name}.bias"] = np.ascontiguousarray(bias, np.float32)
    metadata = {"game": game, "variant": facts["variant"], "activation": activation}
    if "value" in networks and networks["value"].ends_in_tanh:
        metadata["value"] = "tanh"
    _write(file, tensors, metadata)
    return {"name": file.stem, "kind": "network", "file": str(file)}


def _import_numpy() -> Any:
    try:
        import numpy
        import safetensors.numpy  # noqa: F401
    except ImportError:
        raise InputError(
            "`save_network` needs NumPy and safetensors: pip install 'parlour[network]'"
        ) from None
    return numpy


def _write(file: Path, tensors: dict[str, Any], metadata: dict[str, str]) -> None:
    """Writes the file, whole or not at all."""
    from safetensors.numpy import save

    part = file.with_name(f".{file.name}.part")
    try:
        part.write_bytes(save(tensors, metadata))
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"cannot write {file}: {error.strerror or error}") from None


def _parts(network: Any) -> tuple[Any, Any]:
    """The policy, and the critic if there is one: Stable-Baselines3 keeps both in one policy object."""
    policy = getattr(network, "policy", network)
    shared = getattr(policy, "mlp_extractor", None)
    if shared is None or not hasattr(policy, "action_net"):
        return network, None
    return (
        [policy.pi_features_extractor, shared.policy_net, policy.action_net],
        [policy.vf_features_extractor, shared.value_net, policy.value_net],
    )


def _scale_of(model: Any) -> Any:
    """The scale of the observations of a Stable-Baselines3 model's environment."""
    scale = getattr(getattr(model, "env", None), "scale", None)
    if scale is not None:
        return scale
    space = getattr(model, "observation_space", None)
    if getattr(space, "dtype", None) == "float32":
        raise InputError("the model saw numbers from 0 to 1; give their `scale`, as of `GymVectorEnv`")
    return 1.0


def _leaves(network: Any) -> list[Any]:
    """The modules without parts, in order."""
    if isinstance(network, list):
        return [leaf for part in network for leaf in _leaves(part)]
    return [module for module in network.modules() if not list(module.children())]


def _layers(what: str, network: Any) -> _Layers:
    """The layers of a module or of a state dict."""
    layers = _Layers([], [], None, False)
    if isinstance(network, Mapping):
        arrays = dict(network)
        for name in [name for name in arrays if name.endswith("weight")]:
            _add(layers, what, name, arrays.pop(name), arrays.pop(f"{name[:-6]}bias", None))
        if arrays:
            raise InputError(f"{what}: unknown `{next(iter(arrays))}`; {_OTHERS}")
        return layers
    if not isinstance(network, list) and not callable(getattr(network, "modules", None)):
        kind = arguments.type_name(network)
        raise InputError(f"{what}: a torch module or a state dict is needed, not {kind}")
    kinds = []
    for leaf in _leaves(network):
        kind = type(leaf).__name__
        if kind == "Linear":
            _add(layers, what, f"layer {len(layers.weights)}", leaf.weight, leaf.bias)
        elif kind not in (*_ACTIVATIONS, *_IGNORED):
            raise InputError(f"{what}: `{kind}` is not Linear, ReLU or Tanh; {_OTHERS}")
        kinds += [kind] * (kind not in _IGNORED)
    between = [kind for kind in kinds if kind != "Linear"]
    if not between:
        # The module itself may apply an activation.
        return layers
    ends_in_tanh = kinds[-1] == "Tanh"
    if kinds[: len(kinds) - ends_in_tanh] != (["Linear", between[0]] * len(layers.weights))[:-1]:
        raise InputError(
            f"{what}: it is not Linear layers with one kind of activation between them; {_OTHERS}"
        )
    found = _ACTIVATIONS[between[0]] if len(layers.weights) > 1 else None
    return layers._replace(activation=found, ends_in_tanh=ends_in_tanh)


def _add(layers: _Layers, what: str, name: str, weight: Any, bias: Any) -> None:
    """Adds a layer after checking its shapes and numbers."""
    weight = _floats(f"{what}: `{name}`", weight)
    if weight.ndim != 2 or weight.size == 0:
        raise InputError(f"{what}: `{name}` has the shape {weight.shape}; it must be (outputs, inputs)")
    outputs, inputs = weight.shape
    bias = weight[:, 0] * 0 if bias is None else _floats(f"{what}: bias of `{name}`", bias)
    if bias.shape != (outputs,):
        raise InputError(f"{what}: bias of `{name}` has the shape {bias.shape}, not ({outputs},)")
    if layers.weights and len(layers.weights[-1]) != inputs:
        before = len(layers.weights[-1])
        raise InputError(
            f"{what}: `{name}` has {inputs} inputs; the layer before it has {before} outputs"
        )
    layers.weights.append(weight)
    layers.biases.append(bias)


def _floats(what: str, array: Any) -> Any:
    """An array or tensor as finite float32."""
    import numpy as np

    if callable(getattr(array, "detach", None)):
        array = array.detach().cpu()
        array = (array.float() if array.is_floating_point() else array).numpy()
    array = np.asarray(array)
    if array.dtype.kind != "f":
        raise InputError(f"{what} has the type {array.dtype}; it must be a float")
    with np.errstate(over="ignore"):
        array = array.astype(np.float32)
    if not np.isfinite(array).all():
        raise InputError(f"{what} has numbers that are infinite or not a number")
    return array


def _check(what: str, layers: _Layers, facts: dict[str, Any]) -> None:
    """Checks the numbers of inputs and outputs."""
    if not layers.weights:
        raise InputError(f"{what}: it has no Linear layer")
    under = f"{facts['game']} `{facts['variant']}`"
    inputs, outputs = layers.weights[0].shape[1], len(layers.biases[-1])
    if inputs != facts["numbers"]:
        numbers = f"an observation of {under} has {facts['numbers']} numbers"
        raise InputError(f"{what}: it has {inputs} inputs; {numbers}")
    if what == "value" and outputs != 1:
        raise InputError(f"value: it has {outputs} outputs; the value is 1 number")
    if what == "network" and outputs != facts["count"]:
        raise InputError(f"network: it has {outputs} outputs; {under} has {facts['count']} actions")
    if what == "network" and layers.ends_in_tanh:
        raise InputError("network: it ends in Tanh; the scores of actions must come from Linear")


def _compare(what: str, network: Any, layers: _Layers, activation: str) -> None:
    """Compares a module with its layers in order, since its `forward` may do something else."""
    import numpy as np
    import torch

    numbers = layers.weights[0].shape[1]
    sample = np.random.default_rng(0).random((8, numbers), np.float32)
    like = next(network.parameters())
    was_training = network.training
    network.eval()
    try:
        with torch.no_grad():
            output = network(torch.from_numpy(sample).to(like)).cpu().float().numpy()
    except (AttributeError, RuntimeError, TypeError, ValueError):
        # Its `forward` takes or returns something else.
        return
    finally:
        network.train(was_training)
    units = sample
    for number, (weight, bias) in enumerate(zip(layers.weights, layers.biases)):
        if number > 0:
            units = np.tanh(units) if activation == "tanh" else np.maximum(units, 0)
        units = units @ weight.T + bias
    units = np.tanh(units) if layers.ends_in_tanh else units
    tolerance = 1e-3 if like.dtype.itemsize >= 4 else 0.1
    if output.shape == units.shape and not np.allclose(output, units, tolerance, tolerance):
        raise InputError(
            f"{what}: its `forward` is not its Linear layers in order with {activation} between "
            f"them; {_OTHERS}"
        )
