"""Evidence on claims 3 to 5: the algorithms against permutations, and halving, by exact errors."""

from collections.abc import Callable, Iterable

import numpy as np

from shapaudit.estimators import Estimator, MultilinearSampling, OptimisedMonteCarlo
from shapaudit.games import AdditiveGame, CountedGame
from shapaudit.samplers.quadrature import RuleName
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.exact_errors import multilinear_errors, walk_errors

from .common import DRAWS, SAMPLES, perceptrons, tables

LEVELS = SAMPLES // DRAWS + 1
SHORT, DIGITS = 12, 784  # samples and players of Figure 3
COUNTED = ((SHORT, 4), (SHORT, 16), (SHORT, DIGITS), (200, 4), (200, 16))  # samples, players
LINE = (20, 200, 2000)  # samples of the line plot of Figure 1
FAR = (500, 2_000, 8_000)  # samples, to see the order of an error
TIMES = {"castro": 3.004, "owen": 1.044, "halved": 0.968}  # milliseconds of Table I
SCALE = 1e-12  # of errors, for games of spread 1: what is below is rounding

METHODS: dict[str, Estimator] = {
    "castro": OptimisedMonteCarlo(),
    "owen": MultilinearSampling(grid="printed"),
    "halved": MultilinearSampling(grid="printed", halved=True),
}


def cost(method: str, samples: int, players: int) -> int:
    """Evaluations of so many samples, each shared by all players."""
    if method == "castro":
        return samples * players + 1
    levels = samples // DRAWS + 1
    return (players + 1) * DRAWS * (levels if method == "owen" else 2 * ((levels + 1) // 2))


def exact_rows(
    games: Iterable[tuple[str, np.ndarray]], equal: str, grid: RuleName = "printed"
) -> list[dict]:
    """Exact errors on every game at the published samples, or at Castro's evaluations there."""
    rows = []
    for name, values in games:
        d = len(values).bit_length() - 1
        walks = {"samples": SAMPLES, "evaluations": (cost("halved", SAMPLES, d) - 1) / d}[equal]
        castro = walk_errors(values, walks)
        owen, halved = (
            multilinear_errors(values, grid, LEVELS, DRAWS, paired) for paired in (False, True)
        )
        row = {"game": name, "players": d, "castro": castro.total, "owen": owen.total}
        row |= {"halved": halved.total, "owen_squared_bias": owen.squared_bias}
        row |= {"halved_squared_bias": halved.squared_bias}
        even = (values + values[::-1]) / 2  # the complement of row k of a table is row -1 - k
        rows.append(row | {"even_share": float(even.var() / values.var())})
    return rows


def gather_samples(context: Context, grid: RuleName = "printed") -> Evidence:
    """Exact errors at equal samples, their means over explicands of the paper's models.

    Errors at equal evaluations stand beside them.
    """
    rows = exact_rows(tables(context), "samples", grid)
    models = _means(exact_rows(perceptrons(context), "samples", grid), METHODS)
    evaluations = exact_rows(tables(context), "evaluations", grid)
    return {"rows": rows, "models": models, "evaluations": evaluations}


def _means(rows: list[Evidence], keys: Iterable[str]) -> list[Evidence]:
    """Means of some columns by game, and over how many explicands they are."""
    by_game = []
    for name in dict.fromkeys(row["game"] for row in rows):
        own = [row for row in rows if row["game"] == name]
        means = {key: float(np.mean([row[key] for row in own])) for key in keys}
        by_game.append({"game": name, "explicands": len(own)} | means)
    return by_game


def gather_speed(context: Context, players: int = 16) -> Evidence:
    """Evaluations of the three at the published samples, beside the published times."""
    counts = {method: cost(method, SAMPLES, players) for method in METHODS}
    rows = [{"method": m, "evaluations": n, "published_ms": TIMES[m]} for m, n in counts.items()]
    return {"rows": rows, "players": players}


def gather_halving(context: Context, grid: RuleName = "printed") -> Evidence:
    """Exact variances with pairs and without at equal evaluations.

    On games, and in the mean over explicands of the paper's models.
    """
    models = _means(_halving_rows(perceptrons(context), grid), ("plain", "halved"))
    return {"rows": _halving_rows(tables(context), grid), "models": models}


def _halving_rows(games: Iterable[tuple[str, np.ndarray]], grid: RuleName) -> list[Evidence]:
    rows = []
    for name, values in games:
        plain = multilinear_errors(values, grid, LEVELS, 2 * DRAWS)
        paired = multilinear_errors(values, grid, LEVELS, 2 * DRAWS, paired=True)
        # A level of the plain algorithm has a partner there: as many coalitions in all.
        row = {"game": name, "plain": plain.variance, "halved": paired.variance}
        rows.append(row | {"ratio": paired.variance / max(plain.variance, SCALE)})
    return rows


def gather_speed_of_decay(context: Context, grid: RuleName = "printed") -> Evidence:
    """Exact errors of Castro and Owen sampling as the samples grow, at equal samples.

    On games with as many samples as `FAR`, in the mean over explicands of the paper's models at
    those of its line plot.
    """
    far = [
        {"game": name} | _decay(values, samples, grid) | {"samples": samples}
        for name, values in tables(context)
        for samples in FAR
    ]
    near = [
        {"game": name} | _decay(values, samples, grid) | {"samples": samples}
        for name, values in perceptrons(context)
        for samples in LINE
    ]
    models = [
        {"samples": samples, **row}
        for samples in LINE
        for row in _means([row for row in near if row["samples"] == samples], ("castro", "owen"))
    ]
    return {"rows": far, "models": models}


def _decay(values: np.ndarray, samples: int, grid: RuleName) -> Evidence:
    owen = multilinear_errors(values, grid, samples // DRAWS + 1, DRAWS)
    return {"castro": walk_errors(values, samples).total, "owen": owen.total}


def gather_antithetic(context: Context, grid: RuleName = "stratified") -> Evidence:
    """Exact errors of halved levels and of antithetic permutations at equal evaluations."""
    rows = []
    for name, values in tables(context):
        d = len(values).bit_length() - 1
        walks = (cost("halved", SAMPLES, d) - 1) / d
        anti = walk_errors(values, walks, antithetic=True).total
        halved = multilinear_errors(values, grid, LEVELS + 1, DRAWS, paired=True).total
        row = {"game": name, "antithetic": anti, "halved": halved}
        rows.append(row | {"ratio": halved / max(anti, SCALE)})
    return {"rows": rows}


def gather_counts(context: Context, methods: Callable = lambda: METHODS) -> Evidence:
    """Evaluations that each method spends on its equivalent samples, counted."""
    rows = []
    for samples, d in COUNTED:
        row = {"samples": samples, "players": d}
        for name, method in methods().items():
            counted = CountedGame(AdditiveGame(np.ones(d)))
            method.estimate(counted, cost(name, samples, d), np.random.default_rng(0))
            row[name] = counted.evaluations
        rows.append(row | {"halved_over_castro": row["halved"] / row["castro"]})
    return {"rows": rows}
