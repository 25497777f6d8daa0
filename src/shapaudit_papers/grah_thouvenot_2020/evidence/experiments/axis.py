"""Evidence on claim 22: how the published curves fall."""

from math import log

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

from ... import PAPER

WALK = "optimised-mc"  # of the published readings


def gather_falls(context: Context) -> Evidence:
    """Return slopes of the walk's curves on logarithmic axes, from the first reading to the last.

    Its mean squared error is exactly proportional to one over the number of permutations.
    """
    rows = [row for row in context.printed(PAPER.key) if row["method"] == WALK]
    falls = []
    for name in dict.fromkeys(row["experiment"] for row in rows):
        curve = sorted(
            (int(row["evaluations"]), float(row["error"]))
            for row in rows
            if row["experiment"] == name
        )
        (first, start), (last, end) = curve[0], curve[-1]
        falls.append(
            {"experiment": name, "first": first, "last": last, "start": start, "end": end}
            | {"slope": log(end / start) / log(last / first)}
        )
    return {"falls": falls}
