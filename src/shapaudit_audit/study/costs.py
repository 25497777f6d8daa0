"""Evaluations of games and models that the jobs of a run take at most, counted before it starts."""

from collections.abc import Mapping

from shapaudit import removals
from shapaudit.estimators import AnytimeEstimator, Estimator, create
from shapaudit.truth.law import MOST_PLAYERS

from .blocks.games import GameBlock, RemovalBlock
from .blocks.runs import EstimatorBlock, ExperimentBlock
from .blocks.studies import ExplanationStudyBlock, RemovalStudyBlock
from .blocks.study import Study
from .data_shapes import shape_of
from .overlays import ConfigError

ROWS = 1000  # of a background that is all training rows, whose number is not known yet
EXPONENT = 60  # 2^d is not counted further


def run_evaluations(spec: EstimatorBlock, experiment: ExperimentBlock, game: GameBlock) -> int:
    """Most evaluations of an estimator in an experiment, choosing a parameter included."""
    estimator = create(spec.estimator, spec.params)
    budgets = _budgets(estimator, experiment.budgets, game.players)
    once = budgets[-1] if isinstance(estimator, AnytimeEstimator) else sum(budgets)
    tuned = len(spec.tune.grid) * game.tuning_explicands if spec.tune else 0
    runs = (experiment.explicands or game.explicands) * experiment.repetitions
    return once * runs + budgets[-1] * tuned


def _budgets(estimator: Estimator, budgets: list[int], players: int) -> list[int]:
    """Those that an estimator can use."""
    least = estimator.minimum_budget(players)
    return [budget for budget in budgets if budget >= least]


def truth_evaluations(game: GameBlock) -> int:
    """Evaluations for the true Shapley values of a collection; 0 for methods that need none."""
    truth, d = game.truth, game.players
    each = {
        "permutations": truth.params.get("shuffles", 4096) * (d + 1),
        "orbits": truth.params.get("orbits", 256) * d * (d + 1),
        **dict.fromkeys(("enumeration", "subsets", "diagonal"), 2**d),
    }
    return game.count * sum(each.get(method, 0) for method in truth.methods)


def rows_per_value(spec: RemovalBlock, there: int = ROWS) -> int:
    """Approximate rows of the model that a value takes by the removal of a block.

    These are its draws or rows where it has a number of them, and ``there`` where it uses all rows.
    """
    removal = removals.create(spec.removal, spec.params)
    counts = [getattr(removal, key) for key in ("draws", "rows", "most") if hasattr(removal, key)]
    return max((there if count is None else count for count in counts), default=1)


def explanation_rows(study: Study, block: ExplanationStudyBlock) -> int:
    """Rows of models that the truths and estimators of an explanation study take."""
    _, d = shape_of(study.datasets[block.dataset])
    budgets = sum(block.rows) * d * len(block.estimators)
    each = _truth_rows(block, d) + budgets
    return each * block.explicands * block.units * len(block.models)


def _truth_rows(block: ExplanationStudyBlock, d: int) -> int:
    """Rows for the true values of an explicand."""
    method, params = block.truth.method, block.truth.params
    if method == "explainer":
        return 0
    if method == "law":
        return 2**d if d <= MOST_PLAYERS else params.get("draws", 1000) * d
    values = params.get("shuffles", 4096) * (d + 1)
    values = values if method == "permutations" else 2 ** min(d, EXPONENT)
    return values * (1 if isinstance(block.background, str) else block.background)


def removal_rows(study: Study, block: RemovalStudyBlock) -> int:
    """Rows of the model that the games of a study of removals take."""
    _, d = shape_of(study.datasets[study.models[block.model].dataset])
    values = block.explicands * 2 ** min(d, EXPONENT)
    return sum(
        values * rows_per_value(study.removals[name], count) * block.fits_of(name)
        for name in block.removals
        for count in block.rows_of(name)
    )


def told(counts: Mapping[str, int], most: int) -> str:
    """A table of evaluations by collection of games or study, and all together.

    Raises `ConfigError` where they exceed ``most``, naming what takes the most of them.
    """
    total = sum(counts.values())
    if total > most:
        name = max(counts, key=lambda key: counts[key])
        raise ConfigError(
            f"this run would take {total:,} evaluations, {counts[name]:,} of them for {name}, and "
            f"most_evaluations is {most:,}; lower the budgets, explicands or repetitions there, or "
            "raise most_evaluations in the configuration"
        )
    rows = [("evaluations of games and models, at most", ""), *counts.items(), ("all", total)]
    wide = max(len(name) for name, _ in rows)
    return "\n".join(
        f"{name.ljust(wide)}  {count:>20,}" if count != "" else name for name, count in rows
    )
