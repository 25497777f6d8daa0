"""Evidence on claim 10: Markov's bounds for the three steps, against simulated runs."""

from math import ceil

import numpy as np

from shapaudit.samplers.gradients import gradient_bound, strong_convexity
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory import bounds, sharper
from shapaudit_papers.theory.bounds import markov
from shapaudit_papers.theory.constants import kappa, kappa_printed, norm_ceiling

from ..rates.runs import CONSTANT_STEP, RULES, printed_bound, runs_of
from .printed_deviation import BUDGETS

LEVELS = (0.01, 0.1, 1.0)  # epsilon in units of C^2; the largest squared error on K is added
MULTIPLES = (1.0, 10.0, 100.0)  # epsilon in units of the bound on the mean, without the ball


def _sharper_bound(rule, setting, steps):
    """Return the bound on the mean by the identity of claim 3 instead of strong convexity."""
    if rule == "inverse":
        return sharper.inverse_rate(steps, setting.mu, setting.gradient_bound)
    if rule == "square root":
        return sharper.square_root_rate(steps, setting.mu, setting.radius, setting.gradient_bound)
    return sharper.constant_rate(
        steps, CONSTANT_STEP, setting.mu, setting.gradient_bound, setting.start
    )


def _informative_from(rule, setting, epsilon):
    """Return the first T at which the bound at epsilon is below 1."""
    if rule == "inverse":
        return ceil(printed_bound(rule, setting, 1) / epsilon)
    if rule == "square root":
        return ceil((printed_bound(rule, setting, 1) / epsilon) ** 2)
    noise = CONSTANT_STEP * setting.gradient_bound**2 / setting.mu
    if noise >= epsilon:
        return "never"
    shrinking = np.log((epsilon - noise) / setting.start) / np.log1p(-CONSTANT_STEP * setting.mu)
    return ceil(max(1.0, shrinking))


def _row(record, k, epsilon):
    """Return exceedances of epsilon at the k-th time of a series, with the bounds."""
    setting, t, rule = record["setting"], record["times"][k], record["rule"]
    printed = kappa_printed(setting.n_players, setting.radius, setting.bound)
    return {
        "game": record["game"],
        "explicand": record["explicand"],
        "rule": rule,
        "steps": t,
        "epsilon_over_c2": epsilon / setting.bound**2,
        "exceedances": int((record["errors"][:, k] >= epsilon).sum()),
        "runs": len(record["errors"]),
        "bound": markov(printed_bound(rule, setting, t), epsilon),
        "bound_printed_kappa": markov(printed_bound(rule, setting, t, printed), epsilon),
        "bound_sharper": markov(_sharper_bound(rule, setting, t), epsilon),
        "informative_from": _informative_from(rule, setting, epsilon),
    }


@sampled
def gather_on_ball(context: Context) -> Evidence:
    """Return exceedances of runs on K after all iterations, up to the largest squared error."""
    rows = []
    for series in runs_of(context, tuple(RULES), "intersection"):
        setting = series["setting"]
        levels = {level * setting.bound**2 for level in LEVELS} | {setting.ceiling}
        for epsilon in sorted(level for level in levels if 0 < level <= setting.ceiling):
            rows.append(_row(series, len(series["times"]) - 1, epsilon))
    return {"rows": rows, "experiments": [_at_the_end(*series) for series in BUDGETS]}


def _at_the_end(players, steps, step):
    """Return bounds on the mean after the paper's experiments, in units of C squared.

    D = C sqrt(d). ``start`` is the largest squared error of the equal split over all games
    bounded by C.
    """
    radius, mu = players**0.5, strong_convexity(players)
    start, k = norm_ceiling(players) - 1 / players, kappa(players, radius, 1.0)
    b = gradient_bound(players, radius, 1.0)
    return {
        "players": players,
        "steps": steps,
        "inverse": bounds.inverse_rate(steps, k),
        "square_root": bounds.square_root_rate(steps, k, radius),
        "constant": bounds.constant_rate(steps, float(step), mu, b, start),
        "start": start,
    }


@sampled
def gather_without_ball(context: Context) -> Evidence:
    """Return exceedances of runs on the hyperplane, at multiples of the bound on the mean."""
    rows = []
    for series in runs_of(context, ("inverse",), "hyperplane"):
        for k, t in enumerate(series["times"]):
            mean_bound = printed_bound("inverse", series["setting"], t)
            rows += [_row(series, k, multiple * mean_bound) for multiple in MULTIPLES]
    return {"rows": rows}
