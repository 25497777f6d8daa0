"""Claim 12: which error bars of which permutations cover the error."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from ...estimators import Estimator, QuasiRandomOrder, RandomOrder
from ...estimators.risk import LEVEL, LiftMoments, replicate_risk
from ...games import Game, walk
from ...samplers.permutation_sets import QUASI_RANDOM, STRUCTURED
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from ..limits import bootstrap, clopper_pearson
from .common import FEATURES, claim, exact_games, quick

CHAINS, REGRESSIONS = 256, 8
DRAWS = 500  # of the risk estimate
REPLICATES, ORBITS = 8, 12
GOOD = 1.25  # factor up to which an estimated quantile is a good estimate of the true one

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


def norm_risk(moments: LiftMoments, rng: np.random.Generator) -> float:
    """The paper's risk estimate of the norm: `gaussian_risk`, which also has one per feature.

    The law of a normal vector's norm depends on the eigenvalues of its covariance only.
    """
    variances = np.linalg.eigvalsh(moments.covariance / moments.count)
    squares = np.square(rng.standard_normal((DRAWS, len(variances))))
    return float(np.quantile(np.sqrt(squares @ np.maximum(variances, 0.0)), LEVEL))


def _gaussian(draw: Callable, game: Game, rng, estimate) -> tuple[np.ndarray, float]:
    """The paper's risk estimate, of units (m, d) that count as independent."""
    moments = LiftMoments(FEATURES)
    moments.update(draw(game, rng))
    return moments.mean, estimate(moments, rng)


def _student(sampler: Estimator, units: int, chains: int, game: Game, rng, estimate):
    """Student's limit from the spread of so many independent units."""
    found = sampler.estimate(game, 1 + FEATURES * chains, rng)
    return found.values, replicate_risk(found.standard_errors, units).overall


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
QUASI = ("argsort", "permutohedron")
SPREADS = tuple(name for name, bar in BARS.items() if bar.law == "Student")
SINGLE = ("antithetic walks", "cyclic walks")


