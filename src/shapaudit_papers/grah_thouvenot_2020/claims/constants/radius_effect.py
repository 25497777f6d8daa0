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


def admissible(explicand: Evidence, effect: str) -> np.ndarray:
    """Return an effect at the least D that holds phi*, and at all larger values of the `GRID`."""
    return np.concatenate(
        [explicand[effect][:1], explicand[effect][1:][explicand["least"] <= GRID]]
    )


def _growth(explicand):
    """Return by which factor 4 kappa^2/T grows from the least D to the largest."""
    d = explicand["players"]
    ends = (kappa(d, ratio * d**0.5, 1.0) for ratio in (GRID[-1], explicand["least"]))
    return float(np.divide(*ends) ** 2)


def _rows(explicands):
    """Per game and D/(C sqrt(d)): constants, bounds after `STEPS` steps, ranges over explicands."""
    rows = []
    for game in dict.fromkeys(explicand["game"] for explicand in explicands):
        members = [explicand for explicand in explicands if explicand["game"] == game]
        d = members[0]["players"]
        least = np.array([explicand["least"] for explicand in members])
        for k, ratio in enumerate(GRID, start=1):
            radius = ratio * d**0.5
            sizes, k_value = importance_sizes(d, radius), kappa(d, radius, 1.0)
            row = {"game": game, "players": d, "explicands": len(members), "radius": ratio}
            row |= {"smallest_least": least.min(), "largest_least": least.max()}
            row |= {"mu": strong_convexity(d), "kappa": k_value}
            row |= {"gradient_bound": gradient_bound(d, radius, 1.0)}
            row |= {"first_size": sizes[0], "last_size": sizes[-1]}
            row |= {"inverse_bound": bounds.inverse_rate(STEPS, k_value)}
            row |= {"square_root_bound": bounds.square_root_rate(STEPS, k_value, radius)}
            row |= {
                f"median_{name}": np.median([explicand[name][k] for explicand in members])
                for name in EFFECTS
            }
            for name in EFFECTS:
                ratios = [explicand[name][k] / explicand[name][1 + PUBLIC] for explicand in members]
                row |= {
                    f"{word}_{name}_ratio": f(ratios)
                    for word, f in (("smallest", min), ("median", np.median), ("largest", max))
                }
            rows.append(row)
    return tuple(rows)


def _changes(explicands):
    """Return the factors (explicands,) by which each effect changes over the admissible D."""
    logarithms = {
        name: np.array([np.ptp(np.log(admissible(explicand, name))) for explicand in explicands])
        for name in EFFECTS
    }
    return {name: np.exp(change) for name, change in logarithms.items()}


def check_effect(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an explicand whose bound grows less than `LEAST_GROWTH`-fold, or with a second
    moment that changes more than `LARGEST_CHANGE`-fold; else exact for these games.
    """
    explicands = required(evidence["explicands"], NO_VALUES)
    growth, changes = (
        np.array([_growth(explicand) for explicand in explicands]),
        _changes(explicands),
    )
    moments = np.maximum(changes["moment"], changes["moment_at_start"])
    constant, root = changes["constant"].max(), changes["square_root"].max()
    broken = (growth < LEAST_GROWTH) | (moments > LARGEST_CHANGE)
    first = explicands[broken.argmax()]
    return tell(
        "refuted" if broken.any() else "exact",
        {
            "refuted": lambda: (
                f"This fails for {broken.sum()} of {len(explicands)} explicands, the first being "
                f"explicand {first['explicand']} of {first['game']}: the largest change of a "
                f"second moment is {show(moments.max())}-fold, the smallest growth of the bound "
                f"{show(growth.min())}-fold."
            ),
            "exact": f"By enumeration of all coalitions of {len(explicands)} games, the bound "
            f"grows {show(growth.min())}-fold to {show(growth.max())}-fold, a second moment "
            f"changes at most {show(moments.max())}-fold, and the error after {STEPS} constant "
            f"steps at most {show(constant)}-fold. $D$ affects these quantities through the "
            r"distribution of sizes only, and does not affect $\mu$. If $D$ determines the step as "
            f"well, the error changes up to {show(root)}-fold.",
        },
        numbers={
            "smallest_growth_of_the_bound": growth.min(),
            "largest_growth_of_the_bound": growth.max(),
            "largest_change_of_the_moment": moments.max(),
            "median_change_of_the_moment": np.median(moments),
            "largest_change_of_the_constant_step": constant,
            "largest_change_of_the_square_root_step": root,
        },
        reach=f"{len(explicands)} games of the study",
        limits=[median_with_limits("change of the second moment", moments, alpha)],
        sample={"explicands": len(explicands), "steps": STEPS},
        rows=_rows(explicands),
    )


def _gains(explicands):
    """Error at the least D over the least error, whether that is more than 1, and whether the
    least D is the worst: arrays (explicands,).
    """
    errors = [admissible(explicand, "square_root") for explicand in explicands]
    gains = np.array([error[0] / error.min() for error in errors])
    worst = np.array([error[0] >= error.max() * (1 - RECURSION_ROUNDING) for error in errors])
    return gains, gains > 1 + RECURSION_ROUNDING, worst


def check_order(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an explicand whose error is smaller at a larger D of those tried; else exact for
    these games.
    """
    explicands = required(evidence["explicands"], NO_VALUES)
    gains, better, worst = _gains(explicands)
    games = np.array([explicand["game"] for explicand in explicands])
    rows = [
        {"game": game, "explicands": (mine := games == game).sum()}
        | {
            "explicands_with_a_better_radius": better[mine].sum(),
            "least_is_worst": worst[mine].sum(),
        }
        | {"median_gain": np.median(gains[mine]), "largest_gain": gains[mine].max()}
        for game in dict.fromkeys(games.tolist())
    ]
    return tell(
        "refuted" if better.any() else "exact",
        {
            "exact": f"Exact recursion on {len(explicands)} games agrees.",
            "refuted": f"By exact recursion, another $D$ is better for {better.sum()} of "
            f"{len(explicands)} explicands, by a median factor of {show(np.median(gains))} and at "
            f"most {show(gains.max())}, and for {worst.sum()} the least $D$ is the worst of all "
            "values tested. Steps in proportion to $D/B$ are short for small $D$, so that the "
            "bound is smallest where the iterates hardly move.",
        },
        numbers={
            "explicands_with_a_better_radius": better.sum(),
            "explicands_where_the_least_is_worst": worst.sum(),
            "median_gain": np.median(gains),
            "largest_gain": gains.max(),
        },
        reach=f"{len(explicands)} games of the study",
        limits=[median_with_limits("error at the least D over the least error", gains, alpha)],
        sample={"explicands": len(explicands), "steps": STEPS},
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
