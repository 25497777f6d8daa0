"""Claim 1: which estimator converges fastest on the benchmark's data, over many explicands."""

from dataclasses import replace

import numpy as np

from shapaudit.statistics.limits import MINIMUM_UNITS, Limit
from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import count_words, limits_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.fastest import DATA, PAPER, RUNS, SINCE, WINNER, gather_errors
from .common import BENCHMARK, claim, named, trees


def compare(evidence: Evidence, rivals: list[str], alpha: float) -> list[Evidence]:
    """Return rows with the typical error of paired KernelSHAP over that of a rival.

    The limits hold for all rows together. The first explicand of the paper's own games was picked
    by hand, hence is no random draw, and is left out.
    """
    methods, groups, cells = [*PAPER, *SINCE], [], []
    for name, everything in evidence["errors"].items():
        errors = everything[1:] if name in evidence["picked"] else everything
        budgets = evidence["budgets"][name]
        if len(errors) < MINIMUM_UNITS:
            continue
        wanted = [(rival, k) for rival in rivals for k in range(len(budgets))]
        exponents = np.zeros((len(wanted), len(methods), len(budgets)))
        for row, (rival, k) in zip(exponents, wanted, strict=True):
            row[methods.index(WINNER), k] = 1
            row[methods.index(rival), k] = -1
        # Shapley values met to all digits leave errors of zero.
        units = errors.reshape(len(errors), -1).clip(min=1e-300)
        groups.append(Group(units, exponents.reshape(len(wanted), -1)))
        cells.append([(name, len(errors), rival, budgets[k]) for rival, k in wanted])
    ratios = typical_limits(groups, alpha) if groups else []
    return [
        {
            "game": name,
            "explicands": explicands,
            "rival": rival,
            "evaluations": budget,
            **limit.row(),
            "error": limit.word,
        }
        for places, limits in zip(cells, ratios, strict=True)
        for (name, explicands, rival, budget), limit in zip(places, limits, strict=True)
    ]


def _without_data(evidence: Evidence, alpha: float) -> Verdict:
    return Verdict(
        "inconclusive",
        f"The study has no tables of at least {MINIMUM_UNITS} explicands on {' or '.join(DATA)}.",
        limits=(Limit("ratio of errors, no data", 1.0, 0.0, 1e300, 1 - alpha),),
        sample={"games": 0},
        rows=({"games": len(evidence["errors"]), "with_enough_explicands": 0},),
    )


def judge(evidence: Evidence, rivals: list[str], alpha: float) -> Verdict:
    """Supported if all ratios are below 1 by their own limits; refuted if one is above, jointly.

    Where one of the data sets is missing, nothing is supported.
    """
    rows = compare(evidence, rivals, alpha)
    if not rows:
        return _without_data(evidence, alpha)
    counts = count_words(rows, ("smaller", "larger"))
    closest = max(rows, key=lambda row: row["ratio"])
    games = list(dict.fromkeys(row["game"] for row in rows))
    summary = (
        f"Typical errors on explicands of {', '.join(map(named, games))} at "
        f"{', '.join(map(str, dict.fromkeys(row['evaluations'] for row in rows)))} evaluations: "
        f"of {len(rows)} ratios of the error of paired KernelSHAP to that of a rival, "
        f"{counts['smaller']} are below 1 by simultaneous limits and {counts['larger']} above; "
        f"the largest is {show(closest['ratio'])} ({closest['rival']} at "
        f"{closest['evaluations']}). {_told_faster(rows, games)}"
    )
    status = by_own_limits(rows)
    return Verdict(
        "inconclusive" if status == "supported" and _missing(games) else status,
        summary.replace("_", "-"),  # plain text, as a verdict has it
        numbers={**counts, "largest_ratio": closest["ratio"]},
        limits=limits_of(
            rows,
            lambda row: f"{named(row['game'])}, {row['rival']}, {row['evaluations']} evaluations",
            alpha,
        ),
        sample={
            "games": len(games),
            "explicands": min(row["explicands"] for row in rows),
            "runs": RUNS,
        },
        rows=rows,
    )


