"""Estimators as users name them on the command line."""

from pathlib import Path

from ..estimators import UnknownEstimator
from ..models.predictors import function_in


def path_of(place: str) -> str:
    """The name by which `create` finds an estimator of a file, an id, a name or a dotted path.

    The file of "my_estimator.py:Mine" is imported. Raises `UnknownEstimator` or `TableError` saying
    what is wrong with the place.
    """
    if ":" not in place and not place.endswith(".py"):
        module, _, name = place.rpartition(".")
        if module and Path(f"{module}.py").is_file():
            raise UnknownEstimator(f"{place!r}: write {module}.py:{name} for a class of a file.")
        return place
    cls = function_in(place, "class")
    if "." in cls.__qualname__:
        raise UnknownEstimator(
            f"{place} is defined inside of {cls.__qualname__.rpartition('.')[0]}; define it at the "
            "top of its file."
        )
    return f"{cls.__module__}.{cls.__qualname__}"
