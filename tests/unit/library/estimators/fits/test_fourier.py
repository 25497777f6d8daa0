"""What the joint features are projected away with, whatever their columns."""

import numpy as np
import pytest

from shapaudit.estimators.fits import fourier
from shapaudit.estimators.fits.fourier import OddFeatures, OddRegression
from shapaudit.estimators.fits.supports import heaviest_sets

RNG = np.random.default_rng(0)
SIGNS = np.where(RNG.random((40, 6)) < 0.5, 1.0, -1.0)
FEW = SIGNS[:4]  # fewer rows than columns
TWICE = np.hstack([SIGNS, SIGNS[:, :2] - SIGNS[:, 2:4]])
CLOSE = np.hstack([SIGNS, SIGNS[:, :1] + 1e-3 * SIGNS[:, 1:2] * SIGNS[:, 2:3]])
NEARLY = np.hstack([SIGNS, SIGNS[:, :1] + 1e-6 * SIGNS[:, 1:2] * SIGNS[:, 2:3]])


@pytest.mark.parametrize(
    ("columns", "rank", "quick"),
    [
        (SIGNS, 6, True),
        (1e-100 * SIGNS, 6, True),
        (SIGNS * 10.0 ** np.arange(6), 6, True),
        (FEW, 4, False),
        (TWICE, 6, False),
        (CLOSE, 7, True),
        (NEARLY, 7, False),
    ],
    ids=["signs", "small", "scaled", "few rows", "dependent", "close", "nearly dependent"],
)
def test_the_basis_is_orthonormal_and_spans_the_columns(columns, rank, quick):
    basis = fourier._basis(columns)
    assert basis.shape == (len(columns), rank)
    np.testing.assert_allclose(basis.T @ basis, np.eye(rank), atol=1e-13)
    scaled = columns / np.linalg.norm(columns, axis=0)
    np.testing.assert_allclose(basis @ (basis.T @ scaled), scaled, atol=1e-9)
    assert (fourier._whitened(scaled) is not None) == quick


def test_projections_are_those_of_the_whole_matrix():
    root = RNG.standard_normal((40, 40))
    matrix, basis = root @ root.T, np.linalg.qr(SIGNS)[0]
    left = np.eye(40) - basis @ basis.T
    lower = np.asfortranarray(np.tril(matrix))  # nothing above the diagonal is looked at
    np.testing.assert_allclose(
        np.tril(fourier._projected(basis, lower)), np.tril(left @ matrix @ left), atol=1e-11
    )


def test_a_ridge_with_more_products_than_rows_is_that_of_its_definition():
    """Coefficients of the basis are free, squares of those of the products cost the noise."""
    weights = np.linspace(0.3, 1.0, 6)
    sets = heaviest_sets(weights, 20)
    priors = np.concatenate([np.prod(weights[members], axis=1) for members in sets])
    features, signs, noise = OddFeatures(6, sets, priors), SIGNS[:15], 1e-3
    design, basis = features.design(signs), np.linalg.qr(signs)[0]
    target = RNG.standard_normal(15)
    target -= basis @ (basis.T @ target)
    solution = fourier._ridge(design, basis, target, noise)
    rows = (design.spreads[:, None] * features.products(signs)).T
    columns = np.hstack([basis, rows])
    costs = np.append(np.zeros(basis.shape[1]), np.full(rows.shape[1], noise))
    normal = columns.T @ columns + np.diag(costs)
    expected = np.linalg.solve(normal, columns.T @ target)[basis.shape[1] :]
    np.testing.assert_allclose(solution, expected, atol=1e-9)


def test_the_share_of_joint_features_is_theirs_in_the_variance_of_the_interactions():
    coalitions = SIGNS > 0
    sets = [np.array([[0, 1, 2]])]
    features = OddFeatures(6, sets, np.ones(1), weights=np.full(6, 6**-0.5))
    joint = features.joint(SIGNS)[6:]
    products = features.products(SIGNS)[0]
    coefficients = np.append(
        np.full(6, 7.0), [2.0, *np.zeros(len(joint) - 1)]
    )  # lines do not count
    fitted = OddRegression(features, coefficients, np.array([0.5]), 0.0, 1.0)
    variances = (2.0 * joint[0]).var(), (0.5 * products).var()
    assert fitted.joint_share(coalitions) == pytest.approx(variances[0] / sum(variances))
    nothing = OddRegression(features, np.zeros(6 + len(joint)), np.zeros(1), 0.0, 1.0)
    assert nothing.joint_share(coalitions) == 0.0
