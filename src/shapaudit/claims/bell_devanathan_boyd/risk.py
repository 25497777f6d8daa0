"""Claims 12 and 13: what the risk estimate covers, and runs that stop by it."""

from functools import lru_cache

import numpy as np

from ...estimators import QuasiRandomOrder, RandomOrder
from ...estimators.risk import LEVEL, LiftMoments, gaussian_risk, replicate_risk
from ...games import walk
from ...samplers.permutation_sets import QUASI_RANDOM
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from ..limits import bootstrap, clopper_pearson
from .common import FEATURES, claim, exact_games, quick

CHAINS, REGRESSIONS = 256, 8
DRAWS = 500  # of the risk estimate
REPLICATES, ORBITS = 8, 12
BATCH, MOST_BATCHES = 32, 40
QUASI = {"argsort": "sobol", "permutohedron": "permutohedron"}
GOOD = 1.25  # factor up to which an estimated quantile is a good estimate of the true one


def _runs(context: Context) -> int:
    """Runs per regression."""
    return max(10, min(60, context.settings.repetitions // 10))


def lifts_of(kind: str, game, count: int, rng) -> np.ndarray:
    """Lifts (count, d) along independent or quasi-random permutations."""
    d = game.n_players
    if kind in QUASI:
        return walk(game, QUASI_RANDOM[QUASI[kind]](count, d, 1, rng)[0])
    return RandomOrder("uniform").draw(game, count, rng)


@lru_cache(maxsize=1)
def gather_risk(context: Context, estimate=gaussian_risk) -> Evidence:
    """True errors and risk estimates of runs by sampler, on regressions with exact values."""
    rows = []
    for k, (game, truth) in enumerate(exact_games(context, REGRESSIONS)):
        table = quick(game)
        for name in ("mc", *QUASI):
            rng = context.generator("bdb24-12", k, name)
            errors, risks = [], []
            for _ in range(_runs(context)):
                moments = LiftMoments(FEATURES)
                moments.update(lifts_of(name, table, CHAINS, rng))
                errors.append(float(np.linalg.norm(moments.mean - truth)))
                risks.append(estimate(moments, rng, draws=DRAWS).overall)
            rows.append(_row(k, name, errors, risks))
        for name, sampler, units in (
            ("argsort replicates", QuasiRandomOrder("sobol", REPLICATES), REPLICATES),
            ("cyclic orbits", RandomOrder("cyclic"), ORBITS),
        ):
            rng = context.generator("bdb24-12", k, name)
            chains = ORBITS * FEATURES if units == ORBITS else CHAINS
            errors, risks = [], []
            for _ in range(_runs(context)):
                found = sampler.estimate(table, 1 + FEATURES * chains, rng)
                errors.append(float(np.linalg.norm(found.values - truth)))
                risks.append(replicate_risk(found.standard_errors, units).overall)
            rows.append(_row(k, name, errors, risks))
    return {"rows": rows}


def _row(k, name, errors, risks) -> Evidence:
    errors, risks = np.array(errors), np.array(risks)
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


def _coverage(evidence: Evidence, names, alpha: float):
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
    sample = {"runs": sum(row["runs"] for rows in chosen for row in rows)}
    return limits, sample, tuple(row for rows in chosen for row in rows)


def check_monte_carlo(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the coverage is surely not 95 per cent, by more than a hundredth."""
    (limit,), sample, rows = _coverage(evidence, ("mc",), alpha)
    details = {
        "numbers": {"coverage": limit.estimate},
        "limits": (limit,),
        "sample": sample,
        "rows": rows,
    }
    found = f"It covers {show(100 * limit.estimate)} per cent of the runs"
    if limit.high < LEVEL - 0.01 or limit.low > LEVEL + 0.01:
        return Verdict("refuted", f"{found}.", "false", **details)
    if limit.low > LEVEL - 0.05:
        return Verdict("supported", f"{found}, as it should but for sampling.", "sample", **details)
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


def check_replicates(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the coverage is surely below 95 per cent; it may be above."""
    names = ("argsort replicates", "cyclic orbits")
    limits, sample, rows = _coverage(evidence, names, alpha)
    numbers = {f"coverage_{k + 1}": limit.estimate for k, limit in enumerate(limits)}
    details = {"numbers": numbers, "limits": limits, "sample": sample, "rows": rows}
    shares = ", ".join(
        f"{show(100 * limit.estimate)} ({name})" for name, limit in zip(names, limits, strict=True)
    )
    if any(limit.high < LEVEL for limit in limits):
        return Verdict("refuted", f"They cover {shares} per cent.", "false", **details)
    if all(limit.low > LEVEL - 0.05 for limit in limits):
        return Verdict(
            "supported", f"They cover {shares} per cent of the runs.", "sample", **details
        )
    return Verdict(
        "inconclusive", f"They cover {shares} per cent; more runs would tell.", "sample", **details
    )


@lru_cache(maxsize=1)
def gather_stopping(context: Context, estimate=gaussian_risk) -> Evidence:
    """Runs in batches that stop once the risk estimate is below a tolerance."""
    rows = []
    for k, (game, truth) in enumerate(exact_games(context, REGRESSIONS)):
        table, rng = quick(game), context.generator("bdb24-13", k)
        pilot = LiftMoments(FEATURES)
        pilot.update(lifts_of("mc", table, 512, rng))
        # About a fifth of the batches are needed.
        tolerance = float(2 * np.sqrt(np.trace(pilot.covariance) / (BATCH * MOST_BATCHES / 5)))
        within = batches = 0
        for _ in range(_runs(context)):
            moments = LiftMoments(FEATURES)
            for _ in range(MOST_BATCHES):
                moments.update(lifts_of("mc", table, BATCH, rng))
                batches += 1
                if estimate(moments, rng, draws=DRAWS).overall <= tolerance:
                    break
            within += bool(np.linalg.norm(moments.mean - truth) <= tolerance)
        row = {"regression": k + 1, "tolerance": tolerance, "runs": _runs(context)}
        rows.append(row | {"within": within, "batches": batches / _runs(context)})
    return {"rows": rows}


def check_stopping(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when surely fewer than 95 per cent of the stopped runs are within the tolerance."""
    rows = tuple(evidence["rows"])
    runs, within = (sum(row[key] for row in rows) for key in ("runs", "within"))
    limit = clopper_pearson("runs within the tolerance", within, runs, alpha)
    details = {
        "numbers": {"share": limit.estimate},
        "limits": (limit,),
        "sample": {"runs": runs},
        "rows": rows,
    }
    found = f"{show(100 * limit.estimate)} per cent of the stopped runs are within the tolerance"
    if limit.high < LEVEL:
        return Verdict(
            "refuted",
            f"{found}: the risk is looked at after every batch, and the first "
            "look that is small enough counts.",
            "hypothesis",
            **details,
        )
    if limit.low > LEVEL - 0.05:
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
        check=check_monte_carlo,
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
        r"Carlo and of cyclic orbits in at least $95$ of $100$ runs.",
        gather=gather_risk,
        check=check_replicates,
        statistical=True,
        source="this project",
    ),
    claim(
        id="bdb24-13a",
        title="Stopping at a tolerance",
        where="Sections 3.6 and 3.7",
        statement=r"A run stopped when $\hat\sigma$ at $q=0.95$ meets a tolerance is within it in "
        r"$95$ of $100$ runs.",
        gather=gather_stopping,
        check=check_stopping,
        statistical=True,
    ),
)
