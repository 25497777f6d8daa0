"""Evidence on claim 11e: the deviation bounds that the paper prints.

With A the printed bound on E Z, each is 2 exp(-(epsilon/A - 2)^2 / 16), which is at least 1 where
epsilon/A is at most 5. Of two players with v(M) = 1 and 0 elsewhere, the same one is drawn T times
with probability 2^(1 - T); C = 1 and D = 2.
"""

from collections.abc import Callable
from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

from ..constants.kappa import KAPPA_PRINTED, kappa_by_definition

RADIUS, BOUND = 2, 1
FOLLOWED = 12  # steps of the path; its iterates no longer move from the third on
FACTORS = {"HAL, Section 8.2": 4, "arXiv, Section 4.2": 16}  # of kappa^2 / T
# Players, evaluations and printed constant step of Section 5.2.
BUDGETS = ((16, 32_000, Fraction(1, 100)), (300, 60_000, Fraction(1, 1000)))

Steps = Callable[[int], Fraction]


def inverse_step(t: int) -> Fraction:
    """2 / (mu (t + 1)) with mu = 1/2."""
    return Fraction(4, t + 1)


def one_player_path(step: Steps) -> tuple[list[Fraction], Fraction]:
    """Squared errors of the weighted average, T = 1, 2, ..., and the largest ||phi_t||^2.

    The drawn player's entry x takes the gradient 2 x, of which the projection on K_1 leaves x.
    """
    x = total = Fraction(1, 2)
    errors, largest = [], Fraction(1, 2)
    for t in range(1, FOLLOWED + 1):
        x -= step(t) * x
        total += (t + 1) * x
        largest = max(largest, x * x + (1 - x) ** 2)
        mean = 2 * total / ((t + 1) * (t + 2))
        errors.append(2 * (mean - Fraction(1, 2)) ** 2)
    return errors, largest


def gather_printed(context: Context, step: Steps = inverse_step) -> Evidence:
    """The path, T at which each reading of the bound is compared, and the paper's experiments."""
    errors, largest = one_player_path(step)
    sigma = 2 * (RADIUS + BOUND)  # of claim 5, for d = 2
    kappas = {"B/mu": kappa_by_definition(2) * sigma, "as printed": Fraction(KAPPA_PRINTED * sigma)}
    readings = [
        {"version": version, "kappa": name, "factor": factor * kappa**2}
        for version, factor in FACTORS.items()
        for name, kappa in kappas.items()
    ]
    return {
        "errors": errors,
        "largest_square_norm": largest,
        "square_radius": RADIUS**2,
        "readings": [reading | {"steps": 48 * reading["factor"] ** 2} for reading in readings],
        "experiments": [_quotients(*reading) for reading in BUDGETS],
    }


def _quotients(players, steps, step):
    """Ceilings of epsilon/A for all epsilon up to 4 D^2, whatever C and D: kappa >= 2 d H D."""
    d, harmonic = players, sum(Fraction(1, k) for k in range(1, players))
    return {
        "players": d,
        "steps": steps,
        "inverse": float(steps / (2 * d * harmonic) ** 2),
        "square_root": float(steps**0.5 / float(2 * d * harmonic)),
        "constant": float(1 / (step * d * (d - 1) * harmonic**2)),
    }
