"""Evidence on claim 13: runs that stop once the risk estimate is small enough."""

import numpy as np

from shapaudit.estimators import RandomOrder
from shapaudit.estimators.risk import LiftMoments
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import FEATURES, exact_games, quick
from .risk import REGRESSIONS, quick_risk, runs_of

BATCH, MOST_BATCHES = 32, 40
WALKS = RandomOrder("uniform")


@sampled
def gather_stopping(context: Context, estimate=quick_risk) -> Evidence:
    """Runs in batches that stop once the risk estimate is below a tolerance."""
    rows = []
    for k, (game, truth) in enumerate(context.once(exact_games, REGRESSIONS)):
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
