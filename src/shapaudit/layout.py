"""What the configuration says of jobs: which estimators share one, and what the claims look at."""

from collections.abc import Mapping


def batches(experiment: Mapping) -> dict[str, list[str]]:
    """Estimators of each job of an experiment's block of the configuration.

    ``per_job`` of them at a time (1 by default), under the name of the first. An estimator added
    at the end of the list changes the last job only.
    """
    names, size = experiment["estimators"], experiment.get("per_job", 1)
    return {names[k]: names[k : k + size] for k in range(0, len(names), size)}


def audited(study: Mapping) -> tuple[dict, dict]:
    """Experiments and games of a study that the claims look at.

    Without the experiments whose ``audit`` is false, and the games that only these have.
    """
    experiments = {
        name: one for name, one in study["experiments"].items() if one.get("audit", True)
    }
    kept = {one["game"] for one in experiments.values()}
    left_out = {one["game"] for one in study["experiments"].values()} - kept
    games = {name: game for name, game in study["games"].items() if name not in left_out}
    return experiments, games
