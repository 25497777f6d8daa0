"""Estimated cost of the jobs of a run before it starts: counted work, and approximate time."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from shapaudit.estimators import AnytimeEstimator, Estimator, create
from shapaudit.models.mixed import mixed_model
from shapaudit.models.own import function_at
from shapaudit.progress import duration
from shapaudit.truth.inversion import BOUND

from .layout import TABULATED_PLAYERS, batches, own_part
from .overlays import ConfigError
from .rates import BOOSTED, OWN, PER_PLAYER, RATES, TABULATED, Cost, rows_per_value
from .samples import path_evaluations
from .study_costs import explanation_cost, removal_cost

INVERTED = (1e-6, 2e-9)  # seconds of an inversion by players squared, and by players over the bound
MOST_HOURS = 1000.0
PROBED, PATIENCE = 64, 0.5  # rows to time a user's function on; seconds after which one suffices

Job = tuple[str, Mapping[str, str]]  # name of the rule, wildcards


def costs_of(jobs: Sequence[Job], study: Mapping, repeated: Mapping) -> dict[str, Cost]:
    """Costs of some jobs of a run, by collection of games, and by study of explainers or removals.

    ``study`` is the configuration, ``repeated`` the part of it that is repeated from other seeds.
    Any game can be requested from another seed, whether or not the repetition needs it. The keys
    of studies are their places in the configuration.
    """
    repeated = {**repeated, "games": study["games"]}
    spent: dict[tuple[str, bool], int] = {}
    taken: dict[str, float] = {}
    for rule, wildcards in jobs:
        part = repeated if wildcards.get("run") else study
        if rule in COUNTED:
            game, built, count = COUNTED[rule](part, wildcards)
            spent[game, built] = spent.get((game, built), 0) + count
        if rule == "compute_truth":
            name = wildcards["game"]
            taken[name] = taken.get(name, 0.0) + inversion_seconds(part["games"][name])
        if rule == "run_estimators":
            name = part["experiments"][wildcards["experiment"]]["game"]
            taken[name] = taken.get(name, 0.0) + _own_seconds(part, wildcards)
    costs: dict[str, Cost] = {}
    for name in study["games"]:
        if taken.get(name):
            costs[name] = Cost(0, taken[name])
        for built in (True, False):
            if count := spent.get((name, built), 0):
                cost = Cost(count, count * seconds_per_evaluation(study, name, built))
                costs[name] = costs.get(name, Cost()) + cost
    return costs | _of_studies(jobs, study)


def _of_studies(jobs: Sequence[Job], study: Mapping) -> dict[str, Cost]:
    costs: dict[str, Cost] = {}
    for rule, wildcards in jobs:
        if rule == "study_explainers":
            name = wildcards["explanation"]
            place, cost = "explanation_studies", explanation_cost(study, name, wildcards["first"])
        elif rule == "study_removals":
            name, first = wildcards["removal_study"], wildcards["removal"]
            batch = batches(study["removal_studies"][name], "removals")[first]
            place, cost = "removal_studies", removal_cost(study, name, batch)
        else:
            continue
        key = f"{place}.{name}"
        costs[key] = costs.get(key, Cost()) + cost
    return costs


def run_evaluations(spec: Mapping, experiment: Mapping, game: Mapping) -> int:
    """Most evaluations of an estimator in an experiment, choosing a parameter included."""
    estimator, budgets, runs = _runs(spec, experiment, game)
    once = budgets[-1] if isinstance(estimator, AnytimeEstimator) else sum(budgets)
    tuned = len(spec["tune"]["grid"]) * game["tuning_explicands"] if "tune" in spec else 0
    return once * runs + budgets[-1] * tuned


def run_seconds(spec: Mapping, experiment: Mapping, game: Mapping) -> float:
    """Approximate seconds of an estimator beside its evaluations; 0 where they are negligible."""
    estimator, budgets, runs = _runs(spec, experiment, game)
    once, each = OWN.get(getattr(estimator, "id", ""), (0.0, 0.0))
    return runs * (once * len(budgets) + each * game["players"] * sum(budgets))


def _runs(spec: Mapping, experiment: Mapping, game: Mapping) -> tuple[Estimator, list[int], int]:
    """An estimator, the budgets that it can use, and its runs over games and repetitions."""
    estimator = create(spec["estimator"], spec.get("params"))
    least = estimator.minimum_budget(game["players"])
    budgets = [budget for budget in experiment["budgets"] if budget >= least]
    return (
        estimator,
        budgets,
        experiment.get("explicands", game["explicands"]) * experiment["repetitions"],
    )


def truth_evaluations(game: Mapping) -> int:
    """Evaluations for the true Shapley values of a collection; 0 for methods that need none."""
    truth, d = game["truth"], game["players"]
    params = truth.get("params", {})
    each = {
        "permutations": params.get("shuffles", 4096) * (d + 1),
        "orbits": params.get("orbits", 256) * d * (d + 1),
        **dict.fromkeys(("enumeration", "subsets", "diagonal"), 2**d),
    }
    methods = (truth[key] for key in ("method", "check") if key in truth)
    games = game["explicands"] + game.get("tuning_explicands", 0)
    return games * sum(each.get(method, 0) for method in methods)


def inversion_seconds(game: Mapping) -> float:
    """Approximate seconds of the truth by inversion, which evaluates no coalition."""
    truth, d = game["truth"], game["players"]
    methods = [truth[key] for key in ("method", "check") if key in truth]
    bound = truth.get("params", {}).get("bound", BOUND)
    each = INVERTED[0] * d**2 + INVERTED[1] * d / bound
    return (
        (game["explicands"] + game.get("tuning_explicands", 0)) * each * methods.count("inversion")
    )


def seconds_per_evaluation(study: Mapping, game: str, built: bool = False) -> float:
    """Seconds per evaluation, stored, or measured for a user's function.

    ``built`` says that a table is being made, so that the model itself is evaluated.
    """
    block = study["games"][game]
    d, model = block["players"], study["models"][block["model"]]
    if d <= TABULATED_PLAYERS and not built:
        return TABULATED + d * PER_PLAYER
    rows = rows_per_value(study["removals"][block["removal"]]) if "removal" in block else 1
    if model["trainer"] == "function":
        return rows * _probed(partial(function_at, model["params"]["function"]), normal_rows(d))
    if model["trainer"] == "mixed":
        return rows * _probed(partial(_mixed, model["params"]), np.zeros((PROBED, d)))
    return rows * (RATES.get(model["trainer"], BOOSTED) + d * PER_PLAYER)


def normal_rows(d: int) -> np.ndarray:
    """Rows (PROBED, d) on which a function is timed."""
    return np.random.default_rng(0).standard_normal((PROBED, d))


def _mixed(params: Mapping) -> Callable:
    return mixed_model(**params).predict


def _probed(loaded: Callable[[], Callable], rows: np.ndarray) -> float:
    """Seconds per row of a function on some rows; those of a boosted model where it fails."""
    spent = BOOSTED
    try:
        call = loaded()
        for count in (1, len(rows)):
            started = time.perf_counter()
            call(rows[:count].copy())
            spent = (time.perf_counter() - started) / count
            if spent > PATIENCE:
                break
    except Exception:  # the rows need not suit a user's function
        return spent
    return spent


def _estimators(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    experiment = study["experiments"][wildcards["experiment"]]
    game = study["games"][experiment["game"]]
    names = batches(experiment)[wildcards["batch"]]
    specs = study["estimators"]
    count = sum(run_evaluations(specs[name], own_part(experiment, name), game) for name in names)
    return experiment["game"], False, count


def _own_seconds(study: Mapping, wildcards: Mapping) -> float:
    experiment = study["experiments"][wildcards["experiment"]]
    game, specs = study["games"][experiment["game"]], study["estimators"]
    names = batches(experiment)[wildcards["batch"]]
    return sum(run_seconds(specs[name], own_part(experiment, name), game) for name in names)


def _kept(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    experiment = study["experiments"][wildcards["experiment"]]
    once = experiment | {"explicands": experiment["keep"], "repetitions": 1}
    game, specs = study["games"][experiment["game"]], study["estimators"]
    count = sum(run_evaluations(specs[name], once, game) for name in experiment["estimators"])
    return experiment["game"], False, count


def _paths(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    path = study["paths"][wildcards["path"]]
    players = study["games"][path["game"]]["players"]
    return path["game"], False, path_evaluations(study["estimators"], path, players)


def _truth(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    game = study["games"][wildcards["game"]]
    return wildcards["game"], False, truth_evaluations(game)


def _tables(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    game = study["games"][wildcards["game"]]
    d, games = game["players"], game["explicands"] + game.get("tuning_explicands", 0)
    return wildcards["game"], True, games * 2**d if d <= TABULATED_PLAYERS else 0


COUNTED = {
    "build_games": _tables,
    "compute_truth": _truth,
    "keep_estimates": _kept,
    "run_estimators": _estimators,
    "run_paths": _paths,
}


COLUMNS = {"evaluations": "evaluations", "model rows": "rows", "training steps": "steps"}
LAST = "about, on one core"


def price(costs: Mapping[str, Cost], workers: str, most_hours: float) -> str:
    """The costs as a table; raises `ConfigError` where they exceed so many hours of one core.

    ``workers`` names what shares the jobs, such as "2 cores".
    """
    total = sum(costs.values(), Cost())
    if total.seconds > 3600 * most_hours:
        name = max(costs, key=lambda key: costs[key].seconds)
        most = costs[name]
        raise ConfigError(
            f"this run would take about {total.seconds / 3600:,.0f} hours of one core, "
            f"{most.seconds / 3600:,.0f} of them for {most.counted()} of {name}, and most_hours is "
            f"{most_hours:,g}; lower {most.settings}, or raise most_hours in the configuration"
        )
    named = [*costs.items(), (f"all; {workers} share them", total)]
    columns = [["games and studies" if total.rows else "games", *(name for name, _ in named)]]
    for title, key in COLUMNS.items():
        if getattr(total, key):
            counts = [getattr(cost, key) for _, cost in named]
            columns.append([title, *(f"{count:,}" if count else "" for count in counts)])
    columns.append([LAST, *(duration(max(1.0, cost.seconds)) for _, cost in named)])
    wide = [max(map(len, column)) for column in columns]
    lines = zip(*columns, strict=True)
    return "\n".join(
        "  ".join([name.ljust(wide[0]), *map(str.rjust, counts, wide[1:])])
        for name, *counts in lines
    )
