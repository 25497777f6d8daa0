"""Files that blocks of a configuration are made of, beside what their scripts import."""

import inspect
from collections.abc import Iterable
from os.path import relpath

from shapaudit import explainers, removals

from ..houses import SOURCE
from ..study.blocks.games import RemovalBlock
from ..study.blocks.runs import EstimatorBlock
from ..study.blocks.studies import ExplainerBlock
from ..study.own import OwnBlock, own_sources
from ..study.own_estimators import estimator_files


def sources_of(blocks: Iterable[OwnBlock]) -> list[str]:
    """Files, as seen from the source, that define what blocks name, and the user's own."""
    files: set[str] = set()
    for block in blocks:
        match block:
            case EstimatorBlock():
                files.update(estimator_files({"": block}))
            case RemovalBlock():
                files.add(_file_of(removals.resolve(block.removal)))
                files.update(own_sources(block, block.removal))
            case ExplainerBlock():
                files.add(_file_of(type(explainers.create(block.explainer, block.params))))
                files.update(own_sources(block, block.explainer))
            case _:
                files.update(own_sources(block))
    return sorted(files)


def _file_of(cls: type) -> str:
    return relpath(inspect.getfile(cls), SOURCE)
