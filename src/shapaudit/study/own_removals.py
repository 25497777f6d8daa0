"""Which files removals are made of, by their blocks of a configuration."""

import inspect
from collections.abc import Mapping
from os.path import relpath

from ..removals import resolve
from .dependencies import PACKAGE
from .own import own_sources


def removal_files(spec: Mapping) -> list[str]:
    """Files, from the package on, that define the removal of a block, and those of one's own."""
    defined = relpath(inspect.getfile(resolve(spec["removal"])), PACKAGE)
    return sorted({defined, *own_sources(spec, spec["removal"])})
