"""Evidence on claim 20: whether a run that stops at a tolerance is within it."""

from collections.abc import Callable, Mapping

import numpy as np

from shapaudit.estimators import OptimisedMonteCarlo
from shapaudit.estimators.convergence import ALPHA, Convergence, estimate_until
from shapaudit.games import AirportGame, Game, UnanimityGame, tabulate
from shapaudit.samplers.random_games import majority_table
from shapaudit.statistics.quantiles import normal_quantile
from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_audit.audit.evidence import Evidence, sampled

WALK = OptimisedMonteCarlo()
PLAYERS = 10  # of the games beside those of the study
NEEDED = 64  # walks after which a 95 % interval for one player is as wide as the tolerance
SPREAD_ROUNDING = 1e-12  # relative to the largest Shapley value
PILOT = 4_096  # walks that the tolerance is set by
HORIZON, BUDGET = 512, 2_048  # walks, of the usual rules and of ours
BLOCK = 75  # runs at a time
EACH, ALL = "each player", "all players"
# Players that the 95 per cent are for, and walks between two looks.
RULES = {
    f"{EACH}, every walk": (EACH, 1),
    f"{EACH}, every 32 walks": (EACH, 32),
    f"{ALL}, every walk": (ALL, 1),
    f"{ALL}, every 32 walks": (ALL, 32),
}

Rules = Mapping[str, tuple[str, int]]


def games(context: Context) -> dict[str, tuple[Game, np.ndarray]]:
    """The first game of each study game, and games of few distinct contributions, with values."""
    explicands = {study.name: next(study.explicands(1)) for study in context.study_games()}
    for name, table in skewed_tables().items():
        explicands[name] = next(StudyGame.from_tables(name, table[None]).explicands())
    return explicands


def skewed_tables() -> dict[str, np.ndarray]:
    """Tables (2^d,): contributions of 0 and 1, and of very unequal size."""
    return {
        "unanimity of 4": tabulate(
            UnanimityGame(np.ones(1), (np.arange(PLAYERS) < 4)[None])
        ).values,
        "majority": majority_table(PLAYERS),
        "airport": tabulate(AirportGame(np.exp(np.arange(PLAYERS)))).values,
    }


@sampled
def gather_runs(context: Context) -> Evidence:
    """Runs stopped by the usual rules and by ours."""
    return simulate(context, RULES, estimate_until)


def simulate(context: Context, rules: Rules, stop: Callable[..., Convergence]) -> Evidence:
    """Rows by game and rule: how many runs were not stopped in error, and walks spent."""
    count = max(20, min(300, context.settings.repetitions))
    usual, ours = [], []
    for name, (game, truth) in games(context).items():
        rng = context.generator("field26-20", name)
        spread = WALK.draw(game, PILOT, rng).std(axis=0, ddof=1).max()
        if spread <= SPREAD_ROUNDING * np.abs(truth).max():
            continue  # every walk gives the same: there is nothing to stop
        tolerance = normal_quantile(ALPHA / 2) * spread / np.sqrt(NEEDED)
        runs = [_usual(rules, game, truth, tolerance, n, rng) for n in _blocks(count)]
        for rule in rules:
            wrong, walks = (sum(run[rule][k] for run in runs) for k in (0, 1))
            usual.append(_row(name, game, rule, count, wrong, walks))
        budget = WALK.fixed_cost + BUDGET * game.n_players
        stopped = [stop(WALK, game, tolerance, budget, rng) for _ in range(count)]
        wrong = sum(_in_error(outcome, truth, tolerance) for outcome in stopped)
        walks = sum((outcome.estimate.evaluations - 1) // game.n_players for outcome in stopped)
        ours.append(_row(name, game, "corrected for players and looks", count, wrong, walks))
    return {"usual": usual, "ours": ours}


def _blocks(count: int) -> list[int]:
    return [min(BLOCK, count - start) for start in range(0, count, BLOCK)]


def _row(name, game, rule, runs, wrong, walks):
    row = {"game": name, "players": game.n_players, "rule": rule, "runs": runs}
    return row | {"within": runs - int(wrong), "walks": walks / runs}


def _in_error(outcome: Convergence, truth: np.ndarray, tolerance: float) -> bool:
    return outcome.converged and bool(np.abs(outcome.estimate.values - truth).max() > tolerance)


def _usual(rules, game, truth, tolerance, runs, rng) -> dict[str, tuple[int, float]]:
    """By rule: runs that stopped with an error beyond the tolerance, and walks of all of them."""
    d = game.n_players
    units = WALK.draw(game, runs * HORIZON, rng).reshape(runs, HORIZON, d)
    walks = np.arange(1, HORIZON + 1)
    means = np.cumsum(units, axis=1) / walks[:, None]
    squares = np.cumsum(np.square(units), axis=1) - walks[:, None] * np.square(means)
    variances = squares.clip(min=0.0) / np.maximum(walks - 1, 1)[:, None]
    errors = np.sqrt(variances / walks[:, None]).max(axis=2)
    beyond = np.abs(means - truth).max(axis=2) > tolerance
    by_rule = {}
    for rule, (players, step) in rules.items():
        quantile = normal_quantile(ALPHA / 2 / (d if players == ALL else 1))
        looks = np.arange(max(step, 2), HORIZON + 1, step) - 1
        narrow = quantile * errors[:, looks] < tolerance
        last = looks[np.where(narrow.any(axis=1), narrow.argmax(axis=1), -1)]
        wrong = narrow.any(axis=1) & beyond[np.arange(runs), last]
        by_rule[rule] = int(wrong.sum()), float(walks[last].sum())
    return by_rule
