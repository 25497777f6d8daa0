"""How a study is divided into jobs, and which parts of it the claims use."""

from collections.abc import Mapping

REMOVAL_TABLES = ("values", "fits", "rows", "refusals")  # of each job of a study of removals
TABULATED_PLAYERS = 20  # up to here all 2^d values are computed once and read by later stages


def batches(block: Mapping, what: str = "estimators") -> dict[str, list[str]]:
    """Estimators of each job of an experiment's block, by the name of the first.

    A job has ``per_job`` estimators, 1 by default, so that an estimator added at the end of the
    list changes the last job only. With ``what`` "removals", the removals of a study instead.
    """
    names, size = block[what], block.get("per_job", 1)
    return {names[k]: names[k : k + size] for k in range(0, len(names), size)}


def explanation_batches(study: Mapping) -> dict[str, dict[str, dict]]:
    """Models of each job of an explanation study, with their blocks, by the name of the first.

    A job has ``per_job`` models, all by default.
    """
    names = list(study["models"])
    size = study.get("per_job", len(names))
    return {
        names[k]: {name: study["models"][name] for name in names[k : k + size]}
        for k in range(0, len(names), size)
    }


def own_part(experiment: Mapping, estimator: str) -> dict:
    """An experiment's block for one estimator, with fewer explicands and budgets if costly."""
    limits = experiment.get("costly", {}).get(estimator, {})
    most = limits.get("evaluations", experiment["budgets"][-1])
    budgets = [budget for budget in experiment["budgets"] if budget <= most]
    fewer = {"explicands": limits["explicands"]} if "explicands" in limits else {}
    return {**experiment, "budgets": budgets, **fewer}


def reference_of(experiment: Mapping) -> str:
    """The estimator that the others of an experiment are compared with, by default the first."""
    return experiment.get("reference", experiment["estimators"][0])


def reported(study: Mapping) -> bool:
    """Whether the report is about this study; a user's study names no paper and has a page only."""
    return any("paper" in experiment for experiment in study["experiments"].values())


def part_of(study: Mapping, block: str, paper: str) -> dict[str, dict]:
    """Entries of a block of the configuration ("experiments", "paths") that name a paper."""
    return {
        name: entry for name, entry in study.get(block, {}).items() if entry.get("paper") == paper
    }


def compared(study: Mapping) -> dict[str, dict]:
    """Experiments over which the site compares estimators: the tasks, or all of a user's study."""
    return {
        name: experiment
        for name, experiment in study["experiments"].items()
        if experiment.get("role") == "task" or not reported(study)
    }


def on_games_of_papers(study: Mapping) -> dict[str, dict]:
    """Experiments that run the best estimators on the games of earlier papers."""
    return {
        name: experiment
        for name, experiment in study["experiments"].items()
        if experiment.get("role") == "best"
    }


def models_of(study: Mapping, experiments: Mapping[str, Mapping]) -> list[str]:
    """Names of the models of some experiments, given with their blocks, each once."""
    games = [study["games"][experiment["game"]] for experiment in experiments.values()]
    return list(dict.fromkeys(game["model"] for game in games))


def audited(study: Mapping) -> tuple[dict, dict]:
    """Experiments and games of a study that the claims use.

    Experiments whose ``audit`` is false are left out, and the games of only such experiments.
    """
    experiments = {
        name: experiment
        for name, experiment in study["experiments"].items()
        if experiment.get("audit", True)
    }
    kept = {experiment["game"] for experiment in experiments.values()}
    left_out = {experiment["game"] for experiment in study["experiments"].values()} - kept
    games = {name: game for name, game in study["games"].items() if name not in left_out}
    return experiments, games


def repeated(study: Mapping) -> dict:
    """The part of a study that its repetition from another base seed runs.

    These are the audited experiments with the estimators under ``repetition`` only, their games and
    all games with tables, and the models and datasets of these; with one seed per explicand,
    because claims use means over explicands. Other parts of the study may change without a
    repetition.
    """
    wanted = set(study["repetition"]["estimators"])
    looked_at, kept = audited(study)
    experiments = {
        name: {**experiment, "estimators": own, "repetitions": 1}
        for name, experiment in looked_at.items()
        if (own := [key for key in experiment["estimators"] if key in wanted])
    }
    needed = {experiment["game"] for experiment in experiments.values()}
    games = {
        name: game
        for name, game in kept.items()
        if name in needed or game["players"] <= TABULATED_PLAYERS
    }
    models = {game["model"]: study["models"][game["model"]] for game in games.values()}
    datasets = {model["dataset"]: study["datasets"][model["dataset"]] for model in models.values()}
    estimators = {
        key: study["estimators"][key]
        for experiment in experiments.values()
        for key in experiment["estimators"]
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
