"""Claim 6, in exact terms: the rate 1/T as printed, and without the ball.

Section 4.1 says that a small learning rate does without the ball, and not how small.
"""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show, show_power
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.inverse import gather_path, gather_without_ball
from ...evidence.rates.settings import HORIZON
from ..common import BOTH, claim, required
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
    """Refuted by any explicand and T with the exact error above the bound; else exact for these."""
    series = required(evidence["series"])
    rows, limits = looseness(series, alpha)
    numbers = summary_numbers(series, rows)
    broken = [curve for curve in series if curve["violated"]]
    if broken:
        numbers |= _excess(broken, evidence["unstable"])
    return tell(
        "refuted" if broken else "exact",
        {
            "exact": f"By exact recursion, the bound holds for all {len(series)} series and every "
            f"$T$ up to {HORIZON}, and is at least {show(numbers['smallest_ratio'])} times the "
            "error.",
            "refuted": lambda: _told_refuted(numbers),
        },
        reach=f"T up to {HORIZON} on {len(series)} series",
        numbers=numbers,
        limits=limits,
        sample=sample_of(series),
        rows=rows,
    )


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


CLAIMS = (
    claim(
        id="gt20-06a",
        title="Rate 1/T as printed, without expectation",
        heading="Rates in expectation",
        topic="rates",
        where=f"{WHERE}, inverse decreasing step-size, bound on F; {BOTH}",
        words="we get the following convergence rate: F(bar phi_T) - F(phi*) <= 2B^2/(mu T)",
        statement=r"$F(\bar\phi_T)-F(\phi^*)\le\frac{2B^2}{\mu T}$ for "
        r"$\gamma_t=\frac{2}{\mu(t+1)}$ and the $(t+1)$-weighted average.",
        hedges="“It has been proved in” a cited source. The next bound, on the squared error, has "
        "the expectation.",
        matters="The left side is a random variable. In expectation the bound holds, and so do "
        "all conclusions that the paper draws from it.",
        gather=gather_path,
        check=check_path,
        falls="slip",
    ),
    claim(
        id="gt20-06c",
        title="Rate 1/T without the ball",
        heading="Rates in expectation",
        topic="rates",
        where="left out by the paper, whose Section 4.1 drops the ball for a small learning rate; "
        "hyperplane alone in the authors' public code",
        statement=r"$\mathbb E\|\bar\phi_T-\phi^*\|^2\le\frac{4\kappa^2}{T}$, "
        r"$\kappa=\frac B\mu$, for $\gamma_t=\frac{2}{\mu(t+1)}$ and projection on $K_1$ alone.",
        matters="Without the projection on the ball, which the public code omits, other steps are "
        "needed: those of the theorem multiply the error before they reduce it.",
        gather=gather_without_ball,
        check=check_without_ball,
        stands="loosely",
        falls="hypothesis",
        source="this project",
    ),
)
