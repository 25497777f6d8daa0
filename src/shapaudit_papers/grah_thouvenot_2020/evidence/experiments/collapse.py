"""Evidence on claim 20: the Shapley values of the radial regression at d = 300."""

import numpy as np

from shapaudit.estimators import OptimisedMonteCarlo
from shapaudit.games import RadialGame, grand_value
from shapaudit.truth import product_shapley
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory.radial import expected_logarithms

DIMENSIONS = (16, 50, 100, 200, 300)
BUDGET = 200  # evaluations per player in the paper's experiment at d = 300


def _explicand(n_players, walked, rng):
    game = RadialGame(*rng.standard_normal((2, n_players)))
    values = product_shapley(game).values
    norm = float(np.linalg.norm(values))
    explicand = {
        "log_norm": np.log(norm),
        "log_total": np.log(abs(grand_value(game))),
        "residual": abs(values.sum() - grand_value(game)) / np.abs(values).sum(),
    }
    if walked:
        walk = OptimisedMonteCarlo().estimate(game, BUDGET * n_players, rng)
        explicand["relative_error"] = float(np.linalg.norm(walk.values - values)) / norm
    return explicand


@sampled
def gather_radial(context: Context) -> Evidence:
    """Return exact values of independent random explicands, and walks on a tenth of them."""
    explicands = context.settings.radial_explicands
    series = {}
    for d in DIMENSIONS:
        rng = context.generator("gt20-20", d)
        drawn_explicands = [
            _explicand(d, k < max(10, explicands // 10), rng) for k in range(explicands)
        ]
        series[d] = {
            key: np.array([explicand[key] for explicand in drawn_explicands if key in explicand])
            for key in ("log_norm", "log_total", "residual", "relative_error")
        }
    rate, rate_values = expected_logarithms()
    return {"series": series, "rate": rate, "rate_values": rate_values}
