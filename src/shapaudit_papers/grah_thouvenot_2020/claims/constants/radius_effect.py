"""Claims 4g and 4h: what the choice of D does to the bounds, and what to the algorithm.

On the hyperplane, importance sampling depends on D/C through its size distribution alone: a mixture
of the one proportional to 1/(d - l), as D grows, and to 1/(sqrt(l) (d - l)), as D falls to 0. The
step 2 D/(B sqrt(t)) depends on D/C besides.
"""

import numpy as np

from shapaudit.samplers.gradients import gradient_bound, importance_sizes, strong_convexity
from shapaudit.statistics.limits import median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict
from shapaudit_papers.theory import bounds
from shapaudit_papers.theory.constants import kappa

from ...evidence.constants.radius_effect import EFFECTS, GRID, STEPS, gather
from ...evidence.rates.settings import RECURSION_ROUNDING
from ..common import claim, required

PUBLIC = len(GRID) // 2
NO_VALUES = "no game of the study has Shapley values other than zero."
LEAST_GROWTH, LARGEST_CHANGE = 1_000, 2


def admissible(pair: Evidence, effect: str) -> np.ndarray:
    """Return an effect at the least D that holds phi*, and at all larger values of the `GRID`."""
    return np.concatenate([pair[effect][:1], pair[effect][1:][pair["least"] <= GRID]])


def _growth(pair):
    """Return by which factor 4 kappa^2/T grows from the least D to the largest."""
    d = pair["players"]
    ends = (kappa(d, ratio * d**0.5, 1.0) for ratio in (GRID[-1], pair["least"]))
    return float(np.divide(*ends) ** 2)


def _rows(pairs):
    """Per game and D/(C sqrt(d)): constants, bounds after `STEPS` steps, and ranges over pairs."""
    rows = []
    for game in dict.fromkeys(pair["game"] for pair in pairs):
        members = [pair for pair in pairs if pair["game"] == game]
        d = members[0]["players"]
        least = np.array([pair["least"] for pair in members])
        for k, ratio in enumerate(GRID, start=1):
            radius = ratio * d**0.5
            sizes, k_value = importance_sizes(d, radius), kappa(d, radius, 1.0)
            row = {"game": game, "players": d, "pairs": len(members), "radius": ratio}
            row |= {"smallest_least": least.min(), "largest_least": least.max()}
            row |= {"mu": strong_convexity(d), "kappa": k_value}
            row |= {"gradient_bound": gradient_bound(d, radius, 1.0)}
            row |= {"first_size": sizes[0], "last_size": sizes[-1]}
            row |= {"inverse_bound": bounds.inverse_rate(STEPS, k_value)}
            row |= {"square_root_bound": bounds.square_root_rate(STEPS, k_value, radius)}
            row |= {
                f"median_{name}": np.median([pair[name][k] for pair in members]) for name in EFFECTS
            }
            for name in EFFECTS:
                ratios = [pair[name][k] / pair[name][1 + PUBLIC] for pair in members]
                row |= {
                    f"{word}_{name}_ratio": f(ratios)
                    for word, f in (("smallest", min), ("median", np.median), ("largest", max))
                }
            rows.append(row)
    return tuple(rows)


def _changes(pairs):
    """Return the factors (pairs,) by which each effect changes over the admissible D."""
    logarithms = {
        name: np.array([np.ptp(np.log(admissible(pair, name))) for pair in pairs])
        for name in EFFECTS
    }
    return {name: np.exp(change) for name, change in logarithms.items()}


