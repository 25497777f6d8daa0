"""What the claims of this paper share: where they are printed, its loops and games."""

from collections.abc import Iterator

import numpy as np

from shapaudit.samplers.random_games import KINDS, draw_varying
from shapaudit_audit.audit.context import Context
from shapaudit_papers.theory.grids import Grid

SAMPLES, DRAWS = 2000, 2  # of Table I: M_c = Q M, with M = 2
PLAYERS = 9  # of the analytic games: odd, so that a majority has no even part
EXPLICANDS = 20  # of a perceptron of the paper's kind, whose errors are computed exactly
LARGEST_GAME = 16  # players of the study's games that are looked at


def algorithm_1(q: int) -> Grid:
    """Levels 0, 1/Q, ..., 1 of Algorithm 1, divided by Q as in its line 11."""
    return Grid(range(q + 1), q, [1] * (q + 1), q)


def algorithm_2(q: int) -> Grid:
    """Levels 0, 1/Q, ... up to 1/2 of Algorithm 2, each with 1 - q, divided by Q (line 13)."""
    return _both(range(q // 2 + 1), q)


def appendix_sum(q: int) -> Grid:
    """The estimator at the end of Appendix A, whose sum begins at i = 1."""
    return _both(range(1, q // 2 + 1), q)


def _both(half: range, q: int) -> Grid:
    nodes = [*half, *(q - k for k in half)]
    return Grid(nodes, q, [1] * len(nodes), q)


def perceptrons(context: Context) -> Iterator[tuple[str, np.ndarray]]:
    """The first explicands of each perceptron of the paper's kind, scaled to spread 1."""
    for study in context.own:
        for game, _ in study.explicands(EXPLICANDS):
            if np.ptp(game.values) > 0:
                yield study.name, game.values / game.values.std()


def tables(context: Context) -> Iterator[tuple[str, np.ndarray]]:
    """One game of each analytic kind and some games of the study, all scaled to spread 1."""
    for name, draw in KINDS.items():
        yield name, draw_varying(draw, PLAYERS, context.generator("ol21", name))
    for study in context.games:
        if study.n_players <= LARGEST_GAME:
            for k, (game, _) in enumerate(study.explicands(context.settings.simulated_explicands)):
                if np.ptp(game.values) > 0:
                    yield f"{study.name} {k + 1}", game.values / game.values.std()
