"""Claim 2: adaptive sampling where many players contribute nothing."""

from collections.abc import Iterable

import numpy as np

from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import Group, ratio_limits
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import count_words, limits_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.adaptive import (
    ADAPTIVE,
    AT,
    BUDGETS,
    NULL,
    PAIRED,
    RELEVANT,
    RIVALS,
    RUNS,
    gather_errors,
)
from .common import BENCHMARK, claim, trees


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

    The largest budget with the most null players decides; each method has its share of alpha. In
    the paper's setting the printed tables do.
    """
    share = alpha / len(ADAPTIVE)
    rows = compare(evidence["errors"], share)
    most, largest = max(evidence["errors"]), BUDGETS[-1]
    last = [r for r in rows if r["null_players"] == most and r["evaluations"] == largest]
    low, high = _span(last)
    leads, told = _leads(rows, evidence["errors"])
    statuses = {by_own_limits(r for r in last if r["method"] == method) for method in ADAPTIVE}
    status = "supported" if "supported" in statuses else "inconclusive"
    return Verdict(
        "refuted" if statuses == {"refuted"} else status,
        f"{RELEVANT} relevant players, {most} null players and {largest} evaluations: on a "
        f"typical game the errors of the adaptive methods are {show(low)} to {show(high)} times "
        f"those of {', '.join(RIVALS)}. They are ahead of all three from the following numbers of "
        f"evaluations onwards (in brackets: significantly), by number of null players: {told}.",
        numbers={"least_ratio": low, "largest_ratio": high, **leads},
        setting=_in_the_tables(evidence["places"]),
        limits=_limits(last, share),
        sample={"games": last[0]["games"], "ratios": len(rows)},
        rows=rows,
    )


def _in_the_tables(places: dict[int, list[int]]) -> Ruling:
    """Return the ruling by the columns of the tables that have both adaptive methods."""
    ahead = [n for n, taken in places.items() if taken == list(range(1, 1 + len(taken)))]
    told = ", ".join(f"{n:,}" for n in ahead) or "none"
    return Ruling(
        "supported" if 2 * len(ahead) > len(places) else "refuted",
        "In the printed tables on the blog data the two adaptive methods have the two smallest "
        f"errors at the following numbers of samples: {told}, of {len(places)} at which both are "
        "printed.",
    )


def growth(columns: dict[int, np.ndarray], alpha: float, typical: bool) -> list[Evidence]:
    """Return rows: how much more the null players slow down an adaptive method than a rival.

    ``columns`` are errors (units, methods) without and with null players. A ratio is that of the
    factors by which the two errors grow, of a ``typical`` unit or of means; the limits hold for
    all rows together.
    """
    names = [*ADAPTIVE, *RIVALS]
    cells = [(a, r) for a in ADAPTIVE for r in RIVALS]
    none, most = min(columns), max(columns)
    contrasts = np.zeros((len(cells), 2, len(names)))
    for row, (adaptive, rival) in zip(contrasts, cells, strict=True):
        row[:, names.index(adaptive)] = -1, 1
        row[:, names.index(rival)] = 1, -1
    units = np.stack([columns[none], columns[most]], axis=1)
    group = Group(units.reshape(len(units), -1), contrasts.reshape(len(cells), -1))
    (limits,) = (typical_limits if typical else ratio_limits)([group], alpha)
    return [
        {"method": a, "against": r, "units": len(units), **limit.row(), "error": limit.word}
        for (a, r), limit in zip(cells, limits, strict=True)
    ]


def factors_of(columns: dict[int, np.ndarray]) -> dict[str, float]:
    """Return, by method, the mean error with the most null players over that without any."""
    means = columns[max(columns)].mean(axis=0) / columns[min(columns)].mean(axis=0)
    return dict(zip((*ADAPTIVE, *RIVALS), means.tolist(), strict=True))


def check_affected(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if null players slow down all rivals more than all adaptive methods.

    In the paper's setting the runs on the printed explicand decide.
    """
    last = {null: errors[..., -1] for null, errors in evidence["errors"].items()}
    rows = growth(last, alpha / 2, typical=True)
    factors = factors_of(last)
    return Verdict(
        by_own_limits(rows),
        f"With {max(last)} null players beside {RELEVANT} others the mean error over generated "
        f"games after {BUDGETS[-1]} evaluations grows by the factors {_told(factors)}.",
        numbers={name.replace(" ", "_"): factor for name, factor in factors.items()},
        setting=_on_the_printed_explicand(evidence["own"], alpha / 2),
        limits=limits_of(rows, lambda row: f"{row['method']} over {row['against']}", alpha / 2),
        sample={"games": rows[0]["units"], "ratios": len(rows)},
        rows=rows,
    )


def _on_the_printed_explicand(own: dict[str, dict], alpha: float) -> Ruling:
    if not own:
        return Ruling("inconclusive", "The study has no tables of the paper's models.")
    statuses = {by_own_limits(growth(runs, alpha, typical=False)) for runs in own.values()}
    status = "supported" if statuses == {"supported"} else "inconclusive"
    told = "; ".join(f"{trees(name)}, {_told(factors_of(runs))}" for name, runs in own.items())
    return Ruling(
        "refuted" if "refuted" in statuses else status,
        f"On the printed explicand with {NULL[-1]} zero features the mean squared error after "
        f"{AT:,} evaluations grows by the following factors over {RUNS} runs: {told}.",
    )


def _told(factors: dict[str, float]) -> str:
    return ", ".join(f"{show(factor)} ({name})" for name, factor in factors.items())


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
        where=f"{BENCHMARK}, second paragraph; Figure 5",
        words="IME and multilinear (feature) converge fastest, likely due to their use of "
        "adaptive sampling",
        statement=r"On blog, with 280 features, IME and multilinear (feature) converge fastest, "
        r"likely due to adaptive sampling, which is hypothesised to be important in the "
        r"presence of many features.",
        hedges="“we observe”, “likely due to”, “we hypothesize”. The explicand is, in the words of "
        "the public notebook, one “for which attributions are less sparse”, which the paper does "
        "not say.",
        setting="One explicand of the blog data, Tables 4 and 7. In general: generated games of "
        f"{RELEVANT} relevant and {NULL[-1]} null players, after {BUDGETS[-1]} evaluations, where "
        f"one of {len(ADAPTIVE)} adaptive methods has to have a smaller error than {len(RIVALS)} "
        "rivals.",
        matters="Adaptive sampling is worthwhile if many players contribute nothing and it is not "
        "known in advance which.",
        gather=gather_errors,
        check=check_null_players,
        statistical=True,
    ),
    claim(
        id="ccll23-02c",
        title="Zero features and adaptive sampling",
        heading="Adaptive sampling",
        topic="orderings",
        where=f"{BENCHMARK}, second paragraph; Figures 10 and 11",
        words="the dummy features slow convergence and that the adaptive sampling approaches are "
        "least affected",
        statement="If features without any effect are added, adaptive sampling approaches are "
        "slowed down least.",
        hedges="“we find”, “likely because they can determine which features converge rapidly”. "
        "“Least affected” does not mean “least error”.",
        setting=f"The printed explicand of the diabetes data with {NULL[-1]} zero features, "
        "boosted trees. In general: generated games.",
        matters="Features without effect cost adaptive methods little, whether or not these are "
        "the best ones.",
        gather=gather_errors,
        check=check_affected,
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
