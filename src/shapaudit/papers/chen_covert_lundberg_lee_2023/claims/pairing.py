"""Claim 3: antithetic sampling, predicted from the odd and even parts of a game and measured."""

import numpy as np

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import by_ratios, tell
from shapaudit.audit.verdict import Verdict
from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import MINIMUM_UNITS, Group, Ratio, ratio_limits
from shapaudit.statistics.typical import typical_limits

from ..evidence.pairing import BUDGET, DATA, METHODS, PLAYERS, gather_kinds, gather_study
from .common import APPENDIX, claim

MILD = 0.5  # pairs are worth less than twice the samples
STILL = 1e-9  # a variance ratio below this is zero, and so is an error of that size


def typical_ratios(ratios: dict[str, np.ndarray], alpha: float) -> list[list[Ratio]]:
    """Median ratio over each game's pairs, by method, with limits for all of them together.

    A ratio lies between 0 and 2, which is all that is said of games with too few pairs.
    """
    groups = {
        name: Group(units, np.eye(units.shape[1]))
        for name, units in ratios.items()
        if len(units) >= MINIMUM_UNITS
    }
    found = dict(zip(groups, typical_limits(list(groups.values()), alpha), strict=True))
    return [
        found.get(name, [Ratio(ratio, 0.0, 2.0, 2.0) for ratio in np.median(units, axis=0)])
        for name, units in ratios.items()
    ]


def _mild_rows(ratios: dict[str, np.ndarray], alpha: float) -> list[Evidence]:
    return [
        {
            "game": name,
            "method": method,
            "pairs": len(ratios[name]),
            "ratio": ratio.estimate,
            "low": ratio.low,
            "high": ratio.high,
            "mean": ratios[name][:, k].mean(),
            "smallest": ratios[name][:, k].min(),
            "largest": ratios[name][:, k].max(),
            "hurt": int((ratios[name][:, k] > 1).sum()),
        }
        for name, found in zip(ratios, typical_ratios(ratios, alpha), strict=True)
        for k, (method, ratio) in enumerate(zip(METHODS, found, strict=True))
    ]


def _limits(rows: list[Evidence], label: str, ratio: str, alpha: float) -> list[Limit]:
    return [
        Limit(f"{r[label]}, {r['method']}", r[ratio], r["low"], r["high"], 1 - alpha) for r in rows
    ]