def runs_of(context: Context) -> int:
    """Runs per regression."""
    return max(10, min(60, context.settings.repetitions // 10))


@lru_cache(maxsize=1)
def gather_risk(context: Context, estimate=norm_risk) -> Evidence:
    """True errors and error bars of runs, by `BARS`, on regressions with exact values."""
    rows = []
    for k, (game, truth) in enumerate(exact_games(context, REGRESSIONS)):
        table = quick(game)
        for name, bar in BARS.items():
            rng = context.generator("bdb24-12", k, name)
            count = round(bar.effort * runs_of(context))
            runs = [bar.run(table, rng, estimate) for _ in range(count)]
            errors = np.array([np.linalg.norm(values - truth) for values, _ in runs])
            rows.append(_row(k, name, errors, np.array([risk for _, risk in runs])))
    return {"rows": rows}


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


def _coverage(evidence: Evidence, names: Sequence[str], alpha: float):
    """Joint limits, details of a verdict, and shares in words."""
    chosen = [[row for row in evidence["rows"] if row["sampler"] == name] for name in names]
    limits = tuple(
        clopper_pearson(
            f"coverage of {name}",
            sum(row["covered"] for row in rows),
            sum(row["runs"] for row in rows),
            alpha / len(names),
        )
        for name, rows in zip(names, chosen, strict=True)
    )
    details = {
        "numbers": {f"coverage_{k + 1}": limit.estimate for k, limit in enumerate(limits)},
        "limits": limits,
        "sample": {"runs": sum(row["runs"] for rows in chosen for row in rows)},
        "rows": tuple(row for rows in chosen for row in rows),
    }
    shares = ", ".join(
        f"{show(100 * limit.estimate)} per cent ({name})"
        for name, limit in zip(names, limits, strict=True)
    )
    return limits, details, shares


def _nominal(names: Sequence[str], kind: str, evidence: Evidence, alpha: float) -> Verdict:
    """Refuted, of a kind, when a coverage is surely not 95 per cent, by more than a hundredth."""
    limits, details, shares = _coverage(evidence, names, alpha)
    found = f"Share of runs covered: {shares}"
    if any(limit.high < LEVEL - 0.01 or limit.low > LEVEL + 0.01 for limit in limits):
        return Verdict("refuted", f"{found}.", kind, **details)
    if all(limit.low > LEVEL - 0.05 for limit in limits):
        return Verdict("supported", f"{found}; 95 but for sampling.", "sample", **details)
    return Verdict("inconclusive", f"{found}; more runs would tell.", "sample", **details)


def check_quasi(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the estimated quantile is surely off the true one by a factor of 1.25."""
    rows = tuple(row for row in evidence["rows"] if row["sampler"] in QUASI)
    regressions = {row["regression"] for row in rows}
    ratios = np.array(
        [np.mean([row["ratio"] for row in rows if row["regression"] == k]) for k in regressions]
    )
    limit = bootstrap("estimated over true quantile", ratios, alpha, method="percentile")
    coverage = sum(row["covered"] for row in rows) / sum(row["runs"] for row in rows)
    details = {
        "numbers": {"ratio": limit.estimate, "coverage": coverage},
        "limits": (limit,),
        "sample": {"regressions": len(regressions), "runs": sum(row["runs"] for row in rows)},
        "rows": rows,
    }
    found = f"The estimated quantile of the error is {show(limit.estimate)} times the true one"
    if limit.low > GOOD or limit.high < 1 / GOOD:
        return Verdict(
            "refuted",
            f"{found}, and {show(100 * coverage)} per cent of the runs are covered instead of 95: "
            "it is the risk of as many independent permutations.",
            "hypothesis",
            **details,
        )
    if limit.low > 1 / GOOD and limit.high < GOOD:
        return Verdict("supported", f"{found}.", "sample", **details)
    return Verdict("inconclusive", f"{found}; more regressions would tell.", "sample", **details)


def check_spreads(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a coverage is surely below 95 per cent; it may be above."""
    limits, details, shares = _coverage(evidence, SPREADS, alpha)
    found = f"Share of runs covered: {shares}"
    if any(limit.high < LEVEL for limit in limits):
        return Verdict("refuted", f"{found}.", "false", **details)
    if all(limit.low > LEVEL - 0.05 for limit in limits):
        return Verdict("supported", f"{found}.", "sample", **details)
    return Verdict("inconclusive", f"{found}; more runs would tell.", "sample", **details)


CLAIMS = (
    claim(
        id="bdb24-12a",
        title="Risk estimate of Monte Carlo",
        where="Section 3.6",
        statement=r"With independent permutations, $\hat\sigma$ at $q=0.95$ is exceeded by the "
        r"error in $5$ of $100$ runs.",
        gather=gather_risk,
        check=partial(_nominal, ("mc",), "false"),
        statistical=True,
    ),
    claim(
        id="bdb24-12b",
        title="Risk estimate of quasi-Monte Carlo",
        where="Section 3.6, Figure 3",
        statement=r"Risk estimates with quasi-Monte Carlo permutations are still good estimates of "
        r"the actual errors.",
        gather=gather_risk,
        check=check_quasi,
        statistical=True,
    ),
    claim(
        id="bdb24-12c",
        title="Risk from replicates",
        where="Section 3.6",
        statement=r"Student limits over independent replicates cover the error of quasi-Monte "
        r"Carlo, and of cyclic and affine orbits, in at least $95$ of $100$ runs.",
        gather=gather_risk,
        check=check_spreads,
        statistical=True,
        source="this project",
    ),
    claim(
        id="bdb24-12d",
        title="Risk estimate of antithetic pairs",
        where="the default of the authors' library",
        statement=r"With a permutation and its reverse as one unit, $\hat\sigma$ at $q=0.95$ is "
        r"exceeded by the error in $5$ of $100$ runs.",
        gather=gather_risk,
        check=partial(_nominal, ("antithetic pairs",), "false"),
        statistical=True,
        source="this project",
    ),
    claim(
        id="bdb24-12e",
        title="Risk estimate of dependent walks",
        where="Section 3.6",
        statement=r"With each walk of antithetic pairs, or of cyclic orbits, as one unit, "
        r"$\hat\sigma$ at $q=0.95$ is exceeded by the error in $5$ of $100$ runs.",
        gather=gather_risk,
        check=partial(_nominal, SINGLE, "hypothesis"),
        statistical=True,
        source="this project",
    ),
)
