"""What a block of a configuration is made of that is one's own: code, and files that it reads."""

from collections.abc import Mapping
from os.path import relpath

from ..houses import SOURCE
from .dependencies import outside_files


def data_files(block: Mapping) -> list[str]:
    """Files of one's own that a dataset, model or estimator reads, by its block."""
    path = block.get("params", {}).get("path")
    return [*([path] if isinstance(path, str) else []), *block.get("files", [])]


def own_sources(block: Mapping, *names: str) -> list[str]:
    """Those files, and modules of a model's function or of ``names``, as seen from the source."""
    function = block.get("params", {}).get("function")
    dotted = [*([function] if isinstance(function, str) else []), *names]
    modules = [str(path) for name in dotted for path in outside_files(name)]
    return [relpath(path, SOURCE) for path in dict.fromkeys([*modules, *data_files(block)])]
