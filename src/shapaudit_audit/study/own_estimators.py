"""What the estimators of a configuration are made of, and what those of one's own read besides."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from os.path import relpath
from typing import Any

from shapaudit.estimators import resolve

from ..houses import SOURCE
from .blocks.runs import EstimatorBlock
from .collection_base import Predicting
from .dependencies import outside_files
from .opened import opened_files, require_named
from .own import own_sources


def estimators_of(spec: EstimatorBlock) -> Iterator[str]:
    """Ids, names or dotted paths of the estimator of a block, and of what it normalises."""
    yield spec.estimator
    cls: Any = resolve(spec.estimator)
    if getattr(cls, "id", "") == "normalised":  # the class is no part of all other jobs
        inner = {"estimator": cls.estimator, **spec.params}
        yield from estimators_of(
            EstimatorBlock(estimator=inner["estimator"], params=inner.get("params") or {})
        )


def estimator_files(specs: Mapping[str, EstimatorBlock]) -> list[str]:
    """Files, as seen from the source, that define the estimators of some blocks by name.

    With those that they normalise, and files of one's own that they read.
    """
    names = {name for spec in specs.values() for name in estimators_of(spec)}
    own = {path for spec in specs.values() for path in own_sources(spec, *estimators_of(spec))}
    return sorted(own | {relpath(inspect.getfile(resolve(name)), SOURCE) for name in names})


@contextmanager
def files_named(name: str, spec: EstimatorBlock, games: Predicting) -> Iterator[Callable[[], None]]:
    """Raise `UnnamedFiles` where an estimator of one's own reads files that its block leaves out.

    ``spec`` is the block of the estimator ``name``. What is read meanwhile counts, apart from what
    the model of the games reads for a prediction; it is looked at in the end, and whenever the
    function that this gives is called.
    """
    with opened_files() as opened:

        def check() -> None:
            if not any(outside_files(dotted) for dotted in estimators_of(spec)):
                return
            with opened_files() as by_model:
                games.predictions()
            sources = estimator_files({name: spec})
            require_named(f"estimators.{name}", sources, opened - by_model)

        yield check
        check()
