"""Claim 6d: a step that needs neither ball nor constants, and its bound."""

import numpy as np

from shapaudit.statistics.limits import median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.settings import HORIZON
from ...evidence.rates.sharper import gather_offset
from ..common import claim, grouped, required
from .settings import SHOWN

KINDS = ("of the game", "in advance")  # noise and start known, or bounded by C and v(M)


def _table(series, alpha):
    """Rows by game, bound and T, and limits of the median of bound over error at T = `SHOWN`."""
    rows, limits = [], []
    for (game, kind), members in grouped(series, "game", "bound").items():
        for k, t in enumerate(members[0]["steps"]):
            ratios = np.array([curve["ratios"][k] for curve in members])
            rows.append(
                {"game": game, "bound": kind, "steps": t, "explicands": len(members)}
                | {"median_error": float(np.median([curve["errors"][k] for curve in members]))}
                | {"median_ratio": float(np.median(ratios))}
                | {"smallest_ratio": float(ratios.min()), "largest_ratio": float(ratios.max())}
            )
            if t == SHOWN:
                name = f"bound {kind} over error: {game}, T = {t}"
                limits.append(median_with_limits(name, ratios, alpha))
    return rows, limits


def check_offset(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an explicand and T with the error above either bound; else proved for these."""
    series = required(evidence["series"])
    rows, limits = _table(series, alpha)
    broken = [curve for curve in series if curve["violated"]]
    known, in_advance = (
        max(row["median_ratio"] for row in rows if row["bound"] == kind) for kind in KINDS
    )
    return tell(
        "refuted" if broken else "proved",
        {
            "refuted": lambda: _told_refuted(
                min(broken, key=lambda curve: curve["smallest_ratio"])
            ),
            "proved": "Exact recursion agrees with the proof in the report for all explicands and "
            f"every $T$ up to {HORIZON}. If the noise and the start of the game are known, the "
            f"bound is at most {show(known)} times the error, as a median over explicands, and "
            r"tends to 3 times; in advance, from $C$ and $v(\mathcal M)$ alone, it is at most "
            f"{show(in_advance)} times.",
        },
        shown_by={"proved": "prop:offset"},
        numbers={
            "series": len(series),
            "series_with_violations": len(broken),
            "smallest_ratio": min(curve["smallest_ratio"] for curve in series),
            "largest_median_ratio_of_the_game": known,
            "largest_median_ratio_in_advance": in_advance,
        },
        limits=limits,
        sample={"explicands": len(series) // len(KINDS), "horizon": HORIZON},
        rows=rows,
    )


def _told_refuted(worst):
    return (
        f"On {worst['game']}, explicand {worst['explicand']}, the error exceeds the bound "
        f"{worst['bound']} at $T={worst['at']}$."
    )


CLAIMS = (
    claim(
        id="gt20-06d",
        title="Rate 1/T without ball and constants",
        heading="Rates in expectation",
        topic="rates",
        where="left out by the paper, whose rates in Section 4.2 need D, C and the ball",
        statement=r"With sizes drawn uniformly, $\gamma_t=\frac1{\mu(t+2(d-1))}$ and projection "
        r"on $K_1$ alone, $\mathbb "
        r"E\|\phi_T-\phi^*\|^2\le\frac{4d(T+4(d-1))}{(T+2(d-1))^2}F(\phi_0)$, with "
        r"$F(\phi_0)\le8\mu C^2\sum_{k=1}^{d-1}\frac1k$ if $|v(\mathcal M)|\le C$.",
        matters="For steps that need neither the ball nor a bound on the gradients, the constants "
        "of the rate are small enough for planning a run.",
        gather=gather_offset,
        check=check_offset,
        stands="loosely",
        source="this project",
    ),
)
