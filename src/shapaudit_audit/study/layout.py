"""What the configuration says of jobs: which estimators share one, and what the claims look at."""

from collections.abc import Mapping

REMOVAL_TABLES = ("values", "fits", "rows", "refusals")  # of each job of a study of removals
TABULATED_PLAYERS = 20  # up to here all 2^d values are computed once and read by later stages


def batches(block: Mapping, what: str = "estimators") -> dict[str, list[str]]:
    """Estimators of each job of an experiment's block of the configuration.

    ``per_job`` of them at a time (1 by default), under the name of the first. An estimator added
    at the end of the list changes the last job only. The same of the "removals" of a study.
    """
    names, size = block[what], block.get("per_job", 1)
    return {names[k]: names[k : k + size] for k in range(0, len(names), size)}


def explanation_batches(study: Mapping) -> dict[str, dict[str, dict]]:
    """Models of each job of an explanation study, with their blocks, under the name of the first.

    ``per_job`` of them at a time, all by default.
    """
    names = list(study["models"])
    size = study.get("per_job", len(names))
    return {
        names[k]: {name: study["models"][name] for name in names[k : k + size]}
        for k in range(0, len(names), size)
    }


def own_part(experiment: Mapping, estimator: str) -> dict:
    """An experiment's block as one of its estimators runs it: fewer pairs and budgets if costly."""
    limits = experiment.get("costly", {}).get(estimator, {})
    most = limits.get("evaluations", experiment["budgets"][-1])
    budgets = [budget for budget in experiment["budgets"] if budget <= most]
    fewer = {"pairs": limits["pairs"]} if "pairs" in limits else {}
    return {**experiment, "budgets": budgets, **fewer}


def reference_of(experiment: Mapping) -> str:
    """Estimator that the others of an experiment are compared with: the first, unless it says."""
    return experiment.get("reference", experiment["estimators"][0])


def reported(study: Mapping) -> bool:
    """Whether the report is about this study: one of your own names no paper and has a page."""
    return any("paper" in one for one in study["experiments"].values())


def part_of(study: Mapping, block: str, paper: str) -> dict[str, dict]:
    """Entries of a block of the configuration ("experiments", "paths") that name a paper."""
    return {name: one for name, one in study.get(block, {}).items() if one.get("paper") == paper}


def compared(study: Mapping) -> dict[str, dict]:
    """Experiments over which the site compares estimators: the tasks, or all of your own study."""
    return {
        name: one
        for name, one in study["experiments"].items()
        if one.get("role") == "task" or not reported(study)
    }


def on_games_of_papers(study: Mapping) -> dict[str, dict]:
    """Experiments that run the best estimators on the games of earlier papers."""
    return {name: one for name, one in study["experiments"].items() if one.get("role") == "best"}


def models_of(study: Mapping, experiments: Mapping[str, Mapping]) -> list[str]:
    """Names of the models of some experiments, given with their blocks, each once."""
    games = [study["games"][one["game"]] for one in experiments.values()]
    return list(dict.fromkeys(game["model"] for game in games))


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


def repeated(study: Mapping) -> dict:
    """The part of a study that its repetition from another base seed runs.

    The audited experiments with the estimators under ``repetition`` only, their games and all
    games with tables, and what these are made of; one seed per pair, because claims look at means
    over pairs. The rest of the study may change without it.
    """
    wanted = set(study["repetition"]["estimators"])
    looked_at, kept = audited(study)
    experiments = {
        name: {**one, "estimators": own, "repetitions": 1}
        for name, one in looked_at.items()
        if (own := [key for key in one["estimators"] if key in wanted])
    }
    needed = {one["game"] for one in experiments.values()}
    games = {
        name: game
        for name, game in kept.items()
        if name in needed or game["players"] <= TABULATED_PLAYERS
    }
    models = {game["model"]: study["models"][game["model"]] for game in games.values()}
    datasets = {one["dataset"]: study["datasets"][one["dataset"]] for one in models.values()}
    estimators = {
        key: study["estimators"][key] for one in experiments.values() for key in one["estimators"]
    }
    return {
        "study": study["study"],
        "datasets": datasets,
        "models": models,
        "games": games,
        "estimators": estimators,
        "experiments": experiments,
        "claims": study["claims"],
    }