def check_mild(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if the limits on diabetes lie between 1/2 and 1; refuted if one is beyond."""
    ratios, printed = evidence["ratios"], evidence["printed"]
    rows = _mild_rows(ratios, alpha)
    details = {
        "numbers": {"printed_smallest": min(printed), "printed_largest": max(printed)},
        "limits": _limits(rows, "game", "ratio", alpha),
        "sample": {"games": len(ratios), "pairs": min(row["pairs"] for row in rows)},
        "rows": rows,
    }
    own = [row for row in rows if row["game"] == DATA]
    if not own:
        return Verdict("inconclusive", f"The study has no game {DATA}.", **details)
    hurt, large = (any(row["low"] > 1 for row in own), any(row["high"] < MILD for row in own))
    mild = all(row["low"] > MILD and row["high"] < 1 for row in own)
    found = _told_ratios(own, printed)
    return tell(
        "refuted" if hurt or large else "supported" if mild else "inconclusive",
        {
            "refuted": f"{found} Pairs hurt."
            if hurt
            else f"{found} For most pairs the even part outweighs the odd one by far, and "
            "complements take it away: one pair of explicand and baseline says little of the "
            "others.",
            "supported": found,
            "inconclusive": found,
        },
        **details,
    )


def _told_ratios(own: list[Evidence], printed: list[float]) -> str:
    typical = " and ".join(f"{show(row['ratio'])} ({row['method']})" for row in own)
    smallest, largest = min(row["smallest"] for row in own), max(row["largest"] for row in own)
    return (
        f"Exact ratios of variances at equal evaluations, over {own[0]['pairs']} pairs of "
        f"explicand and baseline on {DATA}: {typical} on a typical one, from {show(smallest)} to "
        f"{show(largest)}; the paper's tables, for one pair and another model, have "
        f"{show(min(printed))} to {show(max(printed))}."
    )


def kind_rows(evidence: Evidence, alpha: float) -> list[Evidence]:
    """Measured and predicted ratio of each kind and method, limits for all of them together.

    Where no variance is left in pairs there is nothing to estimate: the largest error is compared
    with rounding.
    """
    contrasts = {"random order": [-1, 1, 0, 0], "least squares": [0, 0, -1, 1]}
    groups, keys, rows = [], [], []
    for name, errors in evidence["errors"].items():
        open_ = []
        for k, (method, contrast) in enumerate(contrasts.items()):
            predicted = evidence["predicted"][name][k]
            row = {"kind": name, "method": method, "predicted": predicted, "runs": len(errors)}
            if predicted > STILL:
                open_.append((row, contrast))
            else:
                worst = float(errors[:, 2 * k + 1].max())
                measured = 0.0 if worst < STILL**2 else worst / errors[:, 2 * k].mean()
                rows.append(row | {"ratio": measured, "low": measured, "high": measured})
        if open_:
            groups.append(Group(errors, [contrast for _, contrast in open_]))
            keys.append([row for row, _ in open_])
    for group, found in zip(keys, ratio_limits(groups, alpha), strict=True):
        for row, one in zip(group, found, strict=True):
            rows.append(row | {"ratio": one.estimate, "low": one.low, "high": one.high})
    return rows


def check_helps(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if pairs significantly hurt on one kind of game; supported if they help on all."""
    rows, ratios = kind_rows(evidence, alpha), evidence["ratios"]
    limits = _limits(rows, "kind", "ratio", alpha)
    walks = [row for row in rows if row["method"] == "random order"]
    missed = [r for r in walks if not r["low"] * (1 - 1e-9) <= r["predicted"] <= r["high"] + 1e-9]
    hurt = [row for row in rows if row["low"] > 1]
    study = {name: (units > 1).sum(axis=0) for name, units in ratios.items()}
    details = {
        "numbers": {
            "hurt": len(hurt),
            "predictions_missed": len(missed),
            "study_walks_hurt": sum(count[0] for count in study.values()),
            "study_least_squares_hurt": sum(count[1] for count in study.values()),
        },
        "limits": limits,
        "sample": {"kinds": len(evidence["errors"]), "runs": rows[0]["runs"]},
        "rows": rows,
    }
    if missed:
        names = ", ".join(row["kind"] for row in missed)
        text = f"The variance of the walks is not the predicted one for: {names}."
        return Verdict("inconclusive", text, **details)
    counts = ", ".join(
        f"{walk} and {fit} of {len(ratios[name])} on {name}" for name, (walk, fit) in study.items()
    )
    return tell(
        by_ratios(limits),
        {
            "refuted": lambda: _told_hurt(hurt, counts),
            "supported": "Pairs help on every kind of game.",
            "inconclusive": "No kind of game on which pairs hurt.",
        },
        **details,
    )


def _told_hurt(hurt: list[Evidence], counts: str) -> str:
    named = "; ".join(f"{row['kind']}, {row['method']} {show(row['ratio'])}" for row in hurt)
    return (
        f"Mean squared error in pairs over that without, {BUDGET} evaluations, d = {PLAYERS}: "
        f"{named}. Pairs help when the even part of the game varies more than the odd one, and "
        "cost up to a factor of two when not. By the exact ratios, random order and least "
        f"squares in pairs lose for {counts}."
    )


CLAIMS = (
    claim(
        id="ccll23-03a",
        title="Antithetic sampling on diabetes",
        heading="Antithetic sampling",
        topic="orderings",
        where=f"{APPENDIX}, last paragraph; Tables 2 and 5",
        words="antithetic and adaptive sampling are only mildly helpful",
        statement=r"In the diabetes dataset, which has a small number of features, antithetic "
        r"sampling is only mildly helpful. (Here: at equal evaluations, variances between half and "
        r"all of those without.)",
        gather=gather_study,
        check=check_mild,
        statistical=True,
    ),
    claim(
        id="ccll23-03b",
        title="Antithetic sampling helps",
        heading="Antithetic sampling",
        topic="orderings",
        where=f"Section 5.2.1, last paragraph; {APPENDIX}, last paragraph",
        words="antithetic sampling, is easy to implement and effective ... Antithetic and "
        "adaptive sampling are largely helpful",
        statement=r"Antithetic sampling is easy to implement and effective; antithetic sampling is "
        r"largely helpful. (Here: it lowers the error at equal evaluations.)",
        gather=gather_kinds,
        check=check_helps,
        falls="hypothesis",
        statistical=True,
    ),
)
