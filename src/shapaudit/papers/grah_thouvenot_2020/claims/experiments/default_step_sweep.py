"""Claims 18d and 18e: projected SGD against KernelSHAP when the step is, and is not, at fault.

Chen, Covert, Lundberg & Lee 2023, Section 5.2.2 and Appendix A.2, find KernelSHAP consistently
ahead of SGD-Shapley, run with the default step of its authors' code.
"""

import numpy as np

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import (
    Group,
    Ratio,
    ratio_limits,
)

from ...evidence.experiments.default_step_sweep import (
    FIXED,
    FREE,
    PER_PLAYER,
    gather_sweep,
)
from ..common import claim


def inverted(ratio: Ratio) -> Ratio:
    """The reciprocal, its last entry a lower limit alone."""
    return Ratio(1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low, 1 / ratio.high_alone)


def compare(
    evidence: Evidence, pairs: dict[str, str], alpha: float, capped: bool
) -> list[Evidence]:
    """Rows: ratio of mean errors by kind, d, method and budget, with limits for all together.

    ``pairs`` maps a method to what it is compared with. When ``capped``, errors of the method above
    that of the equal split count as that one, so that no run that diverged decides on a mean: a
    ratio can then only be too small. ``low_alone`` is the ratio's own lower limit. Medians are of
    the errors themselves, in units of the equal split's.
    """
    place = {name: k for k, name in enumerate(evidence["methods"])}
    budgets = range(len(PER_PLAYER))
    groups = []
    for errors in evidence["errors"].values():
        # Reference over method: the limit that a ratio has alone is an upper one.
        upper = [errors[:, place[reference], k] for reference in pairs.values() for k in budgets]
        caps = errors[:, 0, 0] if capped else np.inf
        lower = [np.minimum(errors[:, place[method], k], caps) for method in pairs for k in budgets]
        ones = np.eye(len(upper))
        groups.append(Group(np.column_stack(upper + lower), np.hstack([ones, -ones])))
    rows = []
    found = ratio_limits(groups, alpha)
    for ((kind, d), errors), limits in zip(evidence["errors"].items(), found, strict=True):
        cells = [(method, reference, k) for method, reference in pairs.items() for k in budgets]
        for (method, reference, k), limit in zip(cells, limits, strict=True):
            medians = np.median(errors[..., k] / errors[:, :1, k], axis=0)
            ratio = inverted(limit)
            rows.append(
                {
                    "kind": kind,
                    "players": d,
                    "evaluations": PER_PLAYER[k] * d,
                    "games": len(errors),
                    "method": method,
                    "against": reference,
                    "ratio": ratio.estimate,
                    "low": ratio.low,
                    "high": ratio.high,
                    "low_alone": ratio.high_alone,
                    "error": ratio.word,
                    "median": medians[place[method]],
                    "median_against": medians[place[reference]],
                }
            )
    return rows


def _span(rows):
    low, high = (show(f(row["ratio"] for row in rows)) for f in (min, max))
    return low if low == high else f"{low} to {high}"


def verdict_on(rows, alpha):
    """All larger, each by its own limit, supports; one smaller refutes."""
    words = ("larger", "smaller", "undecided")
    numbers = {word: sum(row["error"] == word for row in rows) for word in words}
    largest = max(row["players"] for row in rows)
    parts = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        key = method.replace(", ", " ").replace("1/sqrt(t)", "root").replace(" ", "_")
        at = [row["median"] for row in mine if row["players"] == largest]
        numbers |= {f"{key}_{f.__name__}": f(row["ratio"] for row in mine) for f in (min, max)}
        numbers |= {f"{key}_median_largest": max(at)}
        parts.append(
            f"{method} against {mine[0]['against']} {_span(mine)} (median error at d = {largest} "
            f"up to {show(max(at))} of the equal split's)"
        )
    summary = (
        f"Ratios of mean errors at equal evaluations, d up to {largest}: {'; '.join(parts)}. Of "
        f"{len(rows)}, {numbers['larger']} are above 1 by limits that hold for all at once, "
        f"{numbers['smaller']} below."
    )
    status, kind = "inconclusive", "sample"
    if numbers["smaller"]:
        status, kind = "refuted", "hypothesis" if numbers["larger"] else "false"
    elif all(row["low_alone"] > 1 for row in rows):
        status, kind = "supported", "sound"
        summary += " All are above 1, each by its own limit."
    limits = tuple(
        Limit(
            f"{row['kind']}, d = {row['players']}, {row['method']}, "
            f"{row['evaluations']} evaluations",
            *(row[key] for key in ("ratio", "low", "high")),
            1 - alpha,
        )
        for row in rows
    )
    sample = {
        "kinds": len({row["kind"] for row in rows}),
        "games": min(row["games"] for row in rows),
        "dimensions": len({row["players"] for row in rows}),
    }
    return Verdict(status, summary, kind, numbers, limits, sample, tuple(rows))


def check_fixed(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if each of these steps errs more than KernelSHAP, refuted if one errs less.

    An error above that of the equal split, which costs two evaluations, counts as that one.
    """
    return verdict_on(compare(evidence, FIXED, alpha, True), alpha)


def check_free(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if KernelSHAP errs less everywhere, refuted if it errs more somewhere."""
    return verdict_on(compare(evidence, FREE, alpha, False), alpha)


CLAIMS = (
    claim(
        id="gt20-18d",
        title="A stable step alone does not help",
        heading="The experiments",
        topic="orderings",
        where="Chen et al. 2023, Section 5.2.2 and Appendix A.2, where using SGD is unhelpful",
        statement=r"Projected SGD errs more than KernelSHAP at equal evaluations, for few players "
        r"and for many, with the default step of the authors' code and with steps at half the "
        r"stability limit, $\gamma/\sqrt t$ or constant.",
        gather=gather_sweep,
        check=check_fixed,
        statistical=True,
        source="this project",
    ),
    claim(
        id="gt20-18e",
        title="KernelSHAP outperforms projected SGD",
        heading="The experiments",
        topic="orderings",
        where="Chen et al. 2023, Section 5.2.2 and Appendix A.2, beyond the step used there",
        statement=r"KernelSHAP consistently errs less than projected SGD at equal evaluations, "
        r"also with the size distribution and the steps that leave nothing to tune, without pairs "
        r"of complements or with pairs on both sides.",
        gather=gather_sweep,
        check=check_free,
        statistical=True,
        source="this project",
    ),
)
