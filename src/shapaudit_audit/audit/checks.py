"""Checks that claims of several papers share."""

from collections.abc import Mapping, Sequence

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits

from .comparisons import count_words, limits_of, out_of, span
from .evidence import Evidence
from .judges import by_identity, by_own_limits, tell
from .numbers_in_words import show
from .verdict import Verdict


def check_uniform_sizes(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when, for a uniform q, every size of a coalition has the weight 1/d, case by case."""
    return by_identity(
        evidence["cases"],
        "With a uniform $q$ every size of the coalition has probability $1/d$, for every $d$ from "
        f"2 to {evidence['max_dimension']} in exact arithmetic and for all $d$ by the Beta "
        "integral.",
        lambda case: f"{case.label}: weight {case.left}, not {case.right}.",
        consequence=None,
        numbers={"max_dimension": evidence["max_dimension"]},
        shown_by="prop:chen-sizes",
    )


def compare_methods(
    evidence: Evidence,
    per_player: Sequence[int],
    pairs: Mapping[str, str],
    alpha: float,
    capped: bool,
) -> list[Evidence]:
    """Rows: typical ratio of errors by kind, d, method, budget, with limits for all together.

    ``evidence`` has errors (games, methods, budgets) by kind and d, those of the equal split first,
    and the names of the methods; the budgets are ``per_player`` evaluations for each player.
    ``pairs`` maps a method to the method that it is compared with. A ratio is the median over
    games. When ``capped``, an error of the method above the error of the equal split counts as the
    latter, so that no diverged run decides: a ratio can then only be too small. ``low_alone`` is
    the ratio's own lower limit. Medians are those of the errors, over the error of the equal split.
    """
    place = {name: k for k, name in enumerate(evidence["methods"])}
    cells = [(name, other, k) for name, other in pairs.items() for k in range(len(per_player))]
    at = [(place[method], place[reference], k) for method, reference, k in cells]
    groups = [_group(errors, at, capped) for errors in evidence["errors"].values()]
    rows = []
    joint = typical_limits(groups, alpha)
    for ((kind, d), errors), limits in zip(evidence["errors"].items(), joint, strict=True):
        for (method, reference, k), limit in zip(cells, limits, strict=True):
            medians = np.median(errors[..., k] / errors[:, :1, k], axis=0)
            ratio = limit.inverted()
            rows.append(
                {
                    "kind": kind,
                    "players": d,
                    "evaluations": per_player[k] * d,
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


def _group(errors: np.ndarray, cells: Sequence[tuple[int, int, int]], capped: bool) -> Group:
    """Reference over method, so that the limit that a ratio has alone is an upper limit."""
    upper = [errors[:, reference, k] for _, reference, k in cells]
    caps = errors[:, 0, 0] if capped else np.inf
    lower = [np.minimum(errors[:, method, k], caps) for method, _, k in cells]
    ones = np.eye(len(cells))
    return Group(np.column_stack(upper + lower), np.hstack([ones, -ones]))


def _by_method(rows: Sequence[Evidence], largest: int) -> tuple[dict[str, float], str]:
    """Numbers and words on each method: its ratios, its median error for ``largest`` players."""
    numbers: dict[str, float] = {}
    parts = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        key = method.replace(", ", " ").replace("1/sqrt(t)", "root").replace(" ", "_")
        median = max(row["median"] for row in mine if row["players"] == largest)
        ratios = [row["ratio"] for row in mine]
        numbers |= {f"{key}_min": min(ratios), f"{key}_max": max(ratios)}
        numbers |= {f"{key}_median_largest": median}
        parts.append(
            f"{method} against {mine[0]['against']} {span(ratios)} (median error at d = {largest} "
            f"up to {show(median)} of the equal split's)"
        )
    return numbers, "; ".join(parts)


def judge_larger(rows: Sequence[Evidence], alpha: float) -> Verdict:
    """Supported when all ratios exceed 1, each by its own limit; refuted when some are below 1.

    ``rows`` are those of `compare_methods`. A claim with significant ratios on both sides of 1
    lacks a hypothesis.
    """
    counts = count_words(rows, ("larger", "smaller", "undecided"))
    largest = max(row["players"] for row in rows)
    numbers, parts = _by_method(rows, largest)
    status = by_own_limits(rows, larger=True)
    text = (
        f"Typical ratios of errors at equal evaluations, $d$ up to {largest}: {parts}. Above 1, "
        f"by simultaneous limits: {out_of(counts['larger'], len(rows))}; below: "
        f"{out_of(counts['smaller'], len(rows))}."
    )
    return tell(
        status,
        {
            "refuted": text,
            "supported": f"{text} All are above 1, each by its own limit.",
            "inconclusive": text,
        },
        "hypothesis" if status == "refuted" and counts["larger"] else None,
        numbers=counts | numbers,
        limits=limits_of(
            rows,
            lambda row: (
                f"{row['kind']}, d = {row['players']}, {row['method']}, "
                f"{row['evaluations']} evaluations"
            ),
            alpha,
        ),
        sample={
            "kinds": len({row["kind"] for row in rows}),
            "games": min(row["games"] for row in rows),
            "dimensions": len({row["players"] for row in rows}),
        },
        rows=rows,
    )
