"""Which files explainers are made of, by their blocks of a configuration."""

import inspect
from collections.abc import Mapping
from os.path import relpath

from shapaudit.explainers import create

from ..houses import SOURCE
from .blocks.studies import ExplainerBlock
from .own import own_sources


def explainer_files(specs: Mapping[str, ExplainerBlock]) -> list[str]:
    """Files, as seen from the source, that define the explainers of some blocks, by name."""
    files: set[str] = set()
    for spec in specs.values():
        cls = type(create(spec.explainer, spec.params))
        files |= {relpath(inspect.getfile(cls), SOURCE), *own_sources(spec, spec.explainer)}
    return sorted(files)
