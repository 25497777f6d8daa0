"""Evidence on claim 6c: projected SGD and KernelSHAP on the explicand of the paper's own tables."""

import numpy as np

from shapaudit.estimators import KernelSHAP
from shapaudit.estimators.sgd import default_rule
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import SAMPLES, TRIALS, printed_errors

DATA = "diabetes"
GAME = "chen-diabetes"  # ten trees, as in the public code; its first explicand is the printed one
PRINTED = "the printed explicand"
EQUAL, KERNEL, DEFAULT = "equal split", "KernelSHAP", "default step"
METHODS = {KERNEL: KernelSHAP(), DEFAULT: default_rule()}
COLUMNS = {KERNEL: "LS", DEFAULT: "LS_SGD"}
BUDGETS = SAMPLES[:4]  # 500 to 10,000 samples


@sampled
def gather_printed(context: Context) -> Evidence:
    """Return errors (trials, methods, budgets) on the paper's explicand by kind and d.

    The first method is the equal split. Beside them are the mean squared errors of the tables
    by method and samples. In a study without the paper's game the runs are on its first game,
    which decides nothing.
    """
    own = {study.name: study for study in context.own}
    study = own.get(GAME) or context.study_games()[0]
    game, truth = next(study.explicands(1))
    rng = context.generator("ccll23-06c")
    runs = [_errors(game, truth, rng) for _ in range(TRIALS)]
    kind = PRINTED if GAME in own else study.name
    printed = printed_errors(context)
    return {
        "errors": {(kind, game.n_players): np.array(runs)},
        "methods": [EQUAL, *METHODS],
        "samples": list(BUDGETS),
        "printed": {
            method: [printed[DATA, column, n] for n in BUDGETS]
            for method, column in COLUMNS.items()
        },
    }


def _errors(game, truth, rng):
    equal = np.linalg.norm(truth - truth.mean())
    return [[equal] * len(BUDGETS)] + [
        [
            np.linalg.norm(estimate.values - truth)
            for estimate in method.trajectory(game, BUDGETS, rng)
        ]
        for method in METHODS.values()
    ]
