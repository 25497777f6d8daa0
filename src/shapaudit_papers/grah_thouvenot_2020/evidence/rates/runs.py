"""Simulated runs of projected SGD on the first explicands of the study's games, for all claims."""

import numpy as np

from shapaudit.estimators import ProjectedSGD
from shapaudit.estimators.many_runs import many_runs
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory import bounds
from shapaudit_papers.theory.constants import Setting, settings_of

CONSTANT_STEP = 0.005  # 0.01 in the authors' public code, which descends F / 2
SHARES = (0.04, 0.2, 1.0)  # of the iterations, where the error is recorded

RULES = {
    "inverse": {"step": "inverse", "average": "weighted"},
    "square root": {"step": "radius", "average": "uniform"},
    "constant": {"step": "constant", "scale": CONSTANT_STEP, "average": "last"},
}
# Kinds of series, with their share of the repetitions: all for claim 11d, which counts rare events.
# Without the ball only the first rule is simulated, the other two being stable (claims 7 and 8).
KINDS = {
    ("inverse", "intersection"): 1.0,
    ("square root", "intersection"): 0.25,
    ("constant", "intersection"): 0.25,
    ("inverse", "hyperplane"): 0.25,
}


def simulated_runs(context: Context) -> tuple[Evidence, ...]:
    """Squared errors (runs, times) per game, explicand, step rule and projection.

    Importance sampling, projection on K with C = max |v(S) - v(empty)| and D = C sqrt(d), or on
    the hyperplane alone.
    """
    return tuple(
        _series(context, study_game.name, explicand, game, truth, *kind)
        for study_game in context.study_games()
        for explicand, (game, truth) in enumerate(
            study_game.explicands(context.settings.simulated_explicands), 1
        )
        for kind in KINDS
        if np.ptp(game.values) > 0
    )


def _series(context, name, explicand, game, truth, rule, projection):
    setting = dict(settings_of(game, truth))["public"]
    sgd = ProjectedSGD(projection=projection, bound=setting.bound, **RULES[rule])
    rng = context.generator("gt20", "runs", name, explicand, rule, projection)
    times = sorted({max(1, round(share * context.settings.iterations)) for share in SHARES})
    budgets = [t + 2 for t in times]
    runs = round(KINDS[rule, projection] * context.settings.repetitions)
    errors = np.square(many_runs(sgd, game, budgets, runs, rng) - truth).sum(axis=-1)
    return {
        "game": name,
        "explicand": explicand,
        "rule": rule,
        "projection": projection,
        "setting": setting,
        "times": times,
        "errors": errors,
    }


def runs_of(context: Context, rules: tuple[str, ...], projection: str) -> list[Evidence]:
    """The series of some step rules under one projection."""
    return [
        series
        for series in context.once(simulated_runs)
        if series["rule"] in rules and series["projection"] == projection
    ]


def printed_bound(rule: str, setting: Setting, steps: int, kappa: float | None = None) -> float:
    """The paper's bound on E ||estimate - phi*||^2, with kappa = B / mu unless given."""
    kappa = setting.kappa if kappa is None else kappa
    if rule == "inverse":
        return bounds.inverse_rate(steps, kappa)
    if rule == "square root":
        return bounds.square_root_rate(steps, kappa, setting.radius)
    implied = kappa * setting.mu  # B, which is all that kappa enters by
    return bounds.constant_rate(steps, CONSTANT_STEP, setting.mu, implied, setting.start)
