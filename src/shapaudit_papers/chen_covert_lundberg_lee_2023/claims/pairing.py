"""Claim 3, continued: on which games pairs hurt, predicted from odd and even parts and measured."""

from typing import Any

import numpy as np

from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import Group, ratio_limits
from shapaudit_audit.audit.comparisons import out_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_ratios, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.pairing import BUDGET, PLAYERS, gather_kinds
from .common import AGNOSTIC, claim, named

STILL = 1e-9  # a variance ratio below this is zero, and so is an error of that size


def kind_rows(evidence: Evidence, alpha: float) -> list[Evidence]:
    """Return measured and predicted ratios of each kind and method, with joint limits.

    Where pairs leave no variance nothing can be estimated: the largest error is compared with
    rounding.
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
            groups.append(Group(errors, np.array([contrast for _, contrast in open_])))
            keys.append([row for row, _ in open_])
    for group, ratios in zip(keys, ratio_limits(groups, alpha), strict=True):
        for row, ratio in zip(group, ratios, strict=True):
            rows.append(row | {"ratio": ratio.estimate, "low": ratio.low, "high": ratio.high})
    return rows


def check_helps(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if pairs significantly hurt on one kind of game; supported if they help on all."""
    rows, ratios = kind_rows(evidence, alpha), evidence["ratios"]
    limits = [
        Limit(f"{r['kind']}, {r['method']}", r["ratio"], r["low"], r["high"], 1 - alpha)
        for r in rows
    ]
    walks = [row for row in rows if row["method"] == "random order"]
    missed = [r for r in walks if not r["low"] * (1 - 1e-9) <= r["predicted"] <= r["high"] + 1e-9]
    hurt = [row for row in rows if row["low"] > 1]
    study = {name: (units > 1).sum(axis=0) for name, units in ratios.items()}
    details: dict[str, Any] = {
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
        f"{_lost(walk, fit, len(ratios[name]))} on {named(name)}"
        for name, (walk, fit) in study.items()
    )
    return tell(
        by_ratios(limits),
        {
            "refuted": lambda: _told_hurt(hurt, counts),
            "supported": "Pairs help on every kind of game.",
            "inconclusive": "There is no kind of game on which pairs hurt.",
        },
        **details,
    )


def _lost(walk: int, fit: int, explicands: int) -> str:
    """Return on how many explicands both methods lose, in words."""
    if walk == fit:
        return out_of(walk, explicands)
    return f"{out_of(walk, explicands)} and {out_of(fit, explicands)}"


def _told_hurt(hurt: list[Evidence], counts: str) -> str:
    named = "; ".join(f"{row['kind']}, {row['method']} {show(row['ratio'])}" for row in hurt)
    return (
        f"Mean squared error with pairs relative to that without, with {BUDGET} evaluations and "
        f"$d={PLAYERS}$: {named}. Pairs help if the even part of the game varies more than the "
        "odd part, and otherwise cost up to a factor of two. According to the exact ratios, "
        f"random order and least squares with pairs are worse for {counts}."
    )


CLAIMS = (
    claim(
        id="ccll23-03c",
        title="Antithetic sampling on every kind of game",
        heading="Antithetic sampling",
        topic="orderings",
        where=f"{AGNOSTIC}, last paragraph, taken without exception",
        statement="Antithetic sampling reduces the error at equal evaluations on every kind of "
        "game.",
        gather=gather_kinds,
        check=check_helps,
        falls="hypothesis",
        statistical=True,
        source="this project",
        matters="Pairs double the variance of a majority of an odd number of players; the even "
        "part of the game has to vary more than the odd one.",
    ),
)
