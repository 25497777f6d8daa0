"""Where the results of an experiment lie: which estimators share a job and its table."""

from collections.abc import Mapping


def batches(experiment: Mapping) -> dict[str, list[str]]:
    """Estimators of each job of an experiment's block of the configuration.

    ``per_job`` of them at a time (1 by default), under the name of the first. An estimator added
    at the end of the list changes the last job only.
    """
    names, size = experiment["estimators"], experiment.get("per_job", 1)
    return {names[k]: names[k : k + size] for k in range(0, len(names), size)}
