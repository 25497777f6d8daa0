"""What the jobs of a run cost before it starts: evaluations, and about how long they take."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from .. import removals
from ..estimators import AnytimeEstimator, create
from ..models.own import function_at
from ..progress import duration
from .layout import TABULATED_PLAYERS, batches, own_part
from .overlays import ConfigError
from .samples import path_evaluations

# Seconds of one core per evaluation, estimator included, measured in the default study: on games
# that are tabulated, and by the trainer of the model on others; and what each player adds.
TABULATED = 2e-7
RATES = {"chi-square": 1e-7, "radial": 1e-7, "least-squares": 1e-6, "perceptron": 1e-6}
BOOSTED = 4e-7
PER_PLAYER = 1e-9
ROWS = 1000  # of a background that is all training rows, whose number is not known yet
MOST_HOURS = 1000.0
PROBED, PATIENCE = 64, 0.5  # rows of a function of one's own, seconds after which one is enough

Job = tuple[str, Mapping[str, str]]  # name of the rule, wildcards


@dataclass(frozen=True)
class Cost:
    """Evaluations of a collection of games, and about how many seconds of one core they take."""

    evaluations: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.evaluations + other.evaluations, self.seconds + other.seconds)


def costs_of(jobs: Iterable[Job], study: Mapping, repeated: Mapping) -> dict[str, Cost]:
    """Cost of some jobs of a run by collection of games, where there are evaluations.

    ``study`` is the configuration, ``repeated`` the part of it that is repeated from other seeds.
    Any game can be asked for from another seed, whether or not the repetition needs it.
    """
    repeated = {**repeated, "games": study["games"]}
    spent: dict[tuple[str, bool], int] = {}
    for rule, wildcards in jobs:
        part = repeated if wildcards.get("run") else study
        if rule in COUNTED:
            game, built, count = COUNTED[rule](part, wildcards)
            spent[game, built] = spent.get((game, built), 0) + count
    costs: dict[str, Cost] = {}
    for name in study["games"]:
        for built in (True, False):
            if count := spent.get((name, built), 0):
                one = Cost(count, count * seconds_per_evaluation(study, name, built))
                costs[name] = costs.get(name, Cost()) + one
    return costs


def run_evaluations(spec: Mapping, experiment: Mapping, game: Mapping) -> int:
    """Evaluations, at most, of an estimator in an experiment, and to choose a parameter."""
    estimator = create(spec["estimator"], spec.get("params"))
    least = estimator.minimum_budget(game["players"])
    budgets = [budget for budget in experiment["budgets"] if budget >= least]
    once = budgets[-1] if isinstance(estimator, AnytimeEstimator) else sum(budgets)
    runs = experiment.get("pairs", game["pairs"]) * experiment["repetitions"]
    tuned = len(spec["tune"]["grid"]) * game["tuning_pairs"] if "tune" in spec else 0
    return once * runs + budgets[-1] * tuned


def truth_evaluations(game: Mapping) -> int:
    """Evaluations that the Shapley values of a collection take; none where structure gives them."""
    truth, d = game["truth"], game["players"]
    params = truth.get("params", {})
    each = {
        "permutations": params.get("shuffles", 4096) * (d + 1),
        "orbits": params.get("orbits", 256) * d * (d + 1),
        **dict.fromkeys(("enumeration", "subsets", "diagonal"), 2**d),
    }
    methods = (truth[key] for key in ("method", "check") if key in truth)
    pairs = game["pairs"] + game.get("tuning_pairs", 0)
    return pairs * sum(each.get(method, 0) for method in methods)


def seconds_per_evaluation(study: Mapping, game: str, built: bool = False) -> float:
    """Stored, or measured for a function of one's own; ``built``: where a table is made."""
    one = study["games"][game]
    d, model = one["players"], study["models"][one["model"]]
    if d <= TABULATED_PLAYERS and not built:
        return TABULATED + d * PER_PLAYER
    rows = rows_per_value(study["removals"][one["removal"]]) if "removal" in one else 1
    if model["trainer"] == "function":
        return rows * _probed(model["params"]["function"], d)
    return rows * (RATES.get(model["trainer"], BOOSTED) + d * PER_PLAYER)


def rows_per_value(spec: Mapping) -> int:
    """Rows of the model that a value takes by the removal of a block, about.

    Its draws or rows, where it says how many; `ROWS` where it takes as many as there are.
    """
    removal = removals.create(spec["removal"], spec.get("params"))
    counts = [getattr(removal, key) for key in ("draws", "rows", "most") if hasattr(removal, key)]
    return max((ROWS if count is None else count for count in counts), default=1)


def _probed(dotted: str, d: int) -> float:
    """Seconds per row of a function on some rows; those of a boosted model where it takes none."""
    rows = np.random.default_rng(0).standard_normal((PROBED, d))
    spent = BOOSTED
    try:
        call = function_at(dotted)
        for count in (1, PROBED):
            started = time.perf_counter()
            call(rows[:count].copy())
            spent = (time.perf_counter() - started) / count
            if spent > PATIENCE:
                break
    except Exception:  # a function of one's own, which the rows need not suit
        return spent
    return spent


def _estimators(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    experiment = study["experiments"][wildcards["experiment"]]
    game = study["games"][experiment["game"]]
    names = batches(experiment)[wildcards["batch"]]
    specs = study["estimators"]
    count = sum(run_evaluations(specs[name], own_part(experiment, name), game) for name in names)
    return experiment["game"], False, count


def _kept(study: Mapping, wildcards: Mapping) -> tuple[str, bool, int]:
    experiment = study["experiments"][wildcards["experiment"]]
    once = experiment | {"pairs": experiment["keep"], "repetitions": 1}
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
    d, pairs = game["players"], game["pairs"] + game.get("tuning_pairs", 0)
    return wildcards["game"], True, pairs * 2**d if d <= TABULATED_PLAYERS else 0


COUNTED = {
    "build_games": _tables,
    "compute_truth": _truth,
    "keep_estimates": _kept,
    "run_estimators": _estimators,
    "run_paths": _paths,
}


def price(costs: Mapping[str, Cost], workers: str, most_hours: float) -> str:
    """The costs as a table; raises `ConfigError` where they exceed so many hours of one core.

    `workers` names what the jobs are shared among, such as "2 cores".
    """
    total = sum(costs.values(), Cost())
    if total.seconds > 3600 * most_hours:
        name = max(costs, key=lambda game: costs[game].seconds)
        raise ConfigError(
            f"this run would take about {total.seconds / 3600:,.0f} hours of one core, "
            f"{costs[name].seconds / 3600:,.0f} of them for {costs[name].evaluations:,} "
            f"evaluations of {name}, and most_hours is {most_hours:,g}; lower budgets, pairs or "
            "repetitions, or raise most_hours in the configuration"
        )
    rows = [("games", "evaluations", "at most about, on one core")]
    rows += [
        (name, f"{one.evaluations:,}", duration(max(1.0, one.seconds)))
        for name, one in [*costs.items(), (f"all; {workers} share them", total)]
    ]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(f"{a:<{wide[0]}}  {b:>{wide[1]}}  {c:>{wide[2]}}" for a, b, c in rows)
