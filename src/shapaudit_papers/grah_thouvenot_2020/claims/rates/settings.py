"""What the claims on rates share: constants of the games, exact error curves, looseness tables.

Exact curves come from the recursion of `theory.recursion`, on the efficiency hyperplane alone.
"""

from collections.abc import Sequence

import numpy as np

from shapaudit.statistics.limits import median_with_limits
from shapaudit_audit.audit.evidence import Evidence

from ...evidence.rates.settings import HORIZON, RECURSION_ROUNDING
from ..common import grouped

SHOWN = 1_000  # of these, the one whose looseness is given limits


def looseness(series: Sequence[Evidence], alpha: float):
    """Rows by game, radius and T, with the range over explicands of bound / exact error; and limits
    of the median at T = `SHOWN`.
    """
    rows, limits = [], []
    for (game, radius), members in grouped(series, "game", "radius").items():
        for k, t in enumerate(members[0]["steps"]):
            ratios = np.array([curve["ratios"][k] for curve in members])
            rows.append(
                {
                    "game": game,
                    "radius": radius,
                    "steps": t,
                    "explicands": len(members),
                    "explicands_violating": int((ratios < 1 - RECURSION_ROUNDING).sum()),
                    "median_error": float(np.median([curve["errors"][k] for curve in members])),
                    "median_ratio": float(np.median(ratios)),
                    "smallest_ratio": float(ratios.min()),
                    "largest_ratio": float(ratios.max()),
                }
            )
            if t == SHOWN:
                name = f"{game}, {radius} radius, T = {t}"
                limits.append(median_with_limits(f"bound over error: {name}", ratios, alpha))
    return tuple(rows), tuple(limits)


def summary_numbers(series: Sequence[Evidence], rows: tuple[Evidence, ...]) -> dict[str, float]:
    """The numbers that every verdict on exact curves shows."""
    return {
        "series": len(series),
        "series_with_violations": sum(curve["violated"] > 0 for curve in series),
        "smallest_ratio": min(curve["smallest_ratio"] for curve in series),
        "smallest_median_ratio": min(row["median_ratio"] for row in rows),
        "largest_median_ratio": max(row["median_ratio"] for row in rows),
    }


def sample_of(series: Sequence[Evidence]) -> dict[str, int]:
    """Sizes of what was looked at."""
    explicands = len({(curve["game"], curve["explicand"]) for curve in series})
    return {"explicands": explicands, "series": len(series), "horizon": HORIZON}
