"""Networks from ONNX files, beside the outputs of onnx's own reference."""

import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from shapaudit.explainers import create
from shapaudit.models import ModelError
from shapaudit.models.read_layers import read_layers

ROWS = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)


def arrays(dtype=np.float32, **shapes):
    rng = np.random.default_rng(1)
    return {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}


def written(path, nodes, constants, outputs=("y",), inputs=("x",)):
    """A file of these nodes, (op, inputs, output, attributes) each."""
    made = [helper.make_node(op, list(ins), [out], **more) for op, ins, out, more in nodes]
    graph = helper.make_graph(
        made,
        "made up",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 3]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, path)
    return path


GEMM = [
    ("Flatten", "x", "rows", {}),
    ("Gemm", ["rows", "a", "p"], "h", {"transB": 1, "alpha": 0.5, "beta": 2.0}),
    ("LeakyRelu", "h", "g", {"alpha": 0.01}),
    ("Gemm", "gb", "i", {}),
    ("Tanh", "i", "j", {}),
    ("Gemm", ["j", "c", "r"], "y", {}),
]
MATMUL = [
    ("Constant", [], "k", {"value": numpy_helper.from_array(np.float32([[0.5, -1, 2, 0]]))}),
    ("MatMul", "xa", "h", {}),
    ("Add", "kh", "i", {}),
    ("Sigmoid", "i", "j", {}),
    ("Identity", "j", "same", {}),
    ("MatMul", ["same", "b"], "l", {}),
    ("Add", "lq", "m", {}),
    ("Relu", "m", "n", {}),
    ("MatMul", "nc", "y", {}),
]


@pytest.mark.parametrize(
    ("nodes", "constants"),
    [
        (GEMM, arrays(a=(4, 3), p=(4,), b=(4, 2), c=(2, 1), r=(1,))),
        (MATMUL, arrays(a=(3, 4), b=(4, 5), q=(5,), c=(5, 1))),
    ],
    ids=["gemm", "matmul"],
)
def test_outputs_are_those_of_the_reference(nodes, constants, tmp_path):
    path = written(tmp_path / "net.onnx", nodes, constants)
    layers = read_layers(path)
    (expected,) = ReferenceEvaluator(str(path)).run(None, {"x": ROWS})
    np.testing.assert_allclose(layers.predict(ROWS), expected[:, 0], rtol=1e-5, atol=1e-6)
    explanation = create("deeplift").fit(str(path), ROWS[0]).explain(ROWS)
    np.testing.assert_allclose(
        explanation.values.sum(axis=1) + explanation.base_value,
        layers.predict(ROWS),
        rtol=1e-9,
        atol=1e-12,
    )


DENSE = [("Gemm", "xa", "h", {}), ("Relu", "h", "g", {}), ("Gemm", "gb", "y", {})]
SMALL = arrays(a=(3, 4), b=(4, 2), p=(5,))


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([*DENSE[:2], ("Gemm", "gb", "z", {}), ("Softmax", "z", "y", {})], "'y'.*classifier's hea"),
        ([*DENSE[:2], ("Gemm", "gb", "z", {}), ("Relu", "z", "y", {})], "ends with an activation"),
        ([("Relu", "x", "h", {}), *DENSE[1:]], "'h' .Relu. is an activation without a layer"),
        ([("Erf", "x", "y", {})], r"'y' .Erf. is no part of a feed-forward network; the known"),
        ([("Add", "xx", "y", {})], r"the result 'x' is used by 2 nodes|is no part of a feed"),
        (
            [DENSE[0], ("Relu", "h", "g", {}), ("Tanh", "h", "f", {}), ("Gemm", "gb", "y", {})],
            "the result 'h' is used by 2 nodes; in a feed-forward network each layer is used once",
        ),
        ([("Gemm", "ax", "y", {})], "has no stored matrix as its second factor"),
        ([("Gemm", "xa", "y", {"transA": 1})], "transposes its rows"),
        ([("Gemm", "xap", "y", {})], r"adds an array of shape \(5,\) to 4 outputs"),
        ([("Gemm", "xa", "h", {}), ("LeakyRelu", "h", "y", {"alpha": 0.2})], "has the slope 0.2; "),
        ([("Flatten", "x", "h", {"axis": 0}), ("Gemm", "ha", "y", {})], "flattens from axis 0"),
        ([], "the result 'x' is used by 0 nodes"),
    ],
)
def test_other_graphs_are_refused_by_name(nodes, message, tmp_path):
    path = written(tmp_path / "net.onnx", nodes, SMALL)
    with pytest.raises(ModelError, match=rf"net\.onnx: .*(?:{message})"):
        read_layers(path)


def test_layers_without_activation_are_joined(tmp_path):
    path = written(tmp_path / "net.onnx", [("Gemm", "xa", "h", {}), ("Gemm", "hb", "y", {})], SMALL)
    (expected,) = ReferenceEvaluator(str(path)).run(None, {"x": ROWS})
    layers = read_layers(path, 1)
    assert layers.activations == ()
    np.testing.assert_allclose(layers.predict(ROWS), expected[:, 1], rtol=1e-5, atol=1e-6)


def test_one_output_is_explained_of_several(tmp_path):
    path = written(tmp_path / "net.onnx", DENSE, SMALL)
    with pytest.raises(ModelError, match="output"):
        read_layers(path)
    (expected,) = ReferenceEvaluator(str(path)).run(None, {"x": ROWS})
    np.testing.assert_allclose(
        read_layers(path, 1).predict(ROWS), expected[:, 1], rtol=1e-5, atol=1e-6
    )


def test_several_results_and_other_files_are_refused(tmp_path):
    path = written(tmp_path / "net.onnx", DENSE, SMALL, outputs=("y", "g"))
    with pytest.raises(ModelError, match="1 inputs and 2 outputs; a feed-forward network has one"):
        read_layers(path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ModelError, match=r"net\.onnx is no ONNX file that can be read"):
        read_layers(path)
    with pytest.raises(ModelError, match=r"none\.onnx is no ONNX file that can be read"):
        read_layers(tmp_path / "none.onnx")


def test_without_the_package_the_error_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ModelError, match=r"pip install 'shapaudit\[onnx\]'"):
        read_layers(tmp_path / "net.onnx")


def test_a_network_without_activations_is_a_linear_model(tmp_path):
    nodes = [("Gemm", "xab", "h", {}), ("Identity", "h", "i", {}), ("Gemm", "icd", "y", {})]
    constants = arrays(a=(3, 4), b=(4,), c=(4, 1), d=(1,))
    path = written(tmp_path / "flat.onnx", nodes, constants)
    (expected,) = ReferenceEvaluator(str(path)).run(None, {"x": ROWS})
    fitted = create("linear").fit(path, ROWS)
    np.testing.assert_allclose(fitted.output(ROWS), expected[:, 0], rtol=1e-5, atol=1e-6)
    slopes = constants["a"].astype(float) @ constants["c"][:, 0].astype(float)
    values = fitted.explain(ROWS).values
    np.testing.assert_allclose(values, (ROWS - ROWS.mean(axis=0)) * slopes, rtol=1e-5, atol=1e-5)
    curved = [*nodes[:1], ("Tanh", "h", "i", {}), nodes[2]]
    with pytest.raises(ModelError, match="has the activations tanh: it is no linear model"):
        create("linear").fit(written(tmp_path / "curved.onnx", curved, constants), ROWS)
