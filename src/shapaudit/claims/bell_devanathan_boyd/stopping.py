"""Claim 13: runs that stop once the risk estimate is small enough."""

from functools import lru_cache

import numpy as np

from ...estimators import RandomOrder
from ...estimators.risk import LEVEL, LiftMoments
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from ..limits import clopper_pearson
from .common import FEATURES, claim, exact_games, quick
from .risk import REGRESSIONS, norm_risk, runs_of

BATCH, MOST_BATCHES = 32, 40
WALKS = RandomOrder("uniform")


@lru_cache(maxsize=1)
def gather_stopping(context: Context, estimate=norm_risk) -> Evidence:
    """Runs in batches that stop once the risk estimate is below a tolerance."""
    rows = []
    for k, (game, truth) in enumerate(exact_games(context, REGRESSIONS)):
        table, rng = quick(game), context.generator("bdb24-13", k)
        pilot = LiftMoments(FEATURES)
        pilot.update(WALKS.draw(table, 512, rng))
        # About a fifth of the batches are needed.
        tolerance = float(2 * np.sqrt(np.trace(pilot.covariance) / (BATCH * MOST_BATCHES / 5)))
        within = batches = 0
        for _ in range(runs_of(context)):
            moments = LiftMoments(FEATURES)
            for _ in range(MOST_BATCHES):
                moments.update(WALKS.draw(table, BATCH, rng))
                batches += 1
                if estimate(moments, rng) <= tolerance:
                    break
            within += bool(np.linalg.norm(moments.mean - truth) <= tolerance)
        row = {"regression": k + 1, "tolerance": tolerance, "runs": runs_of(context)}
        rows.append(row | {"within": within, "batches": batches / runs_of(context)})
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
