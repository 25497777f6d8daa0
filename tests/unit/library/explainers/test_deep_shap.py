"""DeepLIFT and DeepSHAP as explainers of networks."""

import numpy as np
import pytest

from explained import ROWS, network
from shapaudit.explainers import create


@pytest.mark.parametrize("rule", ["rescale", "reveal-cancel"])
def test_deep_shap_is_the_mean_over_baselines(rule, monkeypatch):
    arrays = network()
    shap = create("deep-shap", {"rule": rule}).fit(arrays, ROWS[:3])
    alone = [
        create("deeplift", {"rule": rule}).fit(arrays, row).explain(ROWS).values for row in ROWS[:3]
    ]
    explanation = shap.explain(ROWS)
    np.testing.assert_allclose(explanation.values, np.mean(alone, axis=0), atol=1e-14)
    m, k = len(ROWS), 3
    assert explanation.rows == m + k + m * k
    monkeypatch.setattr("shapaudit.explainers.deeplift.CELLS", 1)
    np.testing.assert_allclose(shap.explain(ROWS).values, explanation.values, atol=1e-14)


def test_a_classifier_is_explained_by_its_logit():
    """Attributions of a logit know nothing of the other classes; those of a softmax would."""
    arrays = network((5, 4, 3))
    first = create("deeplift", {"output": 0}).fit(arrays, ROWS[:1])
    values = first.explain(ROWS[1]).values
    arrays["weight1"][:, 2] += 7.0
    again = create("deeplift", {"output": 0}).fit(arrays, ROWS[:1])
    np.testing.assert_array_equal(again.explain(ROWS[1]).values, values)
    np.testing.assert_allclose(
        values.sum(), np.diff(first.output(ROWS[:2]))[0], rtol=1e-12
    )  # fmt: skip
