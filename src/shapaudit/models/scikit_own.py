"""What scikit-learn's models of trees give themselves, with which the trees are compared."""

from typing import Any

import numpy as np

from .agreement import Output, column_of
from .scikit_rows import as_fitted, before_link, names_of
from .scikit_trees import output_of
from .trees_read import ReadTrees, from_parts


def made(model: Any, trees: Any, own: Output, categories: Any = None) -> ReadTrees:
    """Trees with the names of their features and the model's own output."""

    def given(rows: Any) -> np.ndarray:
        return own(as_fitted(model, rows, categories))

    return from_parts(trees, names_of(model), categories, given, f"this {type(model).__name__}")


def shares_or_mean(model: Any, output: int | None) -> Output:
    """The model's own share of a class, or its prediction of a target."""
    scores = model.predict_proba if hasattr(model, "classes_") else model.predict
    return column_of(scores, output_of(model, output), two_classes=False)


def scores(model: Any, output: int | None) -> Output:
    """The model's own score of a class, or what it predicts before its link function."""
    classifier = hasattr(model, "classes_")
    scores = model.decision_function if classifier else before_link(model, "_loss")
    return column_of(scores, output, classifier and len(model.classes_) == 2)