def check_effect(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a pair whose bound grows less than `LEAST_GROWTH`-fold, or with a second moment
    that changes more than `LARGEST_CHANGE`-fold; else exact for these games.
    """
    pairs = required(evidence["pairs"], NO_VALUES)
    growth, changes = np.array([_growth(pair) for pair in pairs]), _changes(pairs)
    moments = np.maximum(changes["moment"], changes["moment_at_start"])
    constant, root = changes["constant"].max(), changes["square_root"].max()
    broken = (growth < LEAST_GROWTH) | (moments > LARGEST_CHANGE)
    first = pairs[broken.argmax()]
    return tell(
        "refuted" if broken.any() else "exact",
        {
            "refuted": lambda: (
                f"This fails for {broken.sum()} of {len(pairs)} pairs, the first being pair "
                f"{first['pair']} of {first['game']}: the largest change of a second moment is "
                f"{show(moments.max())}-fold, the smallest growth of the bound "
                f"{show(growth.min())}-fold."
            ),
            "exact": f"By enumeration of all coalitions of {len(pairs)} games, the bound grows "
            f"{show(growth.min())}-fold to {show(growth.max())}-fold, a second moment changes at "
            f"most {show(moments.max())}-fold, and the error after {STEPS} constant steps at most "
            f"{show(constant)}-fold. $D$ affects these quantities through the distribution of "
            r"sizes only, and does not affect $\mu$. If $D$ determines the step as well, the "
            f"error changes up to {show(root)}-fold.",
        },
        numbers={
            "smallest_growth_of_the_bound": growth.min(),
            "largest_growth_of_the_bound": growth.max(),
            "largest_change_of_the_moment": moments.max(),
            "median_change_of_the_moment": np.median(moments),
            "largest_change_of_the_constant_step": constant,
            "largest_change_of_the_square_root_step": root,
        },
        reach=f"{len(pairs)} games of the study",
        limits=[median_with_limits("change of the second moment", moments, alpha)],
        sample={"pairs": len(pairs), "steps": STEPS},
        rows=_rows(pairs),
    )


def _gains(pairs):
    """Error at the least D over the least error, whether that is more than 1, and whether the
    least D is the worst: arrays (pairs,).
    """
    errors = [admissible(pair, "square_root") for pair in pairs]
    gains = np.array([error[0] / error.min() for error in errors])
    worst = np.array([error[0] >= error.max() * (1 - RECURSION_ROUNDING) for error in errors])
    return gains, gains > 1 + RECURSION_ROUNDING, worst


def check_order(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a pair whose error is smaller at a larger D of those tried; else exact for these
    games.
    """
    pairs = required(evidence["pairs"], NO_VALUES)
    gains, better, worst = _gains(pairs)
    games = np.array([pair["game"] for pair in pairs])
    rows = [
        {"game": game, "pairs": (mine := games == game).sum()}
        | {"pairs_with_a_better_radius": better[mine].sum(), "least_is_worst": worst[mine].sum()}
        | {"median_gain": np.median(gains[mine]), "largest_gain": gains[mine].max()}
        for game in dict.fromkeys(games.tolist())
    ]
    return tell(
        "refuted" if better.any() else "exact",
        {
            "exact": f"Exact recursion on {len(pairs)} games agrees.",
            "refuted": f"By exact recursion, another $D$ is better for {better.sum()} of "
            f"{len(pairs)} pairs, by a median factor of {show(np.median(gains))} and at most "
            f"{show(gains.max())}, and for {worst.sum()} the least $D$ is the worst of all values "
            "tested. Steps in proportion to $D/B$ are short for small $D$, so that the bound is "
            "smallest where the iterates hardly move.",
        },
        numbers={
            "pairs_with_a_better_radius": better.sum(),
            "pairs_where_the_least_is_worst": worst.sum(),
            "median_gain": np.median(gains),
            "largest_gain": gains.max(),
        },
        reach=f"{len(pairs)} games of the study",
        limits=[median_with_limits("error at the least D over the least error", gains, alpha)],
        sample={"pairs": len(pairs), "steps": STEPS},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="gt20-04g",
        title="Effect of the radius on bound and algorithm",
        heading="Gradients and constants",
        topic="rates",
        where="left out by the paper, whose Section 4.1 says that D can be large enough",
        statement=r"On the games of the study, from $D=\|\phi^*\|$ to $D=100\,C\sqrt d$, the bound "
        r"$4\kappa^2/T$ grows at least thousandfold, and the second moment of the projected "
        r"gradient under importance sampling, at $\phi_0$ and at $\phi^*$, at most doubles or "
        r"halves.",
        gather=gather,
        check=check_effect,
        source="this project",
    ),
    claim(
        id="gt20-04h",
        title="The radius that the bound recommends",
        heading="Gradients and constants",
        topic="rates",
        where="left out by the paper; the bound of Section 4.2 for the step 2D/(B sqrt(t))",
        statement=r"Of all $D\ge\|\phi^*\|$, the one with the least bound $4D\kappa/\sqrt T$, "
        r"$D=\|\phi^*\|$, also has the least $\mathbb E\|\bar\phi_T-\phi^*\|^2$.",
        matters="The radius should not be chosen by the bound: if steps are proportional to it, a "
        "small radius brings the algorithm to a standstill.",
        gather=gather,
        check=check_order,
        source="this project",
    ),
)