def _told_faster(rows: list[Evidence], games: list[str]) -> str:
    faster = dict.fromkeys(row["rival"] for row in rows if row["error"] == "larger")
    missing = [name for name in DATA if name in _missing(games)]
    return (
        f"Significantly less error: {', '.join(faster)}."
        if faster
        else "No other method has a significantly smaller error."
    ) + (f" Not run here: {', '.join(missing)}." if missing else "")


def _missing(games: list[str]) -> set[str]:
    return {name for name in DATA if not any(name in game for game in games)}


def check_paper(evidence: Evidence, alpha: float) -> Verdict:
    """Against the other estimators of the paper, at every budget.

    In the paper's setting the expected errors on its explicand and the printed tables decide.
    """
    verdict = judge(evidence, [name for name in PAPER if name != WINNER], alpha)
    return replace(verdict, setting=_rule_on_printed_explicand(evidence))


def _rule_on_printed_explicand(evidence: Evidence) -> Ruling:
    printed = " and ".join(
        f"{sum(name == WINNER for name in best)} of {len(best)} columns of those on {data}"
        for data, best in evidence["best_printed"].items()
    )
    tables = f"In the printed tables its error is the smallest in {printed}."
    expected = evidence["expected"]
    if not expected:
        return Ruling("inconclusive", f"The study has no tables of the paper's models. {tables}")
    told = "; ".join(
        f"{show(ratios[0])} with {trees(name)}, and at most "
        f"{show(max(ratios[1:], default=ratios[0]))} on {len(ratios) - 1} others"
        for name, ratios in expected.items()
    )
    slower = any(ratios[0] > 1 for ratios in expected.values())
    least = all(2 * best.count(WINNER) > len(best) for best in evidence["best_printed"].values())
    return Ruling(
        "supported" if least and not slower else "refuted",
        "The largest ratio of its expected squared error to that of another single-stage method, "
        f"at the published numbers of samples on the printed explicand, is: {told}. {tables}",
    )


def check_since(evidence: Evidence, alpha: float) -> Verdict:
    """Against estimators that the paper does not run."""
    return judge(evidence, list(SINCE), alpha)


CLAIMS = (
    claim(
        id="ccll23-01a",
        title="Paired KernelSHAP converges fastest",
        heading="The fastest",
        topic="orderings",
        where=f"{BENCHMARK}, second paragraph; Figure 5",
        words="the anthithetic version of KernelSHAP converges fastest to the true Shapley values",
        statement=r"On the diabetes and NHANES data, KernelSHAP with antithetic sampling converges "
        rf"fastest of {len(PAPER)} estimators.",
        hedges="“a single explicand and baseline on XGB models with 100 trees”; the "
        "figure compares “the most competitive variant of each stochastic estimator”, chosen by "
        "its error at the largest number of samples. “Fastest” is interpreted as the smallest "
        "error at the numbers of samples considered.",
        setting="One explicand and one baseline of the diabetes data (10 features) and of NHANES "
        "(79 features), boosted trees, 500 to 100,000 samples. In general: other explicands and "
        "other trees, below the evaluations of enumeration.",
        matters="The claim holds for the estimators that were run.",
        gather=gather_errors,
        check=check_paper,
        statistical=True,
    ),
    claim(
        id="ccll23-01b",
        title="Paired KernelSHAP against estimators outside the benchmark",
        heading="The fastest",
        topic="orderings",
        where=f"{BENCHMARK}, beyond what is run there",
        statement=r"Paired KernelSHAP converges fastest on these data also among estimators that "
        r"enumerate or stratify sizes, draw distinct coalitions, fit interactions, or use "
        r"complementary contributions or Sobol orders.",
        matters="Stratified least squares and fits of interactions need fewer evaluations.",
        gather=gather_errors,
        check=check_since,
        falls="hypothesis",
        statistical=True,
        source="this project",
    ),
)
