"""Claim 2: adaptive sampling where many players contribute nothing."""

from collections.abc import Iterable

import numpy as np

from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import count_words, limits_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.adaptive import ADAPTIVE, BUDGETS, NULL, PAIRED, RELEVANT, RIVALS, gather_errors
from .common import BENCHMARK, claim


def compare(errors: dict[int, np.ndarray], alpha: float) -> list[Evidence]:
    """Return rows with the typical error of an adaptive method over that of a rival.

    The limits hold for all rows together.
    """
    names, shape = [*ADAPTIVE, *RIVALS], (len(ADAPTIVE) + len(RIVALS), len(BUDGETS))
    cells = [(a, r, k) for a in ADAPTIVE for r in RIVALS for k in range(len(BUDGETS))]
    contrasts = np.zeros((len(cells), *shape))
    for row, (adaptive, rival, k) in enumerate(cells):
        contrasts[row, names.index(adaptive), k] = 1
        contrasts[row, names.index(rival), k] = -1
    exponents = contrasts.reshape(len(cells), -1)
    groups = [Group(units.reshape(len(units), -1), exponents) for units in errors.values()]
    return [
        {
            "null_players": null,
            "method": adaptive,
            "against": rival,
            "evaluations": BUDGETS[k],
            "games": len(errors[null]),
            "error_against": errors[null][:, names.index(rival), k].mean(),
            **limit.row(),
            "error": limit.word,
        }
        for null, limits in zip(errors, typical_limits(groups, alpha), strict=True)
        for (adaptive, rival, k), limit in zip(cells, limits, strict=True)
    ]


def wins_from(rows: list[Evidence], null: int, method: str, key: str) -> int:
    """Return the smallest budget from which ``row[key]`` is below 1 against all rivals, or 0.

    The result is 0 where there is no such budget. "ratio" compares the median ratios over
    games, "high" the upper limits, which hold for all rows together.
    """
    first = 0
    for budget in reversed(BUDGETS):
        cell = (null, method, budget)
        here = [r for r in rows if (r["null_players"], r["method"], r["evaluations"]) == cell]
        if any(row[key] >= 1 for row in here):
            break
        first = budget
    return first


def _span(rows: list[Evidence]) -> tuple[float, float]:
    ratios = [row["ratio"] for row in rows]
    return min(ratios), max(ratios)


def _limits(rows: list[Evidence], alpha: float) -> tuple[Limit, ...]:
    return limits_of(
        rows,
        lambda row: (
            f"{row['method']} over {row['against']}, {row['null_players']} null, "
            f"{row['evaluations']} evaluations"
        ),
        alpha,
    )


def _leads(rows: list[Evidence], counts: Iterable[int]) -> tuple[dict[str, int], str]:
    """Return from which budget each method is ahead, as numbers and words, by null players."""
    numbers: dict[str, int] = {}
    told = []
    for null in counts:
        parts = []
        for method in ADAPTIVE:
            ahead, sure = (wins_from(rows, null, method, key) for key in ("ratio", "high"))
            key = method.replace(" ", "_")
            numbers |= {f"{key}_ahead_{null}": ahead, f"{key}_sure_{null}": sure}
            parts.append(f"{method} {ahead or 'never'} ({sure or 'never'})")
        told.append(f"with {null}, {' and '.join(parts)}")
    return numbers, "; ".join(told)


