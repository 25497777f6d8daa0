"""Claim 8 without the ball: the constant step below 1/mu."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.constant import SHORT_HORIZON, gather_without_ball
from ..common import claim, grouped, required


def _table(series):
    return tuple(
        {
            "game": game,
            "choice": choice,
            "step": members[0]["step"],
            "limit": members[0]["limit"],
            "factor_per_step": members[0]["factor"],
            "explicands": len(members),
            "explicands_violating": sum(curve["violated"] > 0 for curve in members),
            "first_violation": min(
                (m["first_violated"] for m in members if m["violated"]), default=0
            ),
            "smallest_ratio": min(curve["smallest_ratio"] for curve in members),
        }
        for (game, choice), members in grouped(series, "game", "choice").items()
    )


def check_without_ball(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a step below 1/mu whose exact error leaves the bound; else exact for these."""
    series = required(evidence["series"])
    rows = _table(series)
    broken = [row for row in rows if row["explicands_violating"]]
    stable = [row for row in rows if row["factor_per_step"] < 1]
    numbers = {
        "series": len(series),
        "series_with_violations": sum(row["explicands_violating"] for row in rows),
        "violations_below_the_limit": sum(row["explicands_violating"] for row in stable),
        "smallest_ratio_below_the_limit": min((r["smallest_ratio"] for r in stable), default=0.0),
    }
    return tell(
        "refuted" if broken else "exact",
        {
            "exact": f"By exact recursion, the bound holds in all {numbers['series']} series, for "
            f"every $T$ up to {SHORT_HORIZON}.",
            "refuted": lambda: _told_refuted(
                max(broken, key=lambda row: row["factor_per_step"]), numbers
            ),
        },
        numbers=numbers,
        reach=f"T up to {SHORT_HORIZON} on {numbers['series']} series",
        sample={"series": numbers["series"], "horizon": SHORT_HORIZON},
        rows=rows,
    )


def _told_refuted(worst, numbers):
    return (
        rf"Without the ball, a step of {show(worst['step'])}, which is below $1/\mu$, multiplies "
        f"the expected squared error on {worst['game']} by {show(worst['factor_per_step'])} per "
        f"step, and the bound fails from $T={worst['first_violation']}$ onwards. The relevant "
        f"limit is that of GT 8c, {show(worst['limit'])}: the number of series below it that "
        f"violate the bound is {numbers['violations_below_the_limit']}, and the bound is at least "
        f"{show(numbers['smallest_ratio_below_the_limit'])} times the error there."
    )


CLAIMS = (
    claim(
        id="gt20-08b",
        title="Rate of the constant step without the ball",
        heading="Rates in expectation",
        topic="rates",
        where="left out by the paper, whose Section 4.2 asks for a step below 1/mu with the ball, "
        "and whose Section 4.1 drops the ball for a small learning rate",
        statement=r"$\mathbb E\|\phi_T-\phi^*\|^2\le(1-\gamma\mu)^T\|\phi_0-\phi^*\|^2+"
        r"\frac{\gamma B^2}{\mu}$ for every $\gamma<\frac1\mu$ and projection on $K_1$ alone.",
        matters="Without the ball a step has to be below the stability limit (GT 8c), which is "
        "far below the printed condition.",
        gather=gather_without_ball,
        check=check_without_ball,
        stands="loosely",
        falls="hypothesis",
        source="this project",
    ),
)
