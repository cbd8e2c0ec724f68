"""Writes the ONNX files of the tests: `python write.py`."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).parent


def write(name, nodes, inputs, outputs, weights=()):
    weights = [numpy_helper.from_array(np.asarray(array, np.float32), key) for key, array in weights]
    graph = helper.make_graph(nodes, name, inputs, outputs, weights)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    onnx.save(model, HERE / f"{name}.onnx")


def port(name, kind=TensorProto.FLOAT, shape=("batch", 4)):
    return helper.make_tensor_value_info(name, kind, shape)


def gemm(name, into="x", weight="w"):
    return helper.make_node("Gemm", [into, weight], [name], transB=1)


WEIGHTS = [("w", [[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, -1, 3]]), ("v", [[0.25, 0, 0, 0]])]
BYTES = TensorProto.UINT8
LOGITS, VALUE = port("logits", shape=("batch", 3)), port("value", shape=("batch", 1))
both = [gemm("logits"), gemm("value", weight="v")]
write("float", both, [port("x")], [LOGITS, VALUE], WEIGHTS)
cast = helper.make_node("Cast", ["b"], ["x"], to=TensorProto.FLOAT)
write("bytes", [cast, gemm("logits")], [port("b", BYTES, (1, 4))], [LOGITS], WEIGHTS[:1])
write("image", [helper.make_node("Relu", ["x"], ["y"])], [port("x", shape=(1, 2, 2))], [port("y")])
write("double", [helper.make_node("Relu", ["x"], ["y"])], [port("x", TensorProto.DOUBLE)], [port("y")])
odd = helper.make_node("Det", ["x"], ["y"])
write("operator", [odd], [port("x")], [port("y", shape=())])
write("three", [helper.make_node("Relu", ["x"], [name]) for name in "abc"], [port("x")],
      [port(name) for name in "abc"])
# Prefers the action with the highest number to be known, for Leopard under `revised`.
rank = [("w", np.ones((1, 187)) / 187), ("u", np.arange(306).reshape(306, 1) / 306)]
write("leopard", [gemm("h"), gemm("logits", "h", "u")], [port("x", shape=(1, 187))],
      [port("logits", shape=(1, 306))], rank)
