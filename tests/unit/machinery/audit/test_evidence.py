"""Evidence: what is kept comes back as it was, and every piece is found by its name."""

import json
import math
from collections import namedtuple
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from shapaudit_audit.audit.evidence import (
    Case,
    EvidenceError,
    KeptEvidence,
    decode,
    encode,
    evidence_in,
    gather_all,
    is_sampled,
    key_of,
    paper_of,
    sampled,
    write_evidence,
)
from shapaudit_audit.schemas import schema_file
from shapaudit_audit.study.sealed import to_sealed
from shapaudit_papers.grah_thouvenot_2020.evidence.rates.default_step import gather_default

SCHEMA = schema_file("evidence")
DTYPES = (bool, np.uint8, np.int32, np.int64, np.float32, np.float64)

texts = st.text(max_size=5) | st.builds("$".__add__, st.text(max_size=3))
fractions = st.fractions()
numbers = st.integers() | st.floats() | fractions | st.booleans()
leaves = st.none() | texts | numbers
shapes = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
plain_arrays = st.sampled_from(DTYPES).flatmap(lambda dtype: arrays.arrays(dtype, shapes))
object_arrays = arrays.arrays(object, shapes, elements=fractions | st.integers(), fill=st.nothing())
cases = st.builds(Case, texts, numbers, numbers)
keys = st.recursive(texts | st.integers(), lambda key: st.tuples(key, key), max_leaves=3)


def containers(values):
    """Lists, tuples and mappings of values."""
    few = st.lists(values, max_size=4)
    return few | few.map(tuple) | st.dictionaries(keys, values, max_size=4)


kept_values = st.recursive(leaves | cases | plain_arrays | object_arrays, containers, max_leaves=12)


def kept(value):
    """What is left of a value that was written to a file and read again."""
    return decode(json.loads(json.dumps(encode(value), allow_nan=False)))


def assert_same(value, other):
    """Same types, and same values down to the sign of zero and NaN."""
    assert type(value) is type(other)
    if isinstance(value, np.ndarray):
        assert (value.dtype, value.shape) == (other.dtype, other.shape)
        assert_same(value.ravel().tolist(), other.ravel().tolist())
    elif isinstance(value, dict):
        assert list(value) == list(other)
        assert [type(key) for key in value] == [type(key) for key in other]
        assert_same(list(value.values()), list(other.values()))
    elif isinstance(value, list | tuple):
        assert len(value) == len(other)
        for left, right in zip(value, other, strict=True):
            assert_same(left, right)
    elif isinstance(value, float):
        assert (math.isnan(value) and math.isnan(other)) or (
            value == other and math.copysign(1, value) == math.copysign(1, other)
        )
    else:
        assert value == other


@given(kept_values)
def test_what_is_kept_comes_back_as_it_was(value):
    assert_same(kept(value), value)


@pytest.mark.parametrize("dtype", [*DTYPES, object])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3), (1, 2, 2)])
def test_arrays_of_every_shape_come_back(dtype, shape):
    array = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
    assert_same(kept(array), array)


@pytest.mark.parametrize("dtype", [np.float64, object])
def test_arrays_with_numbers_that_json_lacks_come_back(dtype):
    array = np.array([[math.nan, math.inf, -math.inf], [0.1, -0.0, 1e308]], dtype=dtype)
    assert_same(kept(array), array)


@pytest.mark.parametrize("container", [tuple, list])
def test_an_array_of_containers_keeps_them(container):
    array = np.empty(2, dtype=object)
    array[:] = [container([Fraction(1, 2), 1]), container([Fraction(1, 3), 2])]
    assert_same(kept(array), array)


@pytest.mark.parametrize(
    ("scalar", "plain"),
    [
        (np.float64(0.1), 0.1),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float64("nan"), math.nan),
        (np.int64(-3), -3),
        (np.uint8(255), 255),
        (np.bool_(True), True),
    ],
)
def test_numpy_scalars_come_back_as_the_numbers_of_python(scalar, plain):
    assert_same(kept(scalar), plain)
    assert_same(kept({"all": [scalar]}), {"all": [plain]})


def test_the_forms_are_those_of_the_docstring():
    assert encode(Fraction(1, 3)) == {"$fraction": "1/3"}
    assert encode((1, "x")) == {"$tuple": [1, "x"]}
    assert encode(math.nan) == {"$number": "nan"}
    assert encode(Case("x", Fraction(1), 2)) == {"$case": ["x", {"$fraction": "1"}, 2]}
    array = {"$array": [1.0, 2.0, 3.0, 4.0], "dtype": "float64", "shape": [2, 2]}
    assert encode(np.array([[1.0, 2.0], [3.0, 4.0]])) == array
    assert encode({3: "x"}) == {"$pairs": [[3, "x"]]}
    assert encode({"$odd": 1}) == {"$pairs": [["$odd", 1]]}
    assert encode({"a": 1}) == {"a": 1}


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({1, 2}, "set"),
        (object(), "object"),
        (1j, "complex"),
        (b"x", "bytes"),
        (range(3), "range"),
        (Point(1, 2), "Point"),
        (np.array([1j]), "array of complex128"),
        (np.array(["x"]), "array of str"),
        (np.array([{1}], dtype=object), "set"),
    ],
)
def test_what_would_be_lost_is_refused_and_its_piece_named(tmp_path, value, name):
    path = tmp_path / "a_paper.json"
    evidence = {"fine": {"x": 1}, "module.gather_it": {"deep": [{"x": value}]}}
    message = rf"evidence a_paper/module\.gather_it: evidence holds an? {name}"
    with pytest.raises(EvidenceError, match=message):
        write_evidence(path, "a_paper", "tiny", 1, evidence, SCHEMA)
    assert not path.exists()


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"paper": "A paper"}, r"\$\.paper: 'A paper' does not match"),
        ({"seed": -1}, r"\$\.seed: -1 is less than"),
        ({"study": ""}, r"\$\.study: '' should be non-empty"),
        ({"gathered": {"Gather": {}}}, r"'Gather' does not match"),
        ({"gathered": {"gather": [1]}}, r"\$\.pieces\.gather: \[1\] is not of type 'object'"),
    ],
)
def test_a_file_that_breaks_the_schema_is_not_written(tmp_path, changes, place):
    path = tmp_path / "evidence.json"
    parts = {"paper": "a_paper", "study": "tiny", "seed": 1, "gathered": {"gather": {"x": 1}}}
    with pytest.raises(EvidenceError, match=f"evidence.json: .*{place}"):
        write_evidence(path, **(parts | changes), schema=SCHEMA)
    assert not path.exists()


