"""Evidence on claim 20: the Shapley values of the radial regression at d = 300."""

import numpy as np

from shapaudit.games import RadialGame, grand_value
from shapaudit.truth import product_shapley
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory.radial import expected_logarithms

DIMENSIONS = (16, 50, 100, 200, 300)


def _explicand(n_players, rng):
    game = RadialGame(*rng.standard_normal((2, n_players)))
    return {
        "log_norm": np.log(np.linalg.norm(product_shapley(game).values)),
        "log_total": np.log(abs(grand_value(game))),
    }


@sampled
def gather_radial(context: Context) -> Evidence:
    """Return logarithms of norms and of sums of the exact values of independent explicands."""
    series = {}
    for d in DIMENSIONS:
        rng = context.generator("gt20-20", d)
        drawn = [_explicand(d, rng) for _ in range(context.settings.radial_explicands)]
        series[d] = {key: np.array([row[key] for row in drawn]) for key in drawn[0]}
    rate, rate_values = expected_logarithms()
    return {"series": series, "rate": rate, "rate_values": rate_values}
