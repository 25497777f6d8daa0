"""Model-agnostic estimators of the Shapley values.

An estimator is a class with an id in a module of this package: it is found by being there, and its
module imported when it is asked for. ``REGISTRY`` holds all of them by id.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..discovery import AmbiguousName, attribute_of, attributes_of, find_name, imported_class
from .base import AnytimeEstimator, BudgetTooSmall, Card, Estimate, Estimator, values_bearing


class UnknownEstimator(ValueError):
    """A name that no estimator has and no class is found at, or parameters that do not fit it."""


def __getattr__(name: str) -> Any:
    """The registry, or an estimator by the name of its class."""
    return attribute_of(__name__, name)


def __dir__() -> list[str]:
    return attributes_of(__name__)


def resolve(name: str) -> type[Estimator]:
    """Class of an id, of a name in the literature, or of a dotted path "package.module.Class".

    Raises `UnknownEstimator` naming what is close and the known ids, or what is wrong with the
    path.
    """
    return _find(name)[0]


def create(name: str, params: dict | None = None) -> Estimator:
    """Estimator of an id, a name in the literature or a dotted path, with the given parameters.

    ``create("auto").estimate(game, budget, rng).values`` are Shapley values (d,).

    Parameters
    ----------
    name : id ("paired-kernel-shap"), name in the literature ("Leverage SHAP", which brings the
        parameters that bear it), or "package.module.Class"; ids and names are compared without
        case, and spaces, underscores and hyphens are the same
    params : by the name of the parameter; others keep their defaults

    Raises `UnknownEstimator`, also for parameters that the estimator has not or that contradict
    the name.
    """
    cls, bearing = _find(name)
    params = params or {}
    known = {field.name for field in fields(cls)}
    if unknown := sorted(set(params) - known):
        raise UnknownEstimator(
            f"{name} has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}."
            if known
            else f"{name} takes no parameters; got {', '.join(unknown)}."
        )
    for key, value in params.items():
        if key in bearing and value not in values_bearing(bearing[key]):
            wanted = " or ".join(map(repr, values_bearing(bearing[key])))
            raise UnknownEstimator(
                f"{name} is {cls.id} with {key} {wanted}, which {key} {value!r} contradicts; "
                f"leave it out, or name the estimator {cls.id}."
            )
    made = cls(**{key: values_bearing(value)[0] for key, value in bearing.items()} | params)
    if not isinstance(made.card, Card | None):
        raise UnknownEstimator(
            f"{name}: its card is a {type(made.card).__name__}; make it a "
            "shapaudit.estimators.Card, or leave it out."
        )
    return made


def _find(name: str) -> tuple[type[Estimator], Mapping[str, Any]]:
    """The class of a name, and the parameters that bear it."""
    if found := find_name(name, __name__):
        return found[0].load(), found[1]
    return imported_class(name, Estimator, __name__, "estimator", UnknownEstimator), {}


__all__ = [
    "AmbiguousName",
    "AnytimeEstimator",
    "BudgetTooSmall",
    "Card",
    "Estimate",
    "Estimator",
    "UnknownEstimator",
    "create",
    "resolve",
]
