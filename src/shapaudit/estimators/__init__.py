"""Model-agnostic estimators of the Shapley values.

An estimator is a class with an id in a module of this package: it is found by being there, and its
module imported when it is asked for. ``REGISTRY`` holds all of them by id.
"""

from typing import Any

from ..discovery import (
    AmbiguousName,
    Kind,
    attribute_of,
    attributes_of,
    definitions,
    offered_by_others,
)
from .base import AnytimeEstimator, BudgetTooSmall, Card, Estimate, Estimator


class UnknownEstimator(ValueError):
    """A name that no estimator has and no class is found at, or parameters that do not fit it."""


def _told_of_parameters(_: str, name: str, unknown: list[str], known: list[str]) -> str:
    if not known:
        return f"{name} takes no parameters; got {', '.join(unknown)}."
    return f"{name} has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}."


_KIND = Kind(__name__, Estimator, "estimator", UnknownEstimator, _told_of_parameters)


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
    return _KIND.find(name)[0]


def create(name: str, params: dict[str, Any] | None = None) -> Estimator:
    """Estimator of an id, a name in the literature or a dotted path, with the given parameters.

    ``create("auto").estimate(game, budget, rng).values`` are Shapley values (d,).

    Parameters
    ----------
    name : id ("paired-kernel-shap"), name in the literature ("Leverage SHAP", which brings the
        parameters that bear it), or "package.module.Class"; ids and names are compared without
        case, and spaces, underscores and hyphens are the same
    params : by the name of the parameter; others keep their defaults

    Raises `UnknownEstimator`, also for a name that is no text and for parameters that the estimator
    has not or that contradict the name; and what the class itself raises for a value.
    """
    made = _KIND.create(name, params)
    if not isinstance(made.card, Card | None):
        raise UnknownEstimator(
            f"{name}: its card is a {type(made.card).__name__}; make it a "
            "shapaudit.estimators.Card, or leave it out."
        )
    return made


def list_estimators() -> dict[str, str]:
    """Definition of each estimator of the library, a sentence, by the id that `create` takes."""
    names = sorted(definition.id for definition in definitions(__name__))
    cards = {name: create(name).card for name in names}
    return {name: card.definition if card else "" for name, card in cards.items()}


def list_offered() -> dict[str, str]:
    """Places "module:Class" of the estimators that other packages offer, by the names that `create`
    takes; none under a name that an estimator of the library has."""
    return offered_by_others(__name__)


__all__ = [
    "AmbiguousName",
    "AnytimeEstimator",
    "BudgetTooSmall",
    "Card",
    "Estimate",
    "Estimator",
    "UnknownEstimator",
    "create",
    "list_estimators",
    "list_offered",
    "resolve",
]
