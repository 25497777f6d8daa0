"""k-additive regression: least squares with the interactions of two or three players."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import ClassVar, Literal

import numpy as np
import scipy

from ..progress import duration, logger
from ..samplers.sizes import Sizes
from .base import Card, Names
from .kernel import RANK_TOLERANCE
from .least_squares import StratifiedSample
from .polynomial_krylov import krylov_work
from .polynomial_rows import fit_by_products, fit_by_rows
from .ridge import cross_validated
from .walsh import MAX_TABLE, normal_equations, sets_of_order

MAX_INTERACTIONS = 8192
BY_ROWS = 2048  # interactions from which fewer coalitions are the cheaper side of the regression
RATE, TOLD = 4e10, 2.0  # operations per second, about, and seconds from which they are announced
MOST_DENSE, MOST_WORK = (
    4e11,
    2.4e12,
)  # operations with matrices: where there is a choice, and at all


def dense_work(rows: int, features: int, n_players: int) -> float:
    """Operations, about, of a regression by its matrices; few players have tables for the rows."""
    formed = rows * features**2 if rows >= features and n_players > MAX_TABLE else 0.0
    return 4.0 * min(rows, features) ** 3 + formed


def interaction_free(
    gram: np.ndarray, moment: np.ndarray, sets: Sequence[np.ndarray], n_players: int
) -> tuple[np.ndarray, np.ndarray]:
    """Normal equations once each interaction is rid of its Shapley values.

    Rows and columns are: the constant, the d signs, the interactions ``sets``. From chi_T the mean
    sign of the members of T is subtracted if T is odd, and 1 if it is even. Both differences
    vanish at the empty and the grand coalition, and their Shapley values are zero by symmetry.
    """
    low = n_players + 1
    shares = [np.zeros((low, low))]
    for members in sets:
        share = np.zeros((low, len(members)))
        if members.shape[1] % 2:
            np.put_along_axis(share[1:], members.T, 1.0 / members.shape[1], axis=0)
        else:
            share[0] = 1.0
        shares.append(share)
    share = np.hstack(shares)
    inner = gram[:low] - 0.5 * gram[:low, :low] @ share
    change = np.vstack([share, inner]).T @ np.vstack([inner, share])
    return gram - change, moment - share.T @ moment[:low]


def shrunk(
    gram: np.ndarray,
    moment: np.ndarray,
    ridge: float | None,
    residual: float,
    rows: int,
    floor: float,
) -> np.ndarray:
    """(A + ridge)^-1 b for A (p, p) without its levels below ``floor``.

    Ridge None is chosen by generalised cross-validation; ``residual`` is the weighted sum of
    squares before the fit, with ``rows`` degrees of freedom.
    """
    if ridge is None:
        fitted = cross_validated(gram, moment, residual, rows, floor)
        if fitted is not None:
            return fitted
        ridge = 0.0
    try:
        factor = scipy.linalg.cho_factor(gram + ridge * np.eye(len(gram)), check_finite=False)
        if np.diag(factor[0]).min(initial=np.inf) ** 2 > floor:
            return scipy.linalg.cho_solve(factor, moment, check_finite=False)
    except scipy.linalg.LinAlgError:
        pass
    levels, vectors = scipy.linalg.eigh(gram, check_finite=False)
    kept = levels > floor
    levels, vectors = levels[kept], vectors[:, kept]
    return vectors @ (vectors.T @ moment / (levels + ridge))


@dataclass(frozen=True)
class PolynomialLeastSquares(StratifiedSample):
    """Least squares on the players and their interactions up to an order, from a stratified sample.

    A k-additive game is fitted and its Shapley values returned: kADD-SHAP (Pelegrina, Duarte &
    Grabisch 2023), PolySHAP (Fumagalli, Witter & Musco 2026), both without a ridge. Interactions
    are written free of Shapley values, so these are the linear coefficients alone and the
    interactions only take noise from them; being unpenalised, the linear part keeps the estimate
    consistent whatever becomes of the interactions, and exact once all coalitions are covered.

    In pairs the even interactions cancel: order 2 equals `StratifiedLeastSquares` (PolySHAP's
    theorem on paired sampling), and order 3 fits C(d, 3) interactions only. On k-additive games
    the estimate is exact once the sample has the rank of the features and the ridge is 0 or
    cross-validated. With fewer coalitions the linear part is fitted first, as in
    `solve_efficient`, and the interactions of least norm (or penalty) explain the rest.

    Parameters
    ----------
    order : of the interactions
    sizes, paired, distinct : as in `StratifiedLeastSquares`
    ridge : penalty on the interactions, in coalitions: what so many coalitions of average weight
        add that tell each of them to be zero. None: by generalised cross-validation (Golub, Heath
        & Wahba 1979); 0: none. Without one the error peaks where the coalitions are about as many
        as the features.
    """

    id: ClassVar[str] = "polynomial-least-squares"
    names: ClassVar[Names] = {
        "kADD-SHAP": {"sizes": "kernel", "paired": False, "distinct": True, "ridge": 0.0},
        "PolySHAP": {"ridge": 0.0},
    }

    order: Literal[2, 3] = 3
    sizes: Sizes = "leverage"
    paired: bool = True
    distinct: bool = True
    ridge: float | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for parameters outside their range."""
        super().__post_init__()
        if self.ridge is not None and not self.ridge >= 0:
            raise ValueError(f"{self.id}: ridge must not be negative.")

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        return Card(
            family="least squares",
            definition=f"Shapley values of the {self.order}-additive game fitted by weighted least "
            f"squares to coalitions with {self.sizes} sizes"
            f"{', each joined by its complement' if self.paired else ''}.",
            evaluations="2 m + 2" if self.paired else "m + 2",
            cost=f"O(d^{2 * self.order})",
            source="Pelegrina, Duarte & Grabisch 2023; Fumagalli, Witter & Musco 2026",
            aliases=self.aliases,
            bias="of order 1/m; none once all coalitions are covered",
            efficient=True,
        )

    def _orders(self) -> list[int]:
        return [k for k in range(2, self.order + 1) if k % 2 or not self.paired]

    def check_budget(self, n_players: int, budget: int) -> None:
        """Raise `BudgetTooSmall`, or ValueError for more interactions than can be fitted.

        A fit of more than some seconds is announced to the logger `shapaudit.progress`.
        """
        super().check_budget(n_players, budget)
        interactions = self._interactions(n_players)
        if interactions > MAX_INTERACTIONS:
            raise ValueError(
                f"{self.id}: {n_players} players have {interactions} interactions up to order "
                f"{self.order}, more than {MAX_INTERACTIONS}; choose a lower order or another id."
            )

        rows = (budget - 2) // (1 + self.paired)
        work = dense_work(rows, interactions, n_players)
        if self.ridge is None and work > MOST_DENSE:
            work = krylov_work(rows, n_players, self._orders())
        elif work > MOST_WORK:
            raise ValueError(
                f"{self.id}: {budget} evaluations of {n_players} players take about "
                f"{duration(work / RATE)} with ridge {self.ridge:g}; choose ridge null, fewer "
                "evaluations or another id."
            )
        if work > TOLD * RATE:
            logger.info("%s: about %s for the regression", self.id, duration(work / RATE))

    def _interactions(self, n_players: int) -> int:
        return sum(comb(n_players, k) for k in self._orders())

    def fit(
        self, coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray, total: float
    ) -> np.ndarray:
        """Eliminate the linear part, fit the interactions, and give the rest to the players."""
        m, d = coalitions.shape
        weights = weights / weights.mean()
        interactions = self._interactions(d)
        large = self.ridge is None and dense_work(m, interactions, d) > MOST_DENSE
        if large or max(m, BY_ROWS) < interactions:
            signs, start = np.where(coalitions, 1.0, -1.0), 0.5 * total / d
            deviations = rewards - 0.5 * total - start * signs.sum(axis=1)
            seen = signs, weights, deviations, self._orders()
            if large:
                return 2.0 * (start + fit_by_products(*seen, RANK_TOLERANCE))
            return 2.0 * (start + fit_by_rows(*seen, self.ridge, RANK_TOLERANCE))
        sets = [sets_of_order(k, d) for k in self._orders()]
        everything = [sets_of_order(0, d), sets_of_order(1, d), *sets]
        # The constant has the coefficient total/2, by v(empty) and v(grand).
        rewards = rewards - 0.5 * total
        gram, moment = normal_equations(everything, coalitions, weights, rewards)
        gram, moment = interaction_free(gram, moment, sets, d)
        start = 0.5 * total / d
        gram, moment = gram[1:, 1:], moment[1:] - start * gram[1 : d + 1, 1:].sum(axis=0)
        centring = np.eye(d) - 1.0 / d
        inverse = np.linalg.pinv(
            centring @ gram[:d, :d] @ centring, rcond=RANK_TOLERANCE, hermitian=True
        )
        level, slopes = inverse @ moment[:d], inverse @ gram[:d, d:]
        deviations = rewards - start * (2.0 * coalitions.sum(axis=1) - d)
        coefficients = shrunk(
            gram[d:, d:] - gram[d:, :d] @ slopes,
            moment[d:] - moment[:d] @ slopes,
            self.ridge,
            residual=weights @ np.square(deviations) - moment[:d] @ level,
            rows=m - (d - 1),
            floor=RANK_TOLERANCE * m,
        )
        return 2.0 * (start + level - slopes @ coefficients)
