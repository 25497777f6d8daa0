"""Which files removals are made of, by their blocks of a configuration."""

import inspect
from os.path import relpath

from shapaudit.removals import resolve

from ..houses import SOURCE
from .blocks.games import RemovalBlock
from .own import own_sources


def removal_files(spec: RemovalBlock) -> list[str]:
    """Files, as seen from the source, that define the removal of a block, and the user's own."""
    defined = relpath(inspect.getfile(resolve(spec.removal)), SOURCE)
    return sorted({defined, *own_sources(spec, spec.removal)})
