"""Explainers: fitted to a model once, they explain many rows.

``create(name).fit(model, rows).explain(explicands).values`` are the attributions (m, d) of the rows
(m, d), in units of the model's output. An explainer is a class with an id in a module of this
package: it is found by being there. ``REGISTRY`` holds all of them by id; docs/explainers.md says
what each is for.
"""

from dataclasses import fields
from typing import Any

from ..discovery import by_name, compared, definitions, find_class, find_name, imported_class
from ..parameters import hint, listed
from .base import (
    Background,
    Explainer,
    ExplainerCard,
    ExplainerError,
    Explanation,
    FittedExplainer,
)


def __getattr__(name: str) -> Any:
    """The registry, or an explainer by the name of its class."""
    if name == "REGISTRY":
        value = {one.id: one.load() for one in definitions(__name__)}
    elif name.startswith("_") or (one := find_class(name, __name__)) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        value = one.load()
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), "REGISTRY", *(one.cls for one in definitions(__name__))})


def create(name: str, params: dict | None = None) -> Explainer:
    """Explainer of an id, a name in the literature or a dotted path, with the given parameters.

    Names are compared without case; spaces, underscores and hyphens are the same. Raises
    `ExplainerError` for an unknown name, and for parameters that the explainer has not or that
    contradict the name.
    """
    if found := find_name(name, __name__):
        cls, bearing = found[0].load(), found[1]
    else:
        cls, bearing = (
            imported_class(
                name, Explainer, "explainer", lambda: _told_of_names(name), ExplainerError
            ),
            {},
        )
    params, known = params or {}, [field.name for field in fields(cls)]
    if unknown := sorted(set(params) - set(known)):
        raise ExplainerError(
            f"explainer {name!r} has no parameter {listed(unknown)}; it has {listed(known)}."
        )
    for key, value in bearing.items():
        if key in params and params[key] != value:
            raise ExplainerError(
                f"{name} is {cls.id} with {key} {value!r}, which {key} {params[key]!r} "
                f"contradicts; leave it out, or name the explainer {cls.id}."
            )
    return cls(**{**bearing, **params})


def _told_of_names(name: str) -> str:
    found = definitions(__name__)
    return (
        f"unknown explainer {name!r}{hint(compared(name), by_name(found))}; known: "
        f"{', '.join(sorted(one.id for one in found))}, and their names in the literature; "
        "or give a dotted path package.module.Class."
    )


__all__ = [
    "Background",
    "Explainer",
    "ExplainerCard",
    "ExplainerError",
    "Explanation",
    "FittedExplainer",
    "create",
]
