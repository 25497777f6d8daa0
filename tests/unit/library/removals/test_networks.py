"""Networks of removals: gradients, counted rows, ends that are known."""

import numpy as np
import pytest
from removal_worlds import Function, dataset_of

from shapaudit.games import tabulate
from shapaudit.removals import create
from shapaudit.removals.autoencoder import Evidence, Triple
from shapaudit.removals.masked_nets import MaskedRegression, masked_inputs

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(40, 3))
SMALL = {"hidden": (8,), "epochs": 2}


class Fixed(Evidence):
    """With the masks and noise that were frozen."""

    def _drawn(self, count):
        return self.frozen if self.frozen is not None else super()._drawn(count)


def test_the_gradient_of_the_evidence_is_that_of_differences():
    start = Triple.start(3, 2, (5,), np.random.default_rng(1))
    # Biases of 0 are at the kink where nothing is present.
    parameters = start.parameters + 0.1 * RNG.standard_normal(start.parameters.size)
    networks = Triple(3, 2, (5,), parameters)
    objective = Fixed(ROWS[:6], 2, 1, np.random.default_rng(2))
    objective.freeze()
    gradient = objective.gradient(networks, np.arange(6))
    for place in RNG.choice(gradient.size, size=60, replace=False):
        ends = []
        for step in (1e-5, -1e-5):
            moved = networks.copy()
            moved.parameters[place] += step
            ends.append(objective.value(moved))
        assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-6)


def test_inputs_say_what_is_present():
    coalitions = np.array([[True, False, True]])
    assert masked_inputs(ROWS[:1], coalitions).tolist() == [
        [ROWS[0, 0], 0.0, ROWS[0, 2], 1.0, 0.0, 1.0]
    ]


def test_batches_take_new_masks_and_held_out_ones_keep_theirs():
    objective = MaskedRegression(ROWS, ROWS[:, :1], "squared-error", 4, np.random.default_rng(0))
    assert objective.n_rows == 160
    first, two = (objective._batch(np.array([3, 43]))[0] for _ in range(2))
    assert not np.array_equal(first, two)
    held = MaskedRegression(ROWS, ROWS[:, :1], "squared-error", np.ones((80, 3), dtype=bool))
    inputs, target = held._batch(np.array([1, 41]))
    np.testing.assert_array_equal(inputs[0], inputs[1])
    assert target[0] == target[1]
    assert (objective.counted, held.counted) == (4, 2)


def test_rows_of_the_network_are_counted():
    fitted = create("surrogate", SMALL).fit(Function(lambda r: r[:, 0]), dataset_of(ROWS), RNG)
    held, trained = 8 * 8, 32 * 8
    assert fitted.auxiliary_fit_rows == 2 * (held + trained)
    assert fitted.fit_rows == 40
    game = fitted.game(ROWS[0], RNG)
    assert game.auxiliary_rows(np.eye(3, dtype=bool)).tolist() == [1, 1, 1]


def test_known_ends_take_the_place_of_learnt_ones():
    model = Function(lambda rows: rows[:, 0] + 5)
    fits = [
        create("surrogate", SMALL | {"ends": ends}).fit(
            model, dataset_of(ROWS), np.random.default_rng(0)
        )
        for ends in ("learnt", "known")
    ]
    learnt, known = (tabulate(fit.game(ROWS[0], None)).values for fit in fits)
    np.testing.assert_array_equal(learnt[1:-1], known[1:-1])
    np.testing.assert_allclose(known[[0, -1]], [ROWS[:, 0].mean() + 5, ROWS[0, 0] + 5])
    assert learnt[0] != known[0]


@pytest.mark.parametrize("name", ["surrogate", "missingness"])
def test_probabilities_stay_probabilities(name):
    labels = (ROWS[:, 0] > 0).astype(float)
    model = Function(lambda rows: (rows[:, 0] > 0).astype(float))
    fitted = create(name, {"loss": "logistic", "epochs": 30, "hidden": (16,)}).fit(
        model, dataset_of(ROWS, labels), np.random.default_rng(0)
    )
    values = tabulate(fitted.game(np.array([1.5, 0.0, 0.0]), None)).values
    assert ((values > 0) & (values < 1)).all()
    assert values[1] > 0.8 > values[0] > 0.2


def test_the_same_rows_give_the_same_bytes_for_two_models():
    """A removal of distributions does not depend on the model."""
    for name in ("gaussian", "copula", "mixture", "autoencoder", "kernel"):
        params = SMALL if name == "autoencoder" else {}
        arrays = [
            create(name, params).fit(model, dataset_of(ROWS), np.random.default_rng(0)).arrays
            for model in (Function(lambda r: r[:, 0]), Function(lambda r: r[:, 1] ** 2))
        ]
        assert [a.tobytes() for a in arrays[0].values()] == [
            a.tobytes() for a in arrays[1].values()
        ]
