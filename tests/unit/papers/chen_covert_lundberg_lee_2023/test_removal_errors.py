"""Measured claims on removals: each in a world where it is true and one where it is not."""

import numpy as np
import pytest
from parts import part

from shapaudit.datasets.laws import GaussianLaw
from shapaudit.games import all_coalitions
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import neighbours
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.backgrounds import (
    bit_world,
    distance,
    gather_backgrounds,
    marginal_values,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.body_mass import (
    conditional_matrix,
    gather_body_mass,
    marginal_matrix,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.removal_errors import (
    REMOVALS,
    error_of,
    random_world,
    rows_from,
)
from shapaudit_papers.theory.conditional import linear_fit_game

TINY = Context("tiny", 3, settings=Settings(interaction_games=10))
ALPHA = 0.05
WORLDS = 20


def judge(claim_id, evidence):
    return part(claim_id).judge(evidence, ALPHA)


def spread(*sizes):
    """Squared errors (worlds, len(sizes)) around these sizes."""
    noise = np.random.default_rng(0).normal(size=(WORLDS, len(sizes))) / 10
    return np.array(sizes) * np.exp(noise)


def errors_of(**sizes):
    """Evidence of claims 63 and 72, squared errors by removal with few and with many rows."""
    names = ["marginal", "Gaussian", "Gaussian mixture", "surrogate", "generative"]
    given = {name.replace("_", " "): size for name, size in sizes.items()}
    errors = np.stack([spread(*given.get(name, (1, 1))) for name in names], axis=2)
    return {"errors": errors, "removals": names, "rows": [30, 500]}


@pytest.mark.parametrize(
    ("claim_id", "sizes", "status"),
    [
        ("63a", {"generative": (1, 0.1)}, "supported"),
        ("63a", {"generative": (1, 10)}, "refuted"),
        ("63a", {"generative": (0.1, 1)}, "inconclusive"),
        ("63b", {"surrogate": (1, 0.1)}, "supported"),
        ("63b", {"surrogate": (1, 10)}, "refuted"),
        ("72", {"Gaussian": (0.1, 1)}, "supported"),
        ("72", {"Gaussian": (10, 1)}, "refuted"),
        ("72", {"Gaussian": (1, 0.1)}, "inconclusive"),
    ],
)
def test_which_removal_errs_less(claim_id, sizes, status):
    verdict = judge(claim_id, errors_of(**sizes))
    assert verdict.status == status
    assert verdict.setting is None or verdict.setting.stand_in


@pytest.mark.parametrize(
    ("sizes", "status"), [((1, 9), "supported"), ((9, 1), "refuted"), ((1, 1), "inconclusive")]
)
def test_errors_by_the_number_of_present_features(sizes, status):
    errors = {"cohort": spread(*sizes), "kernel": spread(*sizes)}
    evidence = {"errors": errors, "present": [1, 8], "rows": 400}
    assert judge("60", evidence).status == status


def backgrounds(smooth, bits):
    """Distances and errors of centres and of random rows, for one K."""
    units = {name: spread(*sizes)[:, None] for name, sizes in (("smooth", smooth), ("bits", bits))}
    return {"units": units, "centres": [5]}


def test_coverage_and_values_are_judged_apart():
    evidence = backgrounds((1, 4, 1, 9), (1, 4, 9, 1))
    assert judge("57a", evidence).status == "supported"
    verdict = judge("57b", evidence)
    assert (verdict.status, verdict.consequence) == ("refuted", "hypothesis")
    assert judge("57b", backgrounds((1, 4, 1, 9), (1, 4, 1, 9))).status == "supported"
    assert judge("57b", backgrounds((1, 4, 9, 1), (1, 4, 9, 1))).consequence == "wrong"
    assert judge("57a", backgrounds((4, 1, 1, 9), (1, 4, 1, 9))).status == "refuted"


def test_random_rows_in_the_place_of_centres_are_not_told_from_random_rows():
    evidence = gather_backgrounds(TINY, centres="random")
    assert judge("57a", evidence).status == "inconclusive"


@pytest.mark.parametrize(
    ("ratios", "status"),
    [((1.5, 1.6), "supported"), ((0.2, 0.3), "refuted"), ((0.8, 1.2), "inconclusive")],
)
def test_high_is_more_than_the_mean_feature(ratios, status):
    evidence = {
        "rows": [{"feature": "bmi", "share": 0.1}],
        "ratio": float(np.mean(ratios)),
        "resampled": np.linspace(*ratios, 200),
        "patients": 442,
    }
    assert judge("71", evidence).status == status


def test_the_body_mass_index_has_conditional_credit_and_no_marginal_one():
    assert 0.5 < gather_body_mass(TINY)["ratio"] < 1.5
    assert gather_body_mass(TINY, matrix=marginal_matrix)["ratio"] == 0


def test_the_rank_of_the_body_mass_index_is_that_of_its_row():
    features = ["age", "s5", "bmi", "sex"]
    rows = [{"feature": name, "share": 0.25} for name in features]
    evidence = {"rows": rows, "ratio": 1.2, "resampled": np.full(40, 1.2), "patients": 9}
    verdict = judge("71", evidence)
    assert (verdict.status, verdict.numbers["rank"]) == ("supported", 3)
    assert judge("71", evidence | {"resampled": np.full(40, 0.8)}).status == "refuted"
    for ratios in ([0.8, 1.2], [1.0, 1.0]):
        own = evidence | {"resampled": np.repeat(ratios, 20)}
        assert judge("71", own).status == "inconclusive"


def test_the_matrix_gives_the_values_of_the_best_linear_predictions():
    rows = np.random.default_rng(2).integers(-4, 5, size=(9, 3))
    beta, x = [2, 0, -1], rows[0]
    exact = [rationals(row) for row in rows.tolist()]
    outputs = [sum(b * v for b, v in zip(beta, row, strict=True)) for row in exact]
    table = linear_fit_game(exact, rationals([1] * len(rows)), outputs, exact[0])
    centred = rows - rows.mean(axis=0)
    matrix = conditional_matrix(np.cov(centred.T, bias=True), np.array(beta, dtype=float))
    values = matrix @ (x - rows.mean(axis=0))
    np.testing.assert_allclose(values, shapley_values(table).astype(float), atol=1e-12)


def test_the_last_feature_given_the_first_ones():
    law = GaussianLaw.equicorrelated(neighbours.FEATURES, neighbours.CORRELATION)
    x = law.sample(np.random.default_rng(0), 1)[0]
    assert neighbours.last_feature().predict(x[None]) == x[-1]
    for size in neighbours.PRESENT:
        slope = neighbours.CORRELATION / (1 + (size - 1) * neighbours.CORRELATION)
        rest = law.given(np.arange(neighbours.FEATURES) < size, x[:size])
        assert rest.mean[-1] == pytest.approx(slope * x[:size].sum())


class Knowing:
    """A removal that knows the world's games, and adds to them."""

    def __init__(self, world, factor):
        self.world, self.factor = world, factor

    def fit(self, model, data, rng):
        return self

    def game(self, x, rng):
        k = int(np.flatnonzero((self.world.explicands == x).all(axis=1))[0])
        values, empty = self.world.values[k, 1:-1], self.world.values[k, 0]
        return lambda coalitions: empty + self.factor * (values - empty)


def test_errors_are_in_units_of_knowing_nothing():
    rng = np.random.default_rng(4)
    world = random_world(rng)
    data = rows_from(world.law, 50, rng)
    assert error_of(Knowing(world, 1), world, data, rng) == pytest.approx(0, abs=1e-20)
    assert error_of(Knowing(world, 0), world, data, rng) == pytest.approx(1)
    assert error_of(Knowing(world, 3), world, data, rng) == pytest.approx(4)
    assert 0 < error_of(REMOVALS["Gaussian"], world, data, rng) < 1


def test_the_whole_background_errs_nowhere():
    rng = np.random.default_rng(1)
    data, model, explicands = bit_world(rng)
    whole, rows = marginal_values(data, model, explicands, rng)
    again, _ = marginal_values(data, model, explicands, rng, rows=len(rows))
    np.testing.assert_allclose(whole, again)
    assert distance(data, rows) == 0
    table = [model.predict(np.where(s, explicands[0], rows)).mean() for s in all_coalitions(6)]
    wanted = shapley_values([float(value) for value in table]).astype(float)
    np.testing.assert_allclose(whole[0], wanted)