def test_a_file_says_whose_evidence_it_holds(tmp_path):
    path = tmp_path / "a_paper.json"
    write_evidence(path, "a_paper", "tiny", 3, {"piece.gather": {"é": (1, 2)}}, SCHEMA)
    assert path.read_text(encoding="utf-8") == to_sealed(
        '{"schema":1,"study":"tiny","seed":3,"paper":"a_paper",'
        '"pieces":{"piece.gather":{"é":{"$tuple":[1,2]}}}}\n'
    )


PACKAGE = {
    "evidence/__init__": "def gather_first(context): ...\n",
    "evidence/piece": (
        "from shapaudit_audit.audit.evidence import sampled\n"
        "from .deeper.piece import gather as gather_imported\n"
        "from .deeper.piece import gather_more\n"
        "gathered = 3\n"
        "class gather_nothing: ...\n"
        "@sampled\n"
        "def gather(context): return {'seed': context}\n"
        "def helper(context): ...\n"
    ),
    "evidence/deeper/__init__": "",
    "evidence/deeper/piece": "def gather(context): ...\ndef gather_more(context): return 1 / 0\n",
    "claims/__init__": "def gather_elsewhere(context): ...\n",
}


@pytest.fixture(scope="module")
def pieces(tmp_path_factory):
    """Evidence of a package of some modules, by key."""
    folder = tmp_path_factory.mktemp("found")
    for path, text in {"__init__": "", **PACKAGE}.items():
        file = folder / "some_paper" / f"{path}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield evidence_in("some_paper")


def test_evidence_is_found_at_any_depth_and_not_where_it_is_imported(pieces):
    assert set(pieces) == {
        "gather_first",
        "piece.gather",
        "deeper.piece.gather",
        "deeper.piece.gather_more",
    }
    assert {key: key_of(gather) for key, gather in pieces.items()} == {key: key for key in pieces}
    assert {paper_of(gather) for gather in pieces.values()} == {"some_paper"}


def test_what_rests_on_a_sample_is_marked(pieces):
    assert [key for key, gather in pieces.items() if is_sampled(gather)] == ["piece.gather"]

    def gather(context): ...

    assert not is_sampled(gather)
    assert sampled(gather) is gather
    assert is_sampled(gather)


def test_keys_are_those_of_module_and_function():
    assert key_of(gather_default) == "rates.default_step.gather_default"
    assert paper_of(gather_default) == "grah_thouvenot_2020"


def test_gathering_names_the_piece_that_fails(pieces):
    assert gather_all({"piece.gather": pieces["piece.gather"]}, 7, "some_paper") == {
        "piece.gather": {"seed": 7}
    }
    with pytest.raises(EvidenceError, match=r"some_paper/deeper\.piece\.gather_more: division by"):
        gather_all(pieces, 7, "some_paper")


def test_a_piece_is_read_from_the_file_of_its_paper(tmp_path, pieces):
    path = tmp_path / "some_paper.json"
    evidence = {"deeper.piece.gather": {"x": Fraction(1, 3)}}
    write_evidence(path, "some_paper", "tiny", 1, evidence, SCHEMA)
    kept_pieces = KeptEvidence({"some_paper": path})
    assert kept_pieces.of(pieces["deeper.piece.gather"]) == {"x": Fraction(1, 3)}
    message = r"no evidence some_paper/piece\.gather; delete the evidence of some_paper and run"
    with pytest.raises(EvidenceError, match=message):
        kept_pieces.of(pieces["piece.gather"])
    with pytest.raises(EvidenceError, match="no evidence grah_thouvenot_2020/rates"):
        kept_pieces.of(gather_default)


def test_a_check_that_writes_into_its_evidence_spoils_it_for_no_other(tmp_path, pieces):
    path = tmp_path / "some_paper.json"
    write_evidence(path, "some_paper", "tiny", 1, {"piece.gather": {"rows": [1]}}, SCHEMA)
    kept_pieces = KeptEvidence({"some_paper": path})
    kept_pieces.of(pieces["piece.gather"])["rows"].append(2)
    assert kept_pieces.of(pieces["piece.gather"]) == {"rows": [1]}
