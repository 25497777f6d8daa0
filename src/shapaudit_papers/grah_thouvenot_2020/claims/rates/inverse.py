"""Claim 6, in exact terms: the rate 1/T as printed, and without the ball.

Section 4.1 says that a small learning rate does without the ball, and not how small.
"""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show, show_power
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.constant import SHORT_HORIZON
from ...evidence.rates.inverse import gather_without_ball
from ...evidence.rates.settings import HORIZON
from ..common import claim, required
from .settings import looseness, sample_of, summary_numbers

WHERE = "Section 4.2, Convergence rate"


def check_path(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a path of positive probability that exceeds the bound."""
    row = {key: evidence[key] for key in ("players", "steps", "gap", "bound")}
    outside = row["gap"] > row["bound"]
    chance = {"log10_probability": evidence["log10_probability"]} if outside else {}
    return tell(
        "refuted" if outside else "supported",
        {
            "supported": f"The path drawn stays within the bound for {row['steps']} steps.",
            "refuted": "The inequality for $F$ has no expectation on its left-hand side. On the "
            r"game of two players with $v(\mathcal M)=1$ and 0 elsewhere, all draws may fall on "
            f"the same player, with probability $2^{{-T}}$: after $T={row['steps']}$ steps $F$ "
            f"exceeds its minimum by {show(row['gap'])}, whereas the bound is "
            f"{show(row['bound'])}. In expectation the theorem is correct.",
        },
        numbers=row | chance,
        rows=(row,),
    )


def check_without_ball(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any explicand and T with the exact error above a bound; else exact for these."""
    series, constant = required(evidence["series"]), required(evidence["constant"])
    rows, limits = looseness(series, alpha)
    numbers = summary_numbers(series, rows) | _numbers_of_constant(constant)
    broken = [curve for curve in series if curve["violated"]]
    left = [curve for curve in constant if curve["violated"]]
    if broken:
        numbers |= _excess(broken, evidence["unstable"])
    told = [_told_refuted(numbers)] if broken else []
    if left:
        told.append(_told_constant(max(left, key=lambda curve: curve["factor"]), numbers))
    return tell(
        "refuted" if told else "exact",
        {
            "exact": f"By exact recursion, the bounds hold for all {len(series)} series and every "
            f"$T$ up to {HORIZON}, and those of {len(constant)} constant steps up to "
            f"{SHORT_HORIZON}.",
            "refuted": " ".join(told),
        },
        reach=f"T up to {HORIZON} on {len(series)} series",
        numbers=numbers,
        limits=limits,
        sample=sample_of(series),
        rows=rows,
    )


def _numbers_of_constant(constant):
    """Numbers on the series of constant steps."""
    stable = [curve for curve in constant if curve["factor"] < 1]
    return {
        "constant_series_with_violations": sum(curve["violated"] > 0 for curve in constant),
        "violations_below_the_limit": sum(curve["violated"] > 0 for curve in stable),
        "smallest_ratio_below_the_limit": min((c["smallest_ratio"] for c in stable), default=0.0),
    }


def _excess(broken, unstable):
    """Numbers on the largest and the last excess, and on the growth at the most players."""
    worst = min(broken, key=lambda curve: curve["smallest_ratio"])
    grown = max(unstable, key=lambda row: row["players"])
    return {
        "largest_excess": 1 / worst["smallest_ratio"],
        "largest_excess_at": worst["at"],
        "last_violation": max(curve["last_violated"] for curve in broken),
        **{f"unstable_{key}": value for key, value in grown.items()},
    }


def _told_refuted(numbers):
    return (
        "The theorem requires the ball. On the hyperplane alone the first steps are far above the "
        f"stability limit, {show(numbers['unstable_limit'])} at "
        f"$d={numbers['unstable_players']}$: they multiply the expected squared error by "
        f"{show_power(numbers['unstable_log10_amplification'])} until step "
        f"{numbers['unstable_peak_at']}. By exact recursion the bound fails in "
        f"{numbers['series_with_violations']} of {numbers['series']} series, by up to "
        f"{show(numbers['largest_excess'])} times at $T={numbers['largest_excess_at']}$, and "
        f"still at $T={numbers['last_violation']}$. How often runs differ by that much is "
        "examined in GT 10b."
    )


def _told_constant(worst, numbers):
    return (
        rf"A constant step of {show(worst['step'])}, which is below $1/\mu$, multiplies the "
        rf"expected "
        f"squared error on {worst['game']} by {show(worst['factor'])} per step, and its bound "
        f"fails "
        f"from $T={worst['first_violated']}$ onwards. The relevant limit is that of GT 8c, "
        f"{show(worst['limit'])}: the number of series below it that violate the bound is "
        f"{numbers['violations_below_the_limit']}, and the bound is at least "
        f"{show(numbers['smallest_ratio_below_the_limit'])} times the error there."
    )


CLAIMS = (
    claim(
        id="gt20-06c",
        title="Rates without the ball",
        heading="Rates in expectation",
        topic="rates",
        where="left out by the paper, whose Section 4.2 has the ball, and whose Section 4.1 drops "
        "it "
        "for a small learning rate; hyperplane alone in the authors' public code",
        statement=r"With projection on $K_1$ alone, $\mathbb E\|\bar\phi_T-\phi^*\|^2\le"
        r"\frac{4\kappa^2}{T}$, $\kappa=\frac B\mu$, for $\gamma_t=\frac{2}{\mu(t+1)}$, and "
        r"$\mathbb E\|\phi_T-\phi^*\|^2\le(1-\gamma\mu)^T\|\phi_0-\phi^*\|^2+"
        r"\frac{\gamma B^2}{\mu}$ for every $\gamma<\frac1\mu$.",
        matters="Without the projection on the ball, which the public code omits, other steps are "
        "needed, below the stability limit (GT 8c): those of the theorems multiply the error.",
        gather=gather_without_ball,
        check=check_without_ball,
        stands="loosely",
        falls="hypothesis",
        source="this project",
    ),
)