def check_null_players(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if an adaptive method beats all rivals, refuted if none does.

    The largest budget with the most null players decides; each method has its share of alpha.
    """
    share = alpha / len(ADAPTIVE)
    rows = compare(evidence["errors"], share)
    most, largest = max(evidence["errors"]), BUDGETS[-1]
    last = [r for r in rows if r["null_players"] == most and r["evaluations"] == largest]
    low, high = _span(last)
    leads, told = _leads(rows, evidence["errors"])
    statuses = {by_own_limits(r for r in last if r["method"] == method) for method in ADAPTIVE}
    slower = slowdowns(evidence["errors"])
    steadiest = min(slower, key=slower.__getitem__)
    status = "supported" if "supported" in statuses else "inconclusive"
    return Verdict(
        "refuted" if statuses == {"refuted"} else status,
        f"{RELEVANT} relevant players, {most} null players and {largest} evaluations: on a "
        f"typical game the errors of the adaptive methods are {show(low)} to {show(high)} times "
        f"those of {', '.join(RIVALS)}. They are ahead of all three from the following numbers of "
        f"evaluations onwards (in brackets: significantly), by number of null players: {told}. Of "
        f"all methods, {steadiest} is slowed down least by the null players: "
        f"its mean error grows by the factor {show(min(slower.values()))}, that of the others by "
        f"up to {show(max(slower.values()))}.",
        numbers={"least_ratio": low, "largest_ratio": high, **leads},
        setting=Ruling(
            "inconclusive",
            "The blog data are downloaded and run in the full study only. In the tables printed "
            f"for them the method of least error is {_told_best(evidence['best_printed'])}; IME, "
            "which the sentence names, has the least error in "
            f"{_won_by_ime(evidence['best_printed'])}.",
        ),
        limits=_limits(last, share),
        sample={"games": last[0]["games"], "ratios": len(rows)},
        rows=rows,
    )


def slowdowns(errors: dict[int, np.ndarray]) -> dict[str, float]:
    """Return, by method, the mean error with the most null players over the error without any.

    The errors are those at the largest budget.
    """
    most = max(errors)
    factors = errors[most][:, :, -1].mean(axis=0) / errors[0][:, :, -1].mean(axis=0)
    return dict(zip((*ADAPTIVE, *RIVALS), factors.tolist(), strict=True))


def _told_best(best: list[str]) -> str:
    counts = {name: best.count(name) for name in dict.fromkeys(best)}
    told = ", ".join(f"{name.replace('_', '-')} in {count}" for name, count in counts.items())
    return f"{told} of {len(best)} columns"


def _won_by_ime(best: list[str]) -> int:
    """IME is the random order by feature of the tables."""
    return sum(name.startswith("ROF") for name in best)


def check_dropped(evidence: Evidence, alpha: float) -> Verdict:
    """Judge the errors among the relevant players only.

    One ratio significantly above 1 refutes the claim, all ratios below 1 support it.
    """
    rows = compare({0: evidence["errors"][0]}, alpha)
    low, high = _span([row for row in rows if row["against"] == PAIRED])
    least, most = _span(rows)
    counts = count_words(rows, ("larger", "smaller"))
    return Verdict(
        by_own_limits(rows),
        "If the null players are omitted for all methods at the same budgets, the errors of the "
        f"adaptive methods are {show(low)} to {show(high)} times those of paired KernelSHAP; of "
        f"{len(rows)} ratios, {counts['larger']} are significantly above 1 and "
        f"{counts['smaller']} below. From {1 << RELEVANT} evaluations onwards, enumeration is "
        "exact.",
        numbers={
            "least_ratio": least,
            "largest_ratio": most,
            **counts,
            "least_ratio_paired_kernel": low,
            "largest_ratio_paired_kernel": high,
            "coalitions": 1 << RELEVANT,
        },
        limits=_limits(rows, alpha),
        sample={"games": rows[0]["games"], "ratios": len(rows)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-02a",
        title="Adaptive sampling with many null players",
        heading="Adaptive sampling",
        topic="orderings",
        where=f"{BENCHMARK}, second paragraph; Figures 5, 10 and 11",
        words="IME and multilinear (feature) converge fastest, likely due to their use of "
        "adaptive sampling ... are least affected",
        statement=r"On blog, with 280 features, IME and multilinear (feature) converge fastest, "
        r"likely due to adaptive sampling, which is hypothesised to be important in the "
        r"presence of "
        r"many features. On the diabetes data with 100 zero features adaptive approaches are least "
        r"affected.",
        hedges="“we observe”, “likely due to”, “we hypothesize”, “we find”. “Least affected” does "
        "not mean “least error”.",
        setting="One explicand of the blog data and one of the diabetes data with 100 zero "
        f"features. In general: generated games of {RELEVANT} relevant and {NULL[-1]} null "
        f"players, after {BUDGETS[-1]} evaluations, where one of {len(ADAPTIVE)} adaptive methods "
        f"has to have a smaller error than {len(RIVALS)} rivals.",
        matters="Adaptive sampling is worthwhile if many players contribute nothing and it is not "
        "known in advance which.",
        gather=gather_errors,
        check=check_null_players,
        statistical=True,
    ),
    claim(
        id="ccll23-02b",
        title="Adaptive sampling without the players known to be null",
        heading="Adaptive sampling",
        topic="orderings",
        where=f"{BENCHMARK}, beyond what is run there",
        statement="The advantage of adaptive sampling does not depend on players with $x_i=r_i$, "
        "which are null for any model: it remains when they are omitted for every estimator.",
        gather=gather_errors,
        check=check_dropped,
        falls="hypothesis",
        statistical=True,
        source="this project",
        matters="Players that are known to be null should be omitted rather than sampled "
        "adaptively.",
    ),
)
