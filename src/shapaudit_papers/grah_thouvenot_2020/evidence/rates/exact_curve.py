"""Evidence on claim 6e: simulated runs of projected SGD against the exact expectation.

The exact curves use the steps, sizes and averages of `theory`, the runs those of the estimator.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from shapaudit.estimators import ProjectedSGD
from shapaudit.estimators.many_runs import many_runs
from shapaudit.samplers import projected_gradient_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory import bounds
from shapaudit_papers.theory.constants import Setting, settings_of
from shapaudit_papers.theory.default_step import default_sizes
from shapaudit_papers.theory.recursion import (
    contracting_steps,
    expected_squared_errors,
    inverse_steps,
    square_root_steps,
)

from .runs import CONSTANT_STEP

NO_BOUND = "none"
TIMES, SPAN = 5, 25  # numbers of steps per series, and the last over the first


class StepRule(NamedTuple):
    """A step rule: as the estimator takes it, and what theory says of it.

    Attributes
    ----------
    params : of `ProjectedSGD`
    sizes : d to the size distribution (d - 1,)
    steps : d and T to the steps (T,)
    bound : constants and T to the paper's bound on the expected squared error; None without one
    length : steps, over the iterations of the settings
    share : of the repetitions of the settings
    batch_per_player : coalitions per step over d; 0 for one coalition
    """

    params: Mapping[str, Any]
    sizes: Callable[[int], np.ndarray]
    steps: Callable[[int, int], np.ndarray]
    bound: Callable[[Setting, np.ndarray], np.ndarray] | None
    length: float
    share: float
    batch_per_player: int = 0


# With one coalition per step the first rule diverges for a while (claim 6c), and its expectation
# rests on rare runs; batches of 2 d, to which its bound applies as well, keep it stable. The
# constant step soon stops gaining: its runs are short. Coalitions of large value that are rarely
# drawn make the errors of the second and third rule skewed: they get more runs.
RULES = {
    "inverse": StepRule(
        {"step": "inverse", "average": "weighted"},
        default_sizes,
        inverse_steps,
        lambda setting, t: bounds.inverse_rate(t, setting.kappa),
        length=0.25,
        share=0.2,
        batch_per_player=2,
    ),
    "square root": StepRule(
        {"step": "radius", "average": "uniform"},
        default_sizes,
        lambda d, count: square_root_steps(d, d**0.5, count),
        lambda setting, t: bounds.square_root_rate(t, setting.kappa, setting.radius),
        length=8,
        share=0.3,
    ),
    "constant": StepRule(
        {"step": "constant", "scale": CONSTANT_STEP, "average": "last"},
        default_sizes,
        lambda d, count: np.full(count, CONSTANT_STEP),
        lambda setting, t: bounds.constant_rate(
            t, CONSTANT_STEP, setting.mu, setting.gradient_bound, setting.start
        ),
        length=2,
        share=0.2,
    ),
    "contracting": StepRule(
        {"sampling": "projected", "step": "contracting", "average": "last"},
        projected_gradient_sizes,
        contracting_steps,
        None,
        length=8,
        share=0.15,
    ),
}


@sampled
def gather(context: Context, rules: Mapping[str, StepRule] = RULES) -> Evidence:
    """Errors (runs, times) and exact values, means over each game's first explicands, in C squared.

    A run is one of every explicand: means over explicands are less skewed than the errors of one.
    """
    series = []
    for study_game in context.study_games():
        explicands = [
            (number, game, truth)
            for number, (game, truth) in enumerate(
                study_game.explicands(context.settings.simulated_explicands), 1
            )
            if np.ptp(game.values) > 0
        ]
        for name, rule in rules.items() if explicands else ():
            longest = max(1, round(rule.length * context.settings.iterations))
            first = max(1, longest // SPAN)
            times = np.unique(np.geomspace(first, longest, TIMES).round().astype(int))
            runs = max(2, round(rule.share * context.settings.repetitions))
            all_series = []
            for number, game, truth in explicands:
                rng = context.generator("gt20", "exact curve", study_game.name, number, name)
                all_series.append(_one_explicand(game, truth, rule, times, runs, rng))
            errors, exact, bound = (
                np.mean(parts, axis=0) for parts in zip(*all_series, strict=True)
            )
            series.append(
                {"game": study_game.name, "explicands": len(explicands), "rule": name}
                | {"times": times.tolist(), "errors": errors, "exact": exact}
                | {"bounds": bound.tolist() if rule.bound else [NO_BOUND] * len(times)}
            )
    return {"series": series}


def _one_explicand(game, truth, rule, times, runs, rng):
    """Errors (runs, times), exact values (times,), bounds (times,), in units of C squared."""
    d = len(truth)
    setting = dict(settings_of(game, truth))["public"]
    batch = max(1, rule.batch_per_player * d)
    sgd = ProjectedSGD(batch=batch, **rule.params)
    budgets = (2 + batch * times).tolist()
    errors = np.square(many_runs(sgd, game, budgets, runs, rng) - truth).sum(axis=-1)
    steps, average = rule.steps(d, times[-1]), rule.params["average"]
    exact = expected_squared_errors(game.values, truth, rule.sizes(d), steps, average, batch)
    bound = rule.bound(setting, times) if rule.bound else np.zeros(len(times))
    return tuple(np.asarray(part) / setting.bound**2 for part in (errors, exact[times], bound))
