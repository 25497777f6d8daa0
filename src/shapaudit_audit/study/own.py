"""What a block of a configuration is made of that is one's own: code, and files that it reads."""

from os.path import relpath
from typing import TypeAlias

from ..houses import SOURCE
from .blocks.games import DatasetBlock, ModelBlock, RemovalBlock
from .blocks.runs import EstimatorBlock
from .blocks.studies import ExplainerBlock
from .dependencies import outside_files

OwnBlock: TypeAlias = DatasetBlock | ModelBlock | RemovalBlock | EstimatorBlock | ExplainerBlock


def data_files(block: OwnBlock) -> list[str]:
    """Files of one's own that a dataset, model or estimator reads, by its block."""
    path = block.params.get("path")
    return [*([path] if isinstance(path, str) else []), *getattr(block, "files", [])]


def own_sources(block: OwnBlock, *names: str) -> list[str]:
    """Those files, and modules of a model's function or of ``names``, as seen from the source."""
    function = block.params.get("function")
    dotted = [*([function] if isinstance(function, str) else []), *names]
    modules = [str(path) for name in dotted for path in outside_files(name)]
    return [relpath(path, SOURCE) for path in dict.fromkeys([*modules, *data_files(block)])]
