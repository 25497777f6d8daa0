"""Parameters and own modules that make no estimator are explained."""

import numpy as np
import pytest

from shapaudit.estimators import UnknownEstimator, create


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
