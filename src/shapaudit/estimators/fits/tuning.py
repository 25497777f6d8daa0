"""Choice of the hyperparameters of a process, and of its interaction terms.

The relevances and the first variances are those of the largest posterior density (`likelihood`).
MacKay's fixed-point steps change the variances afterwards, beside interaction terms too, which
score tests propose (`screening`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import scipy

from .kriging import Kriging, Observations, Sets
from .likelihood import Hyper, most_likely
from .mackay import change
from .screening import asked_for, asked_of_trees, looks_at_all

ROWS = 200  # on which hyperparameters are chosen, or two fifths if more, and one more per player
STEPS = (4, 4)  # of the search, before and after the weights of the joint features are updated
FEW_STEPS = (6, 8)  # the same where the rows are so few that all are used
ROUNDS = 3  # of screening for interaction terms
LEAST_NOISE = 1e-12
SETTLING = 6  # iterations, at most
UNSETTLED = 0.03  # share of the joint features, below which their weights do not matter
SETTLED = 0.2, 1e-6  # tolerances for the slopes: in their least standard error, and in their norm


def evenly(count: int, most: int) -> np.ndarray:
    """At most ``most`` of ``count`` rows, evenly spaced, always with the last one."""
    return np.unique(np.linspace(0, count - 1, min(most, count)).astype(int))


def tuned(rows: Observations) -> Hyper:
    """Hyperparameters from a subset of the rows; the weights of the joint features are updated."""
    n, d = rows.signs.shape
    few = rows.part(evenly(n, max(ROWS, 2 * n // 5) + d))
    additive = scipy.linalg.lstsq(few.signs, few.values, lapack_driver="gelsy", check_finite=False)[
        0
    ]
    scale = (few.values - few.signs @ additive).std() or 1.0
    first, second = FEW_STEPS if len(few.values) == n else STEPS
    fewer = few.part(evenly(len(few.values), ROWS // 2 + d))
    hyper, point = most_likely(fewer.signs, fewer.values / scale, fewer.noises, additive, first)
    slopes = Kriging(few, hyper).slopes
    hyper, _ = most_likely(few.signs, few.values / scale, few.noises, slopes, second, point)
    return hyper


def reweighted(fit: Kriging) -> tuple[Hyper, Sets]:
    """Variances after one of MacKay's steps towards the largest likelihood.

    At a maximum the square of z'dual equals its expectation for every feature z (MacKay 1992).
    """
    hyper, sets, noises, dual = fit.hyper, fit.sets, fit.rows.noises, fit.dual
    explained = np.square(fit.products @ dual) / fit.scale
    known, known_joint, expected_noise = fit.expected()
    variances = sets.variances * change(explained, known)
    noisy = noises @ np.square(dual) / fit.scale
    joint = np.square(fit.joint @ dual).sum() / fit.scale
    # The quadratic form of P V and its trace are n - d: the remainder belongs to the other sets.
    alone, expected = (
        len(dual)
        - len(fit.slopes)
        - hyper.noise * noise
        - hyper.joint * shared
        - sets.variances @ own
        for noise, shared, own in (
            (noisy, joint, explained),
            (expected_noise, known_joint, known),
        )
    )
    changed = replace(
        hyper,
        noise=max(hyper.noise * float(change(noisy, expected_noise)), LEAST_NOISE),
        joint=hyper.joint * float(change(joint, known_joint)),
        interactions=hyper.interactions * float(change(max(alone, 0.0), expected)),
    )
    return changed, Sets(sets.members, variances)


def settled(fit: Kriging) -> Kriging:
    """Iterate until the weights of the joint features equal the fitted slopes.

    The process is returned as it is where these features are a small part of the interactions.
    """
    for _ in range(SETTLING):
        if fit.joint_share() < UNSETTLED:
            break
        size = max(float(np.linalg.norm(fit.slopes)), 1e-300)
        weights = fit.slopes / size
        moved = np.abs(weights - fit.hyper.weights).max() * size
        enough = max(SETTLED[0] * fit.least_slope_error(), SETTLED[1] * size)
        if moved < enough:
            break
        fit = fit.changed(replace(reweighted(fit)[0], weights=weights), fit.sets)
    return fit


def with_sets(fit: Kriging, rounds: int = ROUNDS) -> Kriging:
    """Add interaction terms with variances of their own while the data support them.

    Where all sets are screened, a round that finds a single one is the last.
    """
    fit = _joined(fit, *asked_of_trees(fit))
    for _ in range(rounds):
        wanted, variances = asked_for(fit)
        if not wanted:
            break
        fit = _joined(fit, wanted, variances)
        if len(variances) == 1 and looks_at_all(fit):
            break
    return fit.changed(*reweighted(fit)) if fit.sets.members else fit


def _joined(fit: Kriging, members: Sequence[np.ndarray], variances: np.ndarray) -> Kriging:
    """The process with further interaction terms, after one step of `reweighted`."""
    if not members:
        return fit
    hyper, sets = reweighted(fit)
    return fit.changed(hyper, sets.joined(members, variances))
