"""Parameters and own modules that make no estimator are explained."""

import numpy as np
import pytest

from shapaudit import explainers, removals
from shapaudit.estimators import UnknownEstimator, create, resolve
from shapaudit.explainers import ExplainerError
from shapaudit.removals import RemovalError


@pytest.mark.parametrize(
    ("name", "params", "wanted"),
    [
        ("featurewise-order", {"antithetic": "false"}, "true or false; got 'false'"),
        ("unbiased-kernel-shap", {"paired": 2}, "true or false; got 2"),
        ("quasi-random-order", {"replicates": 2.5}, "a whole number; got 2.5"),
        ("quasi-random-order", {"replicates": True}, "a whole number; got True"),
        ("projected-sgd", {"batch": 1.5}, "a whole number; got 1.5"),
        ("projected-sgd", {"scale": "a"}, "a number; got 'a'"),
        ("projected-sgd", {"scale": True}, "a number; got True"),
        ("projected-sgd", {"ratio": "1"}, "a number or null; got '1'"),
        ("multilinear", {"levels": 3.5}, "a whole number or null; got 3.5"),
        ("normalised", {"estimator": 3}, "a text; got 3"),
    ],
)
def test_a_parameter_of_another_type_is_refused(name, params, wanted):
    with pytest.raises(ValueError, match=f"{name}: {next(iter(params))} must be {wanted}"):
        create(name, params)


def test_whole_numbers_are_numbers_and_numbers_may_be_numpys():
    assert create("projected-sgd", {"scale": 2, "ratio": np.float64(3)}).scale == 2
    assert create("projected-sgd", {"batch": np.int64(2), "paired": np.bool_(True)}).paired
    assert create("multilinear", {"levels": None}).levels is None


@pytest.mark.parametrize("name", [None, 3, ["auto"], b"auto"])
@pytest.mark.parametrize(
    ("make", "what", "error"),
    [
        (create, "estimator", UnknownEstimator),
        (resolve, "estimator", UnknownEstimator),
        (explainers.create, "explainer", ExplainerError),
        (removals.create, "removal", RemovalError),
    ],
)
def test_a_name_that_is_no_text_is_refused(make, what, error, name):
    with pytest.raises(error) as refused:
        make(name)
    assert f"the name of the {what} is {name!r}; give a text" in str(refused.value)


@pytest.mark.parametrize(
    ("make", "name", "error"),
    [
        (create, "auto", UnknownEstimator),
        (explainers.create, "interventional-tree", ExplainerError),
        (removals.create, "marginal", RemovalError),
    ],
)
def test_parameters_that_have_no_names_are_refused(make, name, error):
    with pytest.raises(error, match="are 3; give a mapping of names to values"):
        make(name, 3)
    with pytest.raises(error, match=r"no parameter .*7"):
        make(name, {7: 1})


def test_what_an_own_class_says_of_a_value_is_kept(tmp_path, monkeypatch):
    source = f"{OWN}\n    def __post_init__(self):\n        raise ValueError('no such depth')\n"
    source = source.replace("class", "from dataclasses import dataclass\n\n@dataclass\nclass")
    (tmp_path / "own_that_refuses.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="no such depth") as refused:
        create("own_that_refuses.Plain", {})
    assert type(refused.value) is ValueError


OWN = """
from shapaudit.estimators import Estimator

class Plain(Estimator):
    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        raise AssertionError("nothing is estimated here")
"""


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def f(:", r"cannot import .*_own\.Plain': SyntaxError"),
        ("x = 1 / 0", "cannot import .*ZeroDivisionError: division by zero"),
        ("", "cannot import .*AttributeError"),
        ("Plain = 3", "not a subclass of"),
        (OWN, r"is no dataclass; put @dataclass\(frozen=True\) above the class"),
    ],
    ids=["syntax", "raises", "empty", "no class", "no dataclass"],
)
def test_faults_of_an_own_module_are_explained(source, fault, tmp_path, monkeypatch, request):
    module = f"{request.node.callspec.id.replace(' ', '_')}_own"
    (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnknownEstimator, match=fault):
        create(f"{module}.Plain")
