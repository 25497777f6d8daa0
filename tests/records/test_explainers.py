"""What every explainer of the contract finds on the models of its kind."""

import pytest

from contract.test_explainers import CASES, fitted
from explained import ROWS
from recorded import compare


@pytest.mark.parametrize(("explainer", "number"), CASES, ids=str)
def test_explanations(explainer, number):
    explanation = fitted(explainer, number).explain(ROWS[:4])
    parts = {"values": explanation.values, "base": explanation.base_value}
    compare("explainers", {f"{explainer} of model {number}": parts})
