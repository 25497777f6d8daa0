"""The models of the suite, fitted to a table; each is a function of rows (m, d) to values (m,)."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from shapaudit.models import TreeEnsemble

from .data import Table

Model = Callable[[np.ndarray], np.ndarray]
FITTED_ROWS = 300  # of machines whose cost grows with the rows
CLASSIFIED_ROWS = 100


@dataclass(frozen=True, eq=False)
class Radial:
    """f(x) = intercept + sum_i weights_i exp(-rate ||x - centres_i||^2): exact at any d."""

    centres: np.ndarray
    weights: np.ndarray
    rate: float
    intercept: float

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Values (m,) of the rows (m, d)."""
        squares = np.square(rows).sum(axis=1)[:, None] + np.square(self.centres).sum(axis=1)
        distances = np.maximum(squares - 2.0 * rows @ self.centres.T, 0.0)
        return self.intercept + np.exp(-self.rate * distances) @ self.weights


def _ensemble(regressor, table: Table) -> TreeEnsemble:
    regressor.fit(table.features, table.target)
    return TreeEnsemble.from_xgboost(json.loads(bytes(regressor.get_booster().save_raw("json"))))


def boosted_trees(table: Table, seed: int) -> TreeEnsemble:
    """80 trees of depth 4; the log-odds of a class."""
    import xgboost  # half a second, only where it is used

    objective = "binary:logistic" if table.classes else "reg:squarederror"
    settings = {"n_estimators": 80, "max_depth": 4, "learning_rate": 0.15, "subsample": 0.8}
    return _ensemble(
        xgboost.XGBRegressor(objective=objective, n_jobs=1, random_state=seed, **settings), table
    )


def random_forest(table: Table, seed: int) -> TreeEnsemble:
    """60 deep trees on samples of rows and of features, their mean: of a class, its share."""
    import xgboost  # half a second, only where it is used

    sampled = {"colsample_bynode": 0.5, "subsample": 0.6, "learning_rate": 1.0}
    grown = {"n_estimators": 1, "num_parallel_tree": 60, "max_depth": 8, "reg_lambda": 0.1}
    forest = xgboost.XGBRegressor(n_jobs=1, random_state=seed, **grown, **sampled)
    return _ensemble(forest, table)


def _booster(table, seed):
    ensemble = boosted_trees(table, seed)
    if not table.classes:
        return ensemble.predict
    return lambda rows: scipy.special.expit(ensemble.predict(rows))


def _forest(table, seed):
    return random_forest(table, seed).predict


def _perceptron(table, seed):
    from sklearn.neural_network import MLPClassifier, MLPRegressor  # only where it is used

    kind = MLPClassifier if table.classes else MLPRegressor
    model = kind(
        hidden_layer_sizes=(32, 16), max_iter=200, tol=1e-3, random_state=seed, early_stopping=True
    )
    model.fit(table.features, table.target)
    return _chances(model) if table.classes else model.predict


def _chances(model) -> Model:
    return lambda rows: model.predict_proba(rows)[:, 1]


def kernel_machine(table: Table, seed: int) -> Radial:
    """Support vectors with a radial kernel; of classes, the distance from their border."""
    from sklearn.svm import SVC, SVR  # only where it is used

    rate = 1.0 / table.features.shape[1]
    model = (SVC if table.classes else SVR)(C=3.0, gamma=rate)
    rows = slice(3 * FITTED_ROWS)
    model.fit(table.features[rows], table.target[rows])
    return Radial(model.support_vectors_, model.dual_coef_[0], rate, float(model.intercept_[0]))


def _kernel(table, seed):
    machine = kernel_machine(table, seed)
    return (lambda rows: scipy.special.expit(2.0 * machine(rows))) if table.classes else machine


def gaussian_process(table: Table, seed: int) -> Radial:
    """The mean of a Gaussian process with a radial kernel, of 300 rows; of classes, of +-1."""
    rate = 0.5 / table.features.shape[1]
    rows = table.features[:FITTED_ROWS]
    target = table.target[:FITTED_ROWS]
    mean = float(target.mean())
    kernel = np.exp(-rate * scipy.spatial.distance.cdist(rows, rows, "sqeuclidean"))
    kernel[np.diag_indices(len(rows))] += 0.1
    return Radial(rows, scipy.linalg.solve(kernel, target - mean, assume_a="pos"), rate, mean)


def _process(table, seed):
    if not table.classes:
        return gaussian_process(table, seed)
    from sklearn.gaussian_process import GaussianProcessClassifier  # only where it is used
    from sklearn.gaussian_process.kernels import RBF

    scale = np.sqrt(table.features.shape[1] / 2.0)
    model = GaussianProcessClassifier(4.0 * RBF(scale), optimizer=None, random_state=seed)
    return _chances(model.fit(table.features[:CLASSIFIED_ROWS], table.target[:CLASSIFIED_ROWS]))


def _linear(table, seed):
    """With all products of two features; a logistic regression of classes."""
    from sklearn.linear_model import LogisticRegression, Ridge  # only where it is used
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures

    model = LogisticRegression(C=0.1, max_iter=300) if table.classes else Ridge(10.0)
    model = make_pipeline(PolynomialFeatures(2), model).fit(table.features, table.target)
    return _chances(model) if table.classes else model.predict


MODELS: dict[str, Callable[[Table, int], Model]] = {
    "booster": _booster,
    "forest": _forest,
    "perceptron": _perceptron,
    "kernel": _kernel,
    "process": _process,
    "linear": _linear,
}
