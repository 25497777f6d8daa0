"""Evidence on claim 71: the body mass index in a model that does not have it."""

from collections.abc import Callable

import numpy as np

from shapaudit.datasets.diabetes import load
from shapaudit.explainers.gaussian_matrix import exact_matrix
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import target_of

FEATURE = "bmi"
RESAMPLES = 4000


def conditional_matrix(covariance: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return B (d, d) with which B (x - mean) are the conditional values of a linear model."""
    return exact_matrix(covariance, coefficients)


def marginal_matrix(covariance: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """The same for marginal values."""
    return np.diag(coefficients)


def importances(rows: np.ndarray, target: np.ndarray, left_out: int, matrix: Callable):
    """Return the mean absolute value (d,) of each feature in a regression without one of them."""
    centred = rows - rows.mean(axis=0)
    others = np.arange(rows.shape[1]) != left_out
    coefficients = np.zeros(rows.shape[1])
    coefficients[others] = np.linalg.lstsq(centred[:, others], target - target.mean(), rcond=None)[
        0
    ]
    values = centred @ matrix(np.cov(centred.T), coefficients).T
    return np.abs(values).mean(axis=0)


@sampled
def gather_body_mass(context: Context, matrix: Callable = conditional_matrix) -> Evidence:
    """Return the feature's importance over the mean importance, on the data and on resamples.

    Patients are drawn with replacement; model and covariance are fitted anew.
    """
    data = load(context.generator("ccll23-71", "split"))
    left_out = data.feature_names.index(FEATURE)
    features, target = data.features, target_of(data)
    importance = importances(features, target, left_out, matrix)
    rng = context.generator("ccll23-71")
    ratios = np.empty(min(RESAMPLES, 20 * context.settings.interaction_games))
    for k in range(len(ratios)):
        drawn = rng.integers(len(target), size=len(target))
        own = importances(features[drawn], target[drawn], left_out, matrix)
        ratios[k] = own[left_out] / own.mean()
    names = list(data.feature_names)
    return {
        "rows": [
            {"feature": names[j], "share": importance[j] / importance.sum()}
            for j in np.argsort(-importance)
        ],
        "ratio": importance[left_out] / importance.mean(),
        "resampled": np.sort(ratios),
        "patients": len(target),
    }
