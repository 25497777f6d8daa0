"""Which files explainers are made of, by their blocks of a configuration."""

import inspect
from collections.abc import Mapping
from os.path import relpath

from ..explainers import create
from .dependencies import PACKAGE
from .own import own_sources


def explainer_files(specs: Mapping[str, Mapping]) -> list[str]:
    """Files, from the package on, that define the explainers of some blocks, by name."""
    found: set[str] = set()
    for spec in specs.values():
        cls = type(create(spec["explainer"], spec.get("params")))
        found |= {relpath(inspect.getfile(cls), PACKAGE), *own_sources({}, spec["explainer"])}
    return sorted(found)
