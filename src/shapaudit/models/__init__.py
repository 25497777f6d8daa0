"""Models: fitted or known functions of a row, saved without pickle.

A trainer is a function (dataset, seed, *, ...) -> `Model` in a module of this package, named there
by ``@trainer("name")``: `TRAINERS` finds it. Its keyword-only parameters are what a configuration
may set. ``@reader("kind")`` names the function that reads a saved model of a kind.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..datasets.base import Dataset
from ..parameters import check_parameters, listed
from ..registers import Register, unknown
from .additive import Additive
from .base import Model, ModelError, Predicts, held_out_score, read_manifest
from .counted import CountedModel, RowsExceeded
from .known import ChiSquareClassifier, RadialRegression
from .least_squares import LeastSquares
from .linear import LinearModel
from .mixed import MixedModel
from .network import NetworkRegression
from .own import FunctionModel
from .perceptron import Perceptron
from .polynomial import Polynomial
from .shapnet import ShapleyNetwork
from .trees import TreeEnsemble
from .xgboost import XGBoostModel

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
    "Predicts",
    "RadialRegression",
    "RowsExceeded",
    "ShapleyNetwork",
    "TreeEnsemble",
    "XGBoostModel",
    "held_out_score",
    "load_model",
    "train",
]

TRAINERS = Register(__name__, "trainer")
READERS = Register(__name__, "reader")


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
        raise ModelError(unknown("trainer", trainer, TRAINERS))
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
