"""Any linear model, from this package, from another package's object, or from a file of XGBoost."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .affine_steps import before_step
from .agreement import Output, check_reading, column_of
from .base import ModelError
from .binned import chosen_output, chosen_score
from .category_sets import numbers_of
from .linear import LinearModel, as_linear
from .read_layers import is_network, read_layers
from .saved_booster import read_document
from .scikit_rows import as_fitted, before_link, names_of
from .xgboost_trees import margin_of, outputs_of
from .xgboost_trees import names_of as names_in

if TYPE_CHECKING:
    import pandas

ROUNDING = 2.0**-22  # four units of single precision, in which XGBoost adds


@dataclass(frozen=True, eq=False)
class ReadLinear:
    """A linear model that was read, of one output.

    Attributes
    ----------
    model : coefficients (d,) and intercept
    names : of the features, where the model knows them
    own : the model's own output (m,) of rows or of a table, before any link function; None where
        there is nothing to ask
    what : what messages call the model
    """

    model: LinearModel
    names: tuple[str, ...] = ()
    own: Output | None = None
    what: str = "the model"

    @property
    def coefficients(self) -> np.ndarray:
        """One per feature (d,)."""
        return self.model.coefficients

    @property
    def intercept(self) -> float:
        """The output at zero."""
        return self.model.intercept

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return self.model.predict(rows)

    def numbers(self, table: "pandas.DataFrame") -> np.ndarray:
        """Rows (m, d) of a table of the features; raises `ModelError` for what is no number."""
        return numbers_of(table, {})

    def check(self, given: Any, rows: np.ndarray) -> None:
        """Raise `ModelError` unless the sum is what the model itself gives, but for rounding.

        ``rows`` (m, d) are the numbers of ``given``, a table or an array.
        """
        if self.own is None or not len(rows):
            return
        added = np.abs(rows) @ np.abs(self.coefficients) + abs(self.intercept)
        gap = ROUNDING * np.sqrt(1 + rows.shape[1]) * added
        check_reading(self.what, self.own, given, self.predict(rows), gap)

    def __getstate__(self) -> dict[str, Any]:
        """Without the model itself, so that copies and pickles have nothing to compare with."""
        return self.__dict__ | {"own": None}


def read_linear(model: Any, output: int | None = None) -> ReadLinear:
    """Coefficients and intercept of a model, on the scale on which it is linear.

    This is the score before the link function: log-odds of a logistic regression, the logarithm
    of the mean of a Poisson regression.

    Parameters
    ----------
    model : a `LinearModel`, `LeastSquares` or linear `Polynomial`; a fitted object with ``coef_``
        and ``intercept_``, such as scikit-learn's linear models; a pipeline of these behind scalers
        (PCA and selections of columns too); a network without activations, or the npz or ONNX file
        of one; a linear booster of XGBoost, or the file of one
    output : of a model with several outputs; a class, by default the second of two

    Raises `ModelError` for other models.
    """
    if isinstance(model, ReadLinear):
        return model
    if isinstance(model, str | Path):
        return _of_file(Path(model), output)
    if hasattr(model, "best_estimator_"):
        return read_linear(model.best_estimator_, output)
    if hasattr(model, "steps"):
        return _pipeline(model, output)
    if callable(getattr(model, "get_booster", None)) or hasattr(model, "save_raw"):
        return _booster(model, output)
    if is_network(model):
        return _network(model, output)
    if getattr(model, "coef_", None) is not None and hasattr(model, "intercept_"):
        return _fitted(model, output)
    if type(model).__name__ == "RANSACRegressor" and hasattr(model, "estimator_"):
        return read_linear(model.estimator_, output)
    if type(model).__name__ == "MultiOutputRegressor" and hasattr(model, "estimators_"):
        chosen = chosen_output("MultiOutputRegressor", len(model.estimators_), output)
        return read_linear(model.estimators_[chosen])
    return ReadLinear(as_linear(model))


def _fitted(model: Any, output: int | None) -> ReadLinear:
    kind = type(model).__name__
    coefficients, intercept = _dense(model.coef_), np.ravel(model.intercept_).astype(np.float64)
    coefficients = np.atleast_2d(coefficients)
    outputs = len(coefficients)
    if not coefficients.size or coefficients.ndim != 2 or intercept.size not in (1, outputs):
        raise ModelError(
            f"{kind} has coefficients of shape {np.shape(model.coef_)} and {intercept.size} "
            "intercepts; a linear model has one of each for each output"
        )
    classes = len(getattr(model, "classes_", ()))
    chosen, sign = chosen_score(kind, outputs, classes == 2, output)
    own = _own(model)
    scores = None if own is None else column_of(own, output, outputs == 1 and classes == 2)
    linear = LinearModel(
        sign * coefficients[chosen], sign * intercept[min(chosen, intercept.size - 1)]
    )
    given = None if scores is None else _as_fitted(model, scores)
    return ReadLinear(linear, names_of(model), given, f"this {kind}")


def _dense(array: Any) -> np.ndarray:
    return np.asarray(array.toarray() if hasattr(array, "toarray") else array, dtype=np.float64)


def _as_fitted(model: Any, scores: Output) -> Output:
    return lambda rows: scores(as_fitted(model, rows))


def _own(model: Any) -> Output | None:
    """The score of a model before its link function, where it gives one."""
    if hasattr(model, "classes_"):
        return getattr(model, "decision_function", None)
    return before_link(model, "_base_loss") if hasattr(model, "predict") else None


def _pipeline(model: Any, output: int | None) -> ReadLinear:
    *before, (_, last) = model.steps
    steps = [step for _, step in before if step not in (None, "passthrough")]
    read = read_linear(last, output)
    coefficients, intercept = read.coefficients, read.intercept
    for step in reversed(steps):
        coefficients, intercept = before_step(step, coefficients, intercept)
    names = names_of(steps[0]) if steps else read.names

    def transformed(rows: Any) -> Any:
        rows = as_fitted(steps[0], rows) if steps else rows
        for step in steps:
            rows = step.transform(rows)
        return rows

    inner = read.own
    own = None if inner is None else lambda rows: inner(transformed(rows))
    return ReadLinear(LinearModel(coefficients, intercept), names, own, "this Pipeline")


def _network(model: Any, output: int | None) -> ReadLinear:
    layers = read_layers(model, output)
    if layers.activations:
        raise ModelError(
            f"{type(model).__name__} has the activations {', '.join(layers.activations)}: it is no "
            "linear model"
        )
    linear = LinearModel(layers.weights[0][:, 0], layers.biases[0][0])
    identity = getattr(model, "out_activation_", "") == "identity"
    own = _as_fitted(model, column_of(model.predict, output, False)) if identity else None
    return ReadLinear(linear, names_of(model), own, f"this {type(model).__name__}")


def _booster(model: Any, output: int | None) -> ReadLinear:
    import pandas
    import xgboost

    estimator = not isinstance(model, xgboost.Booster)
    try:
        booster = model.get_booster() if estimator else model
    except (AttributeError, ValueError):
        raise ModelError(f"{type(model).__name__} is not fitted; call fit first") from None

    def margin(rows: Any) -> np.ndarray:
        if booster.feature_names and not hasattr(rows, "columns"):
            rows = pandas.DataFrame(rows, columns=booster.feature_names)
        if estimator:
            return model.predict(rows, output_margin=True)
        return booster.predict(xgboost.DMatrix(rows), output_margin=True)

    return _of_document(json.loads(bytes(booster.save_raw("json"))), output, margin)


def _of_document(
    document: Mapping[str, Any], output: int | None, margin: Callable[[Any], Any] | None = None
) -> ReadLinear:
    learner = document["learner"]
    booster = learner["gradient_booster"]
    what = "this XGBoost model"
    if booster["name"] != "gblinear":
        raise ModelError(f"{what} is a booster {booster['name']!r}, no linear model")
    outputs, objective = outputs_of(document), learner["objective"]["name"]
    two_classes = objective.startswith("binary:")
    chosen, sign = chosen_score(what, outputs, two_classes, output)
    weights = np.asarray(booster["model"]["weights"], dtype=np.float32).reshape(-1, outputs)
    own = sign * weights[:, chosen].astype(np.float64)
    # Linear boosters add the first base score to every output, in XGBoost 3.2 to 3.4.
    base = sign * margin_of(learner["learner_model_param"]["base_score"], objective, 0)
    scores = column_of(margin, output, two_classes) if margin else None
    return ReadLinear(LinearModel(own[:-1], own[-1] + base), names_in(document), scores, what)


def _of_file(path: Path, output: int | None) -> ReadLinear:
    if not path.is_file():
        raise ModelError(f"{path} does not exist; give the file of a linear booster")
    if path.suffix in (".npz", ".onnx"):
        return _network(path, output)
    try:
        return _of_document(read_document(str(path)), output)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise ModelError(f"{path} is no linear booster of XGBoost ({error})") from error
