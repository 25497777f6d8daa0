"""Models: fitted or known functions of a row, saved without pickle.

A trainer is a function `train(dataset, seed, *, ...) -> Model`; its keyword-only parameters are
what a configuration may set.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..datasets.base import Dataset
from ..parameters import check_parameters, listed
from .additive import Additive, read_additive, train_additive
from .base import Model, ModelError, held_out_score, read_manifest
from .counted import CountedModel, RowsExceeded, ensemble_of
from .known import (
    ChiSquareClassifier,
    RadialRegression,
    read_chi_square,
    read_radial,
    train_chi_square,
    train_radial,
)
from .least_squares import LeastSquares, read_least_squares, train_least_squares
from .linear import LinearModel, read_linear
from .mixed import MixedModel, read_mixed, train_mixed
from .network import NetworkRegression, read_network, train_network
from .own import FunctionModel, read_function, train_function
from .perceptron import Perceptron, read_perceptron, train_perceptron
from .polynomial import Polynomial, read_polynomial, train_polynomial
from .saved_booster import train_xgboost_file
from .shapnet import ShapleyNetwork, read_shapnet, train_deep_shapnet, train_shallow_shapnet
from .trees import TreeEnsemble, read_tree_ensemble
from .xgboost import XGBoostModel, read_xgboost, train_xgboost

__all__ = [
    "READERS",
    "TRAINERS",
    "Additive",
    "ChiSquareClassifier",
    "CountedModel",
    "FunctionModel",
    "LeastSquares",
    "LinearModel",
    "MixedModel",
    "Model",
    "ModelError",
    "NetworkRegression",
    "Perceptron",
    "Polynomial",
    "RadialRegression",
    "RowsExceeded",
    "ShapleyNetwork",
    "TreeEnsemble",
    "XGBoostModel",
    "ensemble_of",
    "held_out_score",
    "load_model",
    "train",
]

TRAINERS: dict[str, Callable[..., Model]] = {
    "additive": train_additive,
    "chi-square": train_chi_square,
    "deep-shapnet": train_deep_shapnet,
    "function": train_function,
    "least-squares": train_least_squares,
    "mixed": train_mixed,
    "network": train_network,
    "perceptron": train_perceptron,
    "polynomial": train_polynomial,
    "radial": train_radial,
    "shallow-shapnet": train_shallow_shapnet,
    "xgboost": train_xgboost,
    "xgboost-file": train_xgboost_file,
}

READERS: dict[str, Callable[[Path, dict[str, Any]], Model]] = {
    "additive": read_additive,
    "chi-square": read_chi_square,
    "function": read_function,
    "least-squares": read_least_squares,
    "linear": read_linear,
    "mixed": read_mixed,
    "network": read_network,
    "perceptron": read_perceptron,
    "polynomial": read_polynomial,
    "radial": read_radial,
    "shapnet": read_shapnet,
    "tree-ensemble": read_tree_ensemble,
    "xgboost": read_xgboost,
}


def train(trainer: str, dataset: Dataset, params: Mapping[str, Any], seed: int) -> Model:
    """Train a model on a dataset's training rows.

    Parameters
    ----------
    trainer : str
        A key of `TRAINERS`.
    dataset : Dataset
    params : mapping
        Keyword parameters of that trainer.
    seed : int

    Raises
    ------
    ModelError
        For an unknown trainer, an unknown parameter, or a dataset that the trainer cannot use.
    """
    if trainer not in TRAINERS:
        raise ModelError(f"unknown trainer {trainer!r}; the known ones are {listed(TRAINERS)}")
    check_parameters(f"trainer {trainer!r}", TRAINERS[trainer], params, ModelError)
    return TRAINERS[trainer](dataset, seed, **params)


def load_model(directory: str | Path) -> Model:
    """Read a saved model by the kind that its `model.json` names.

    Raises
    ------
    ModelError
        When the directory holds no readable model of a known kind.
    """
    manifest = read_manifest(directory)
    if manifest["kind"] not in READERS:
        raise ModelError(
            f"{directory}: unknown kind of model {manifest['kind']!r}; "
            f"the known ones are {listed(READERS)}"
        )
    try:
        return READERS[manifest["kind"]](Path(directory), manifest)
    except KeyError as error:
        raise ModelError(f"{directory}: model.json lacks {error}; train the model again") from error
