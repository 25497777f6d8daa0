"""Parameters of estimators as results hold them, and whether an estimator is one's own."""

import json
from dataclasses import asdict, replace
from typing import Any

from shapaudit.estimators import Estimator
from shapaudit.estimators.checked_runs import EstimatorFailure, named

LIBRARY = Estimator.__module__.partition(".")[0]


def is_foreign(estimator: Estimator) -> bool:
    """Whether an estimator, or the estimator that it normalises, is not of the library."""
    inner = getattr(estimator, "inner", estimator)
    return type(inner).__module__.partition(".")[0] != LIBRARY


def parameters_of(estimator: Estimator) -> dict[str, Any]:
    """Parameters of an estimator by name; raises TypeError where its class is no dataclass."""
    instance: Any = estimator  # every class that can be run is a dataclass, its base class is not
    return asdict(instance)


def with_parameter(estimator: Estimator, parameter: str, value: object) -> Estimator:
    """The estimator with another value of a parameter."""
    instance: Any = estimator
    return replace(instance, **{parameter: value})


def check_parameters(estimator: Estimator) -> None:
    """Raise `EstimatorFailure` for a parameter that cannot be written to the results."""
    for key, value in parameters_of(estimator).items():
        try:
            json.dumps(value)
        except (TypeError, ValueError) as error:
            raise EstimatorFailure(
                f"{named(estimator)}: the parameter {key} is a {type(value).__name__}, which "
                "cannot be written to the results; make it a number, a text, or a list or a "
                f"mapping of these ({error})."
            ) from error
