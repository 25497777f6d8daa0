"""Explainers: fitted to a model once, they explain many rows.

``create(name).fit(model, rows).explain(explicands).values`` are the attributions (m, d) of the rows
(m, d), in units of the model's output. An explainer is a class with an id in a module of this
package: it is found by being there. ``REGISTRY`` holds all of them by id; docs/explainers.md says
what each is for.
"""

from pathlib import Path
from typing import Any

from ..discovery import Kind, attribute_of, attributes_of, find_name
from ..models import Model
from .base import (
    Attributions,
    Background,
    ExplainerCard,
    ExplainerError,
    ExplainerMethod,
    FittedExplainer,
)
from .saving import read_fitted, save

_KIND = Kind(__name__, ExplainerMethod, "explainer", ExplainerError)


def __getattr__(name: str) -> Any:
    """The registry, or an explainer by the name of its class."""
    return attribute_of(__name__, name)


def __dir__() -> list[str]:
    return attributes_of(__name__)


def create(name: str, params: dict[str, Any] | None = None) -> ExplainerMethod:
    """Explainer of an id, a name in the literature or a dotted path, with the given parameters.

    Names are compared without case; spaces, underscores and hyphens are the same. Raises
    `ExplainerError` for an unknown name, and for parameters that the explainer has not or that
    contradict the name.
    """
    return _KIND.create(name, params)


def load(
    directory: str | Path, cls: type[ExplainerMethod] | None = None, model: Model | None = None
) -> FittedExplainer:
    """The fitted explainer in a folder that `save` wrote; its values are the same.

    ``cls`` is the class of a user's explainer; those of the package are found by their id.
    ``model`` is that of an amortised explainer, which may be any function and is not in the files.
    Raises `ExplainerError` for files that are damaged, of another version, or of another explainer.
    """

    def known(name: str) -> type[ExplainerMethod]:
        if definition := find_name(name, __name__):
            return definition[0].load()
        raise ExplainerError(
            f"{directory} holds the explainer {name!r}, which is not of this package; give its "
            "class, load(directory, cls)."
        )

    return read_fitted(directory, cls, model, known)


__all__ = [
    "Attributions",
    "Background",
    "ExplainerCard",
    "ExplainerError",
    "ExplainerMethod",
    "FittedExplainer",
    "create",
    "load",
    "save",
]
