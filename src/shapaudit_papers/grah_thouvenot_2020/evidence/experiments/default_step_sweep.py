"""Evidence on claims 18d and 18e: projected SGD against KernelSHAP, its step at fault or not.

Chen, Covert, Lundberg & Lee 2023, Section 5.2.1 and Appendix A.2, find KernelSHAP consistently
ahead of SGD-Shapley, run with the default step of its authors' code.
"""

from collections.abc import Callable

import numpy as np

from shapaudit.estimators import KernelSHAP, PairedKernelSHAP, ProjectedSGD
from shapaudit.estimators.sgd import default_rule
from shapaudit.games import Game, empty_value, grand_value
from shapaudit.samplers.random_games import sparse_game, threshold_game
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth import cyclic_reference
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory.default_step import default_sizes
from shapaudit_papers.theory.recursion import stability_limit

from ..rates.default_step import published

DIMENSIONS = (10, 30, 79, 280)  # all but 30 are those of the benchmark
PER_PLAYER = (20, 60)  # evaluations
SHUFFLES = 512  # give a threshold game's values; runs err five times as much, or more
EQUAL, KERNEL, PAIRED_KERNEL = "equal split", "KernelSHAP", "paired KernelSHAP"
DEFAULT = "default step"
# By claim: projected SGD, and what it is compared with.
FIXED = {
    DEFAULT: KERNEL,
    "half the limit, 1/sqrt(t)": KERNEL,
    "half the limit, constant": KERNEL,
}
FREE = {"nothing to tune": KERNEL, "nothing to tune, paired": PAIRED_KERNEL}


def estimators(n_players: int) -> dict:
    """Return the estimators by name; a step at half the limit has this value at t = 1."""
    half = stability_limit(default_sizes(n_players)) / 2
    root, constant = list(FIXED)[1:]
    free, free_paired = FREE
    contracting = {"sampling": "projected", "step": "contracting", "average": "last"}
    return {
        KERNEL: KernelSHAP(),
        PAIRED_KERNEL: PairedKernelSHAP(),
        DEFAULT: default_rule(),
        root: ProjectedSGD(step="inverse-sqrt", scale=half, average="uniform"),
        constant: ProjectedSGD(step="constant", scale=half, average="uniform"),
        free: ProjectedSGD(**contracting),
        free_paired: ProjectedSGD(**contracting, paired=True),
    }


def _sparse(n_players, rng):
    game = sparse_game(n_players, rng)
    return game, game.shapley_values()


def _threshold(n_players, rng):
    game = threshold_game(n_players, rng)
    return game, cyclic_reference(game, rng, SHUFFLES).values


# A game with its Shapley values, from the number of players; the second kind as in the paper's
# classification, 1 beyond a threshold that explicand and baseline lie on either side of.
KINDS: dict[str, Callable[[int, np.random.Generator], tuple[Game, np.ndarray]]] = {
    "sparse interactions": _sparse,
    "threshold": _threshold,
}


@sampled
def gather_sweep(context: Context) -> Evidence:
    """Return errors (games, methods, budgets) by kind and d; the first method is the equal split.

    Beside them are the published squared errors of both methods, LS and LS_SGD, by column.
    """
    settings = context.settings
    least = max(MINIMUM_UNITS, settings.interaction_games // 10)
    errors = {}
    for kind, draw in KINDS.items():
        for d in [d for d in DIMENSIONS if d <= settings.generated_players]:
            rng = context.generator("gt20-18d", kind, d)
            # Games of few players differ more from each other, and cost less.
            count = least * max(1, 75 // d)
            errors[kind, d] = np.array([_errors(*draw(d, rng), rng) for _ in range(count)])
    methods = [EQUAL, *estimators(DIMENSIONS[0])]
    return {"errors": errors, "methods": methods, "printed": published(context).to_dict("records")}


def _errors(game, truth, rng):
    d = game.n_players
    budgets = [per_player * d for per_player in PER_PLAYER]
    equal = np.linalg.norm(truth - (grand_value(game) - empty_value(game)) / d)
    return [[equal] * len(budgets)] + [
        [
            np.linalg.norm(estimate.values - truth)
            for estimate in estimator.trajectory(game, budgets, rng)
        ]
        for estimator in estimators(d).values()
    ]
