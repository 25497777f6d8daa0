"""What the joint features are projected away with, whatever their columns."""

import numpy as np
import pytest

from shapaudit.estimators import fourier

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
        np.tril(fourier._without(basis, lower)), np.tril(left @ matrix @ left), atol=1e-11
    )
