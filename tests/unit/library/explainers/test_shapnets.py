"""ShapNets explained: a mean over baselines, one reference, and the two depths kept apart."""

import numpy as np
import pytest

from explained import ROWS, shapnet
from shapaudit.explainers import ExplainerError, create
from shapaudit.models import ModelError


def test_shallow_values_are_means_over_baselines_at_two_to_the_size_passes_each():
    model = shapnet("shallow-shapnet")
    explanation = create("Shallow ShapNet").fit(model, ROWS[:3]).explain(ROWS)
    alone = [create("shallow-shapnet").fit(model, row).explain(ROWS).values for row in ROWS[:3]]
    np.testing.assert_allclose(explanation.values, np.mean(alone, axis=0), atol=1e-13)
    assert explanation.rows == len(ROWS) * 3 * 2**2


def test_deep_values_are_parts_of_the_output_at_one_pass():
    model = shapnet("deep-shapnet")
    explanation = create("Deep ShapNet").fit(model, model.reference).explain(ROWS)
    assert explanation.rows == len(ROWS)
    np.testing.assert_allclose(
        explanation.values.sum(axis=1), model.predict(ROWS) - model.predict(model.reference[None])
    )


def test_another_baseline_than_the_reference_is_refused():
    model = shapnet("deep-shapnet")
    fitted = create("deep-shapnet").fit(model, model.reference)
    with pytest.raises(ExplainerError, match=r"built for one baseline; give model\.reference"):
        fitted.explain(ROWS, baselines=ROWS[3])
    with pytest.raises(ExplainerError, match=r"built for one baseline; give model\.reference"):
        create("deep-shapnet").fit(model, ROWS[3])


@pytest.mark.parametrize("kind", ["shallow", "deep"])
def test_a_network_of_the_other_depth_is_refused(kind):
    other = shapnet("deep-shapnet" if kind == "shallow" else "shallow-shapnet")
    with pytest.raises(ModelError, match=rf"explains {kind} ShapNets.* of another depth"):
        create(f"{kind}-shapnet").fit(other, other.reference)
