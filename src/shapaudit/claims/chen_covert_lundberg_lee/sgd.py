"""Claim 6: SGD-Shapley against KernelSHAP, with the step of the benchmark and with another.

The runs are those of claims 18d and 18e on Grah & Thouvenot 2020.
"""

from ..base import Evidence, Limit, Verdict
from ..exact import show
from ..grah_thouvenot.unhelpful_sweep import (
    DEFAULT,
    FREE,
    KERNEL,
    compare,
    gather_sweep,
)
from .common import AGNOSTIC, APPENDIX, claim


def check_default(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when the default step errs more everywhere, refuted when it errs less somewhere.

    An error above that of the equal split, which costs two evaluations, counts as that one.
    """
    return _verdict(compare(evidence, {DEFAULT: KERNEL}, alpha, True), alpha)


def check_free(evidence: Evidence, alpha: float) -> Verdict:
    """The same of the step that is stable and leaves nothing to tune."""
    return _verdict(compare(evidence, FREE, alpha, False), alpha)


def _verdict(rows: list[Evidence], alpha: float) -> Verdict:
    words = ("larger", "smaller", "undecided")
    numbers = {word: sum(row["error"] == word for row in rows) for word in words}
    ratios = [row["ratio"] for row in rows]
    numbers |= {"least_ratio": min(ratios), "largest_ratio": max(ratios)}
    names = " and ".join(dict.fromkeys(f"{row['method']} to {row['against']}" for row in rows))
    summary = (
        f"Mean errors at equal evaluations, {names}: {show(min(ratios))} to {show(max(ratios))}. "
        f"Of {len(rows)} ratios, {numbers['larger']} are surely above 1, {numbers['smaller']} below"
    )
    status, kind = "inconclusive", "sample"
    if below := [row for row in rows if row["error"] == "smaller"]:
        status, kind = "refuted", "hypothesis" if numbers["larger"] else "false"
        kinds = " and ".join(dict.fromkeys(f"{row['kind']} games" for row in below))
        least, most = (f(row["players"] for row in below) for f in (min, max))
        summary += f", the latter on {kinds} of {least} to {most} players"
    elif all(row["low_alone"] > 1 for row in rows):
        status, kind = "supported", "sound"
    limits = tuple(
        Limit(
            f"{row['kind']}, d = {row['players']}, {row['method']}, {row['evaluations']}",
            *(row[key] for key in ("ratio", "low", "high")),
            1 - alpha,
        )
        for row in rows
    )
    sample = {"games": min(row["games"] for row in rows), "ratios": len(rows)}
    return Verdict(status, f"{summary}.", kind, numbers, limits, sample, tuple(rows))


CLAIMS = (
    claim(
        id="ccll23-06a",
        title="SGD-Shapley is unhelpful as it was run",
        where=f"{APPENDIX}; Figures 6 to 8",
        statement=r"For the least squares estimators, using SGD is unhelpful: run with the default "
        r"step of its authors' code, it errs more than KernelSHAP at equal evaluations.",
        gather=gather_sweep,
        check=check_default,
        statistical=True,
    ),
    claim(
        id="ccll23-06b",
        title="KernelSHAP consistently outperforms SGD",
        where=f"{AGNOSTIC}, of the strategy",
        statement=r"KernelSHAP consistently has a lower error than projected stochastic gradients "
        r"given an equal number of samples, also with the stable step that leaves nothing to tune.",
        gather=gather_sweep,
        check=check_free,
        statistical=True,
    ),
)
