"""Evidence on claim 12: which error bars of which permutations cover the error."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from shapaudit.estimators import Estimator, QuasiRandomOrder, RandomOrder
from shapaudit.estimators.risk import LEVEL, LiftMoments, norm_risk, replicate_risk
from shapaudit.games import Game, walk
from shapaudit.samplers.permutation_sets import QUASI_RANDOM, STRUCTURED
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import FEATURES, exact_games, quick
from .medium import medium_runs

CHAINS, REGRESSIONS = 256, 14  # the least for limits of a median at the level of one claim
DRAWS = 500  # of the risk estimate
REPLICATES, ORBITS = 8, 12

quick_risk = partial(norm_risk, draws=DRAWS)

Run = Callable[[Game, np.random.Generator, Callable], tuple[np.ndarray, float]]


@dataclass(frozen=True)
class Bar:
    """An error bar on Shapley values.

    Attributes
    ----------
    permutations : how they are drawn
    units : what the error bar takes for independent
    law : of its quantile
    run : values (d,) and 95 % limit of the norm of their error, from one run
    effort : runs, as a multiple of those of others; what should be right takes more to tell, what
        is far off or wide takes less
    """

    permutations: str
    units: str
    law: str
    run: Run
    effort: float = 1


def _gaussian(draw: Callable, game: Game, rng, estimate) -> tuple[np.ndarray, float]:
    """Return the paper's risk estimate from units (m, d) that count as independent."""
    moments = LiftMoments(FEATURES)
    moments.update(draw(game, rng))
    return moments.mean, estimate(moments, rng)


def _student(sampler: Estimator, units: int, chains: int, game: Game, rng, estimate):
    """Return Student's limit from the variation of independent units.

    Raises ValueError where the run is too short for standard errors.
    """
    result = sampler.estimate(game, 1 + FEATURES * chains, rng)
    if result.standard_errors is None:
        raise ValueError(f"{chains} chains are too few for standard errors.")
    return result.values, replicate_risk(result.standard_errors, units).overall


def _sets(kind: str, count: int, game: Game, rng) -> np.ndarray:
    """Means (count, d) over independent sets of walks."""
    return RandomOrder(kind).draw(game, count, rng)


def _walks(kind: str, count: int, game: Game, rng) -> np.ndarray:
    """Single walks (m, d) of as many sets."""
    return walk(game, STRUCTURED[kind](count, FEATURES, rng).reshape(-1, FEATURES))


def _quasi(kind: str, game: Game, rng) -> np.ndarray:
    return walk(game, QUASI_RANDOM[kind](CHAINS, FEATURES, 1, rng)[0])


def _normal(permutations: str, units: str, draw: Callable, *settings, effort: float = 1) -> Bar:
    run = partial(_gaussian, partial(draw, *settings))
    return Bar(permutations, units, "normal", run, effort)


def _spread(permutations: str, units: str, *settings, effort: float = 1) -> Bar:
    return Bar(permutations, units, "Student", partial(_student, *settings), effort)


def _replicates(kind: str) -> tuple[Estimator, int, int]:
    return QuasiRandomOrder(kind, REPLICATES), REPLICATES, CHAINS


BARS = {
    "mc": _normal("independent", "walks", _sets, "uniform", CHAINS, effort=2),
    "antithetic walks": _normal("antithetic", "walks", _walks, "antithetic", CHAINS // 2),
    "antithetic pairs": _normal("antithetic", "pairs", _sets, "antithetic", CHAINS // 2, effort=4),
    "argsort": _normal("argsort", "walks", _quasi, "sobol", effort=0.5),
    "argsort replicates": _spread("argsort", "replicates", *_replicates("sobol"), effort=0.5),
    "permutohedron": _normal("permutohedron", "walks", _quasi, "permutohedron", effort=0.5),
    "permutohedron replicates": _spread(
        "permutohedron", "replicates", *_replicates("permutohedron"), effort=0.5
    ),
    "cyclic walks": _normal("cyclic", "walks", _walks, "cyclic", ORBITS),
    "cyclic orbits": _spread("cyclic", "orbits", RandomOrder("cyclic"), ORBITS, ORBITS * FEATURES),
    "affine orbits": _spread(
        "affine", "orbits", RandomOrder("affine"), ORBITS, ORBITS * FEATURES * FEATURES
    ),
}


def runs_of(context: Context) -> int:
    """Runs per regression."""
    return max(10, min(60, context.settings.repetitions // 10))


@sampled
def gather_risk(context: Context, estimate=quick_risk) -> Evidence:
    """Return true errors and error bars of runs, by `BARS`, on regressions with exact values."""
    rows = []
    for k, (game, truth) in enumerate(context.once(exact_games, REGRESSIONS)):
        table = quick(game)
        for name, bar in BARS.items():
            rng = context.generator("bdb24-12", k, name)
            count = round(bar.effort * runs_of(context))
            runs = [bar.run(table, rng, estimate) for _ in range(count)]
            errors = np.array([np.linalg.norm(values - truth) for values, _ in runs])
            rows.append(_row(k, name, errors, np.array([risk for _, risk in runs])))
    return {"rows": rows, "medium": medium_runs(context)}


def _row(k, name, errors, risks) -> Evidence:
    quantile = float(np.quantile(errors, LEVEL))
    return {
        "regression": k + 1,
        "sampler": name,
        "runs": len(errors),
        "covered": int((errors <= risks).sum()),
        "true_quantile": quantile,
        "estimated": float(risks.mean()),
        "ratio": float(risks.mean() / quantile),
    }
