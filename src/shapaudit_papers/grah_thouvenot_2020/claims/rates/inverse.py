"""Claim 6, in exact terms: the rate 1/T as printed, and without the ball.

Section 4.1 says that a small learning rate does without the ball, and not how small.
"""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show, show_power
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.constant import SHORT_HORIZON
from ...evidence.rates.inverse import gather_path, gather_without_ball
from ...evidence.rates.settings import HORIZON
from ...evidence.rates.square_root import gather_normalisation
from ..common import BOTH, claim, required
from .settings import looseness, sample_of, summary_numbers
from .square_root import check_normalisation

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
            "refuted": "The printed inequality has no expectation on its left-hand side. On the "
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
        id="gt20-06a",
        title="An expectation and a divisor in the printed rates",
        heading="Rates in expectation",
        topic="rates",
        where=f"{WHERE}, inverse decreasing step-size, bound on F, and square root decreasing "
        f"step-size, bar phi_T; {BOTH}",
        words="we get the following convergence rate: F(bar phi_T) - F(phi*) <= 2B^2/(mu T) ... "
        "bar phi_T = 1/T sum_(t=0)^T phi_t",
        statement=r"$F(\bar\phi_T)-F(\phi^*)\le\frac{2B^2}{\mu T}$ for "
        r"$\gamma_t=\frac{2}{\mu(t+1)}$ and the $(t+1)$-weighted average; for the square-root "
        r"step $\bar\phi_T=\frac1T\sum_{t=0}^T\phi_t$ is an average of the iterates.",
        hedges="“It has been proved in” a cited source. The next bound, on the squared error, has "
        "the expectation; that the sum is an average is stated for the other step, and indicated "
        "by the bar.",
        matters="In expectation the bound holds, and so do all conclusions that the paper draws "
        "from it. The sum has one term more than its divisor; the printed bound holds for it too, "
        "and dividing by $T+1$ corrects it.",
        gather=gather_path,
        check=check_path,
        also=((gather_normalisation, check_normalisation),),
        falls="slip",
    ),
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
