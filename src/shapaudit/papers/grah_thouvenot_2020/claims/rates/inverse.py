"""Claim 6, in exact terms: the rate 1/T as printed, and without the ball.

Section 4.1 says that a small learning rate does without the ball, and not how small.
"""

from shapaudit.audit.base import ClaimError, Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show

from ...evidence.rates.inverse import gather_path, gather_without_ball
from ...evidence.rates.settings import (
    HORIZON,
)
from ..common import BOTH, claim
from .settings import looseness, sample_of, summary_numbers

WHERE = "Section 4.2, Convergence rate"


def check_path(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a path of positive probability that exceeds the bound."""
    row = {key: evidence[key] for key in ("players", "steps", "gap", "bound")}
    if evidence["gap"] <= evidence["bound"]:
        return Verdict(
            "supported",
            f"The path drawn stays within the bound for {evidence['steps']} steps.",
            numbers=row,
            rows=(row,),
        )
    return Verdict(
        "refuted",
        "The printed inequality has no expectation on its left. On the game of two players with "
        "v(M) = 1 and 0 elsewhere, all draws may fall on the same player, with probability 2 to "
        f"the power -T: after T = {evidence['steps']} steps F exceeds its minimum by "
        f"{show(evidence['gap'])}, the bound being {show(evidence['bound'])}. In expectation the "
        "theorem is right.",
        numbers={**row, "log10_probability": evidence["log10_probability"]},
        rows=(row,),
    )


def check_without_ball(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any pair and T with the exact error above the bound; else proved for these."""
    series = evidence["series"]
    if not series:
        raise ClaimError("no game of the study has two different values.")
    rows, limits = looseness(series, alpha)
    numbers = summary_numbers(series, rows)
    broken = [one for one in series if one["violated"]]
    details = {"limits": limits, "sample": sample_of(series), "rows": rows}
    if not broken:
        return Verdict(
            "proved",
            f"Exact recursion: the bound holds for all {len(series)} series and every T up to "
            f"{HORIZON}, {show(numbers['smallest_ratio'])} times the error or more.",
            numbers=numbers,
            **details,
        )
    worst = min(broken, key=lambda one: one["smallest_ratio"])
    last = max(one["last_violated"] for one in broken)
    grown = max(evidence["unstable"], key=lambda row: row["players"])
    numbers |= {
        "largest_excess": 1 / worst["smallest_ratio"],
        "largest_excess_at": worst["at"],
        "last_violation": last,
        **{f"unstable_{key}": value for key, value in grown.items()},
    }
    return Verdict(
        "refuted",
        f"The theorem needs the ball. On the hyperplane alone the first steps are far above the "
        f"stability limit, {show(grown['limit'])} at d = {grown['players']}: they multiply the "
        f"expected squared error by 10 to the power {grown['log10_amplification']:.1f} until step "
        f"{grown['peak_at']}. By exact recursion the bound fails in {len(broken)} of {len(series)} "
        f"series, up to {show(numbers['largest_excess'])} times at T = {worst['at']}, and still at "
        f"T = {last}. How often runs are that far off is the matter of claim 10b.",
        numbers=numbers,
        **details,
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
        gather=gather_path,
        check=check_path,
        stands="sample",
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
        gather=gather_without_ball,
        check=check_without_ball,
        stands="loose",
        falls="hypothesis",
        source="this project",
    ),
)
