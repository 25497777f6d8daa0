"""Evidence on claim 4, continued: what the bias of the grid amounts to, and a grid without."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from shapaudit.samplers.quadrature import plan, quadrature_rule
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory import multilinear

from .common import SAMPLES, TRIALS, printed_explicands

PLAYERS = 10  # of the random games: as many as the diabetes data have
PRINTED = "printed explicand"  # in the label of such a game
LARGEST_GAME = 12  # players of the study's games that are looked at
ADDITIVE = 1e-10  # distance to an additive game, of the largest value, that is rounding
# The published methods on a grid: whether pairs are drawn, and evaluations per draw (and player).
METHODS = {
    "ME": lambda d: (False, d + 1),
    "ME-ANTI": lambda d: (True, 2 * d + 2),
    "MEF": lambda d: (False, 2 * d),
    "MEF-ANTI": lambda d: (True, 4 * d),
}


def tables(context: Context) -> Iterator[tuple[str, np.ndarray]]:
    """Yield random normal games of `PLAYERS` players, small study games and the paper's own.

    Additive games are left out: they have neither bias nor variance, and rounding errors of the
    one divided by those of the other are another number on each processor.
    """
    for name, values in _every_table(context):
        if not _is_additive(values):
            yield name, values


def _every_table(context: Context) -> Iterator[tuple[str, np.ndarray]]:
    for k in range(context.settings.random_games):
        yield f"random {k + 1}", context.generator("ccll23-04", k).standard_normal(1 << PLAYERS)
    for study_game in context.games:
        if study_game.n_players <= LARGEST_GAME:
            explicands = study_game.explicands(context.settings.simulated_explicands)
            for k, (game, _) in enumerate(explicands):
                yield f"{study_game.name} {k + 1}", game.values
    for name, values in printed_explicands(context).items():
        if len(values) <= 1 << LARGEST_GAME:
            yield f"{name} {PRINTED}", values


def _is_additive(values: np.ndarray) -> bool:
    """Whether every value (2^d,) is that of no player and what each player adds alone."""
    bits = 1 << np.arange(len(values).bit_length() - 1)
    members = (np.arange(len(values))[:, None] & bits) > 0
    left = values - values[0] - members @ (values[bits] - values[0])
    return bool(np.abs(left).max() <= ADDITIVE * np.abs(values).max())


def gather_trials(context: Context, rule: str = "equal") -> Evidence:
    """Return squared bias and variance of grids at the published numbers of samples, exactly."""
    rows = []
    for (name, values), method in product(tables(context), METHODS):
        d = len(values).bit_length() - 1
        paired, cost = METHODS[method](d)
        for samples in SAMPLES[:4]:
            grid, counts = plan(rule, samples // cost, d, paired)
            squared = float(np.square(multilinear.bias(values, grid, paired)).sum())
            variance = float(multilinear.variance(values, grid, counts, paired).sum())
            row = {"game": name, "players": d, "method": method, "samples": samples}
            row |= {"levels": len(counts), "squared_bias": squared, "variance": variance}
            rows.append(row | {"bias_over_trial_noise": TRIALS * squared / variance})
    return {"rows": rows}


def gather_rules(
    context: Context, nodes: Callable[[int], int] = lambda d: (d + 1) // 2
) -> Evidence:
    """Return the largest bias of each rule with ceil(d/2) levels on games in [0, 1]."""
    rows = []
    for d in range(3, context.settings.max_exact_dimension + 1):
        levels = max(nodes(d), 2)
        row: Evidence = {"players": d, "levels": levels}
        for name in ("equal", "trapezoid", "midpoint", "gauss-legendre"):
            law = multilinear.size_law(quadrature_rule(name, levels), d)
            row[name] = float(np.abs(law - 1 / d).sum())
        rows.append(row)
    return {"rows": rows}
