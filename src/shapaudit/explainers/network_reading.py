"""Networks as they are read, checked against the model's own predictions."""

from typing import Any

import numpy as np
import scipy

from ..models.agreement import check_reading
from ..models.read_layers import Layers, read_layers
from ..models.scikit_rows import as_fitted, names_of
from ..nets import ACTIVATIONS
from .reading import Reading

ROUNDING = 2.0**-18  # a hundred units of single precision, in which a network may be trained


def of_network(model: Any, output: int | None) -> Reading:
    """The layers up to an output, checked where the model is scikit-learn's and predicts itself.

    Its classifiers are compared by probabilities: of a class, or against another one.
    """
    layers = read_layers(model, output)
    head = getattr(model, "out_activation_", None)
    if head is None:
        return Reading(layers, names_of(model))
    other = None
    if head == "softmax":
        chosen = output or 0
        beside = 1 if chosen == 0 else 0
        other = beside, read_layers(model, beside)

    def own(rows: Any) -> np.ndarray:
        given = as_fitted(model, rows)
        if head == "identity":
            return np.asarray(model.predict(given)).reshape(len(given), -1)[:, output or 0]
        shares = np.asarray(model.predict_proba(given))
        if other is None:
            return shares[:, 1 if len(model.coefs_[-1][0]) == 1 else output or 0]
        pair = shares[:, [output or 0, other[0]]]
        with np.errstate(invalid="ignore"):  # both may be too small for a number
            return np.where(pair.sum(axis=1) > 0, pair[:, 0] / pair.sum(axis=1), np.nan)

    def check(given: Any, rows: np.ndarray) -> None:
        if not len(rows):
            return
        read, gap = layers.predict(rows), ROUNDING * _added(layers, rows)
        if other is not None:
            read, gap = read - other[1].predict(rows), gap + ROUNDING * _added(other[1], rows)
        if head != "identity":
            read, gap = scipy.special.expit(read), gap + ROUNDING
        theirs = own(given)
        told = ~np.isnan(theirs)
        what = f"this {type(model).__name__}"
        check_reading(what, lambda _: theirs[told], given, read[told], gap[told])

    return Reading(layers, names_of(model), check=check)


def _added(layers: Layers, rows: np.ndarray) -> np.ndarray:
    """Sizes (m,) of what the last layer adds up."""
    last = rows
    if layers.activations:
        last = ACTIVATIONS[layers.activations[-1]].value(layers.entered(rows)[-2])
    return np.abs(last) @ np.abs(layers.weights[-1][:, 0]) + abs(float(layers.biases[-1][0]))
