"""Transformers of scikit-learn that are affine, and linear models in front of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..parameters import listed
from .base import ModelError

Line = tuple[np.ndarray, float]  # coefficients (d,) and intercept


def before_step(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    """Coefficients and intercept over the inputs of a transformer, from those over its outputs.

    Raises `ModelError` for a transformer that is not affine.
    """
    kind = type(step).__name__
    if hasattr(step, "get_support"):
        own = np.zeros(len(step.get_support()))
        own[step.get_support()] = coefficients
        return own, intercept
    if kind not in STEPS:
        raise ModelError(
            f"a Pipeline with a {kind} is not read as a linear model, only with "
            f"{listed(STEPS)} and selections of columns"
        )
    return STEPS[kind](step, coefficients, intercept)


def _shifted(coefficients: np.ndarray, intercept: float, centre: Any, scale: Any) -> Line:
    """In front of (x - centre) / scale; either may be None."""
    own = coefficients if scale is None else coefficients / scale
    return own, intercept if centre is None else intercept - float(own @ centre)


def _standard(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    return _shifted(coefficients, intercept, step.mean_ if step.with_mean else None, step.scale_)


def _robust(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    return _shifted(coefficients, intercept, step.center_, step.scale_)


def _largest(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    _refuse_clipping(step)
    return _shifted(coefficients, intercept, None, step.scale_)


def _range(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    _refuse_clipping(step)
    return coefficients * step.scale_, intercept + float(coefficients @ step.min_)


def _refuse_clipping(step: Any) -> None:
    if getattr(step, "clip", False):
        raise ModelError(f"a {type(step).__name__} that clips is not affine; set clip=False")


def _components(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    if getattr(step, "whiten", False):
        coefficients = coefficients / np.sqrt(step.explained_variance_)
    own = coefficients @ step.components_
    return own, intercept - float(own @ getattr(step, "mean_", np.zeros(own.size)))


def _filled(step: Any, coefficients: np.ndarray, intercept: float) -> Line:
    """Rows without missing entries are left as they are."""
    if step.add_indicator or len(step.statistics_) != coefficients.size:
        raise ModelError("a SimpleImputer that adds or drops columns is not read")
    return coefficients, intercept


STEPS: dict[str, Callable[[Any, np.ndarray, float], Line]] = {
    "StandardScaler": _standard,
    "MinMaxScaler": _range,
    "MaxAbsScaler": _largest,
    "RobustScaler": _robust,
    "PCA": _components,
    "TruncatedSVD": _components,
    "SimpleImputer": _filled,
}
