"""FastSHAP and stochastic amortisation: gradients, optima, costs, and what they refuse."""

import numpy as np
import pytest

from explained import ROWS, AnyModel
from shapaudit.explainers import ExplainerError, create
from shapaudit.explainers.amortised import normalised
from shapaudit.explainers.fast_shap import WeightedLeastSquares
from shapaudit.explainers.stochastic_amortisation import NoisyValues
from shapaudit.games import all_coalitions
from shapaudit.nets import Network
from shapaudit.samplers import kernel_sizes
from shapaudit.truth import shapley_from_table

RNG = np.random.default_rng


def least_squares(n=4, k=6, d=3):
    rng = RNG(1)
    coalitions = (rng.random((n, k, d)) < 0.5).astype(float)
    rows, totals, gains = rng.normal(size=(n, d)), rng.normal(size=n), rng.normal(size=(n, k))
    return WeightedLeastSquares(rows, totals, coalitions, gains)


def noisy_values(n=4, d=3):
    rng = RNG(2)
    totals = rng.normal(size=n)
    estimates = normalised(rng.normal(size=(n, d)), totals)
    return NoisyValues(rng.normal(size=(n, d)), totals, estimates)


@pytest.mark.parametrize("objective", [least_squares(), noisy_values()])
def test_gradients_are_those_of_finite_differences(objective):
    network = Network.start([3, 5, 3], "tanh", RNG(3))
    every = np.arange(objective.n_rows)
    gradient = objective.gradient(network, every)
    for k in range(0, len(gradient), 3):
        moved = []
        for step in (1e-6, -1e-6):
            other = network.copy()
            other.parameters[k] += step
            moved.append(objective.value(other))
        assert gradient[k] == pytest.approx((moved[0] - moved[1]) / 2e-6, rel=1e-4, abs=1e-8)


def test_some_rows_of_an_objective_are_those_rows():
    for objective in (least_squares(), noisy_values()):
        network = Network.start([3, 5, 3], "tanh", RNG(3))
        alone = [objective.of(np.array([k])).value(network) for k in range(4)]
        assert objective.value(network) == pytest.approx(np.mean(alone))
        gradient = objective.of(np.array([1, 3])).gradient(network, np.arange(2))
        assert gradient == pytest.approx(objective.gradient(network, np.array([1, 3])))


def optimum(game_values, d, total):
    """The minimiser of the kernel-weighted least squares over normalised attributions."""
    members = all_coalitions(d)[1:-1]
    sizes = members.sum(axis=1)
    weights = kernel_sizes(d)[sizes - 1] / np.bincount(sizes, minlength=d)[sizes]
    centre = np.eye(d) - 1 / d
    design = members @ centre
    root = np.sqrt(weights)[:, None]
    wanted = game_values[1:-1] - game_values[0] - total * sizes / d
    raw = np.linalg.lstsq(root * design, root[:, 0] * wanted, rcond=None)[0]
    return normalised(raw[None], np.array([total]))[0]


def test_the_optimum_of_the_objective_is_the_shapley_value():
    d, values = 5, RNG(5).normal(size=1 << 5)
    total = values[-1] - values[0]
    assert optimum(values, d, total) == pytest.approx(shapley_from_table(values))


def test_without_limits_training_finds_the_shapley_values():
    rows = RNG(7).normal(size=(400, 3))

    class Model:
        n_features = 3

        def predict(self, table):
            return 2 * table[:, 0] - table[:, 1] + table[:, 1] * table[:, 2]

    centre = rows.mean(axis=0)
    members = all_coalitions(3)
    new = RNG(8).normal(size=(50, 3))
    truth = np.array([
        shapley_from_table(Model().predict(np.where(members, row, centre))) for row in new
    ])  # fmt: skip
    for name in ("fast-shap", "stochastic-amortisation"):
        explainer = create(name, {"removal": "baseline", "evaluations": 16, "epochs": 150})
        explanation = explainer.fit(Model(), rows, 1).explain(new)
        error = np.linalg.norm(explanation.values - truth) / np.linalg.norm(truth)
        assert error < 0.1, name
        assert explanation.base_value == pytest.approx(Model().predict(centre[None])[0])
        sums = explanation.values.sum(axis=1) + explanation.base_value
        assert sums == pytest.approx(Model().predict(new))


@pytest.mark.parametrize("name", ["fast-shap", "stochastic-amortisation"])
def test_rows_of_the_model_are_those_that_it_saw(name):
    class Counting(AnyModel):
        rows = 0

        def predict(self, rows):
            self.rows += len(rows)
            return super().predict(rows)

    model = Counting()
    explainer = create(name, {"removal": "marginal", "epochs": 2, "evaluations": 32})
    fitted = explainer.fit(model, ROWS, 0)
    assert model.rows == fitted.fit_rows
    before = model.rows
    assert fitted.explain(ROWS[:3]).rows == model.rows - before


def test_coalitions_of_fast_shap_come_in_pairs_by_the_kernel():
    rows = RNG(0).normal(size=(2000, 5))
    explainer = create("fast-shap", {"removal": "baseline", "epochs": 1})

    class Watched:
        n_features = 5

        def predict(self, table):
            return table.sum(axis=1)

    seen = []
    made = type(explainer).objectives

    def watched(self, *arguments):
        learning, spent = made(self, *arguments)
        seen.append(learning.coalitions)
        return learning, spent

    type(explainer).objectives = watched
    try:
        explainer.fit(Watched(), rows, 0)
    finally:
        type(explainer).objectives = made
    (drawn,) = seen
    assert (drawn[:, ::2] + drawn[:, 1::2] == 1).all()
    counts = np.bincount(drawn[:, ::2].sum(axis=2).astype(int).ravel(), minlength=5)[1:]
    assert counts / counts.sum() == pytest.approx(kernel_sizes(5), abs=0.01)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("fast-shap", {"epochs": 0}, "epochs must be an integer of at least 1"),
        ("fast-shap", {"rate": 0.0}, "rate must be above 0"),
        ("fast-shap", {"removal": "cooking"}, "removal"),
        ("stochastic-amortisation", {"estimator": "kernel-shap"}, "not said to be unbiased"),
    ],
)
def test_parameters_that_cannot_be_are_refused(name, params, message):
    with pytest.raises(ValueError, match=message):
        create(name, params)


def test_too_few_rows_are_refused():
    with pytest.raises(ExplainerError, match="9 rows are too few"):
        create("fast-shap").fit(AnyModel(), ROWS[:9])
