"""Exact Shapley values by quadrature of a game's multilinear extension."""

import numpy as np
import scipy

from ..games.base import Game
from ..games.simulated import ProductGame
from ..games.tabular import TabularGame, tabulate
from .base import Truth


def product_shapley(game: ProductGame) -> Truth:
    """Shapley values of v(S) = prod_{j in S} present_j prod_{j not in S} absent_j - offset.

    With f_j(q) = (1 - q) absent_j + q present_j, the multilinear extension on the diagonal
    gives (Owen 1972, Management Science 18(5))

        phi_i = int_0^1 (present_i - absent_i) prod_{j != i} f_j(q) dq.

    The integrand is a polynomial of degree d - 1, so Gauss-Legendre with ceil(d / 2) nodes is exact
    up to rounding. Every factor is positive: products are formed from logarithms, and no term of
    the sum cancels another, at any d. Costs d^2 / 2 logarithms and exponentials.
    """
    nodes, weights = scipy.special.roots_legendre((game.n_players + 1) // 2)
    q = 0.5 * (nodes[:, None] + 1)
    logs = np.log((1 - q) * game.absent + q * game.present)
    others = np.exp(logs.sum(axis=1, keepdims=True) - logs)
    steps = game.present - game.absent
    return Truth(0.5 * steps * (weights @ others), "exact", "multilinear")


def diagonal_shapley(game: Game) -> Truth:
    """Shapley values of any game of few players, from the slopes of its multilinear extension.

    Player i's mean contribution e_i(q) to a coalition that each other player joins with probability
    q is the partial derivative of the extension at (q, ..., q), a polynomial of degree d - 1 in q
    (Owen 1972; Okhrati & Lipani 2021, Equations 2 and 3): ceil(d / 2) Gauss-Legendre nodes are
    exact up to rounding. At each, the table is contracted player by player. Theta(d 2^d) in all;
    nothing is shared with enumeration but the table.
    """
    values = game.values if isinstance(game, TabularGame) else tabulate(game).values
    d = game.n_players
    nodes, weights = scipy.special.roots_legendre((d + 1) // 2)
    q = 0.5 * (nodes[:, None] + 1)
    shapley, table = np.empty(d), np.broadcast_to(values, (len(nodes), len(values)))
    for player in range(d):
        absent, present = table[:, 0::2], table[:, 1::2]
        slopes = present - absent
        while slopes.shape[1] > 1:
            slopes = (1 - q) * slopes[:, 0::2] + q * slopes[:, 1::2]
        shapley[player] = 0.5 * weights @ slopes[:, 0]
        table = (1 - q) * absent + q * present
    return Truth(shapley, "exact", "diagonal")
