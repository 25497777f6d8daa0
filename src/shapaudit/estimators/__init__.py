"""Model-agnostic estimators of the Shapley values, registered by their id."""

from dataclasses import fields, is_dataclass
from importlib import import_module

from .base import (
    AnytimeEstimator,
    BudgetTooSmall,
    Card,
    Estimate,
    Estimator,
)
from .complementary import ComplementaryContributions, NeymanComplementaryContributions
from .featurewise import FeaturewiseMultilinear
from .featurewise_order import FeaturewiseOrder
from .kernel import ImportanceLeastSquares, KernelSHAP, PairedKernelSHAP
from .least_squares import StratifiedLeastSquares
from .monte_carlo import AntitheticMonteCarlo, OptimisedMonteCarlo, PlainMonteCarlo
from .multilinear import MultilinearSampling, RandomMultilinear
from .normalised import Normalised
from .odd_fourier import OddFourier
from .polynomial import PolynomialLeastSquares
from .random_order import QuasiRandomOrder, RandomOrder
from .regression_adjusted import RegressionAdjusted
from .sgd import ProjectedSGD
from .stratified import StratifiedSampling
from .svarm import SVARM, StratifiedSVARM
from .unbiased_kernel import UnbiasedKernelSHAP

REGISTRY: dict[str, type[Estimator]] = {
    cls.id: cls
    for cls in (
        PlainMonteCarlo,
        OptimisedMonteCarlo,
        AntitheticMonteCarlo,
        FeaturewiseOrder,
        RandomOrder,
        QuasiRandomOrder,
        StratifiedSampling,
        SVARM,
        StratifiedSVARM,
        ComplementaryContributions,
        NeymanComplementaryContributions,
        MultilinearSampling,
        RandomMultilinear,
        FeaturewiseMultilinear,
        ProjectedSGD,
        KernelSHAP,
        PairedKernelSHAP,
        ImportanceLeastSquares,
        StratifiedLeastSquares,
        UnbiasedKernelSHAP,
        PolynomialLeastSquares,
        OddFourier,
        RegressionAdjusted,
        Normalised,
    )
}


class UnknownEstimator(ValueError):
    """A name that is neither registered nor an importable class, or a parameter it has not."""


def resolve(name: str) -> type[Estimator]:
    """Class of a registered id, or of a dotted path "package.module.Class".

    Raises `UnknownEstimator` naming the known ids, or what is wrong with the path.
    """
    if name in REGISTRY:
        return REGISTRY[name]
    module, _, attribute = name.rpartition(".")
    if not module:
        raise UnknownEstimator(
            f"unknown estimator {name!r}; known: {', '.join(sorted(REGISTRY))}; "
            "or give a dotted path package.module.Class."
        )
    try:
        cls = getattr(import_module(module), attribute)
    except Exception as error:
        raise UnknownEstimator(
            f"cannot import the estimator {name!r}: {type(error).__name__}: {error}"
        ) from error
    if not (isinstance(cls, type) and issubclass(cls, Estimator)):
        raise UnknownEstimator(f"{name!r} is not a subclass of shapaudit.estimators.Estimator.")
    if not is_dataclass(cls):
        raise UnknownEstimator(
            f"{name!r} is no dataclass; put @dataclass(frozen=True) above the class."
        )
    return cls


def create(name: str, params: dict | None = None) -> Estimator:
    """Estimator of the given name with the given parameters; raises `UnknownEstimator`."""
    cls = resolve(name)
    params = params or {}
    known = {field.name for field in fields(cls)}
    if unknown := sorted(set(params) - known):
        raise UnknownEstimator(
            f"{name} has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}."
            if known
            else f"{name} takes no parameters; got {', '.join(unknown)}."
        )
    return cls(**params)


__all__ = [
    "REGISTRY",
    "SVARM",
    "AntitheticMonteCarlo",
    "AnytimeEstimator",
    "BudgetTooSmall",
    "Card",
    "ComplementaryContributions",
    "Estimate",
    "Estimator",
    "FeaturewiseMultilinear",
    "FeaturewiseOrder",
    "ImportanceLeastSquares",
    "KernelSHAP",
    "MultilinearSampling",
    "NeymanComplementaryContributions",
    "Normalised",
    "OddFourier",
    "OptimisedMonteCarlo",
    "PairedKernelSHAP",
    "PlainMonteCarlo",
    "PolynomialLeastSquares",
    "ProjectedSGD",
    "QuasiRandomOrder",
    "RandomMultilinear",
    "RandomOrder",
    "RegressionAdjusted",
    "StratifiedLeastSquares",
    "StratifiedSVARM",
    "StratifiedSampling",
    "UnbiasedKernelSHAP",
    "UnknownEstimator",
    "create",
    "resolve",
]
