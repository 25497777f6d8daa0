"""Claim 4: the bias of KernelSHAP against what it buys."""

import numpy as np

from shapaudit.statistics.limits import MINIMUM_UNITS, Limit
from shapaudit.statistics.simultaneous import Group, Ratio, ratio_limits
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.bias import PER_PLAYER, gather_runs
from .common import COVERT, claim

MODERATE = 4  # from here on the claim is taken at its word
NEGLIGIBLE = 0.02  # of the mean squared error: without it the error would be one per cent less


def bias_rows(moments: dict[str, np.ndarray], alpha: float) -> list[Evidence]:
    """Shares of the squared bias and ratios of mean squared errors, limits for all together.

    Mean squared error over variance is a ratio r of means over explicands, and the share 1 - 1/r;
    the ratio to the unbiased version is that of a typical explicand. Half of alpha is for either,
    all of it for a limit alone.
    """
    used = {name: m for name, m in moments.items() if len(m) >= MINIMUM_UNITS}
    count = len(PER_PLAYER)
    over_variance = np.kron(np.eye(count), [-1, 1])
    means = [Group(m[..., :2].reshape(len(m), -1), over_variance) for m in used.values()]
    typical = [Group(m[..., 2], np.eye(count)) for m in used.values()]
    shares, ratios = (
        _with_own(joint, own)
        for joint, own in (
            (ratio_limits(means, alpha / 2), ratio_limits(means, alpha)),
            (typical_limits(typical, alpha / 2), typical_limits(typical, alpha)),
        )
    )
    return [
        {
            "game": name,
            "evaluations_per_player": PER_PLAYER[k],
            "explicands": len(units),
            **{f"share{key}": 1 - 1 / value for key, value in _fields(share[k])},
            **{f"ratio{key}": value for key, value in _fields(ratio[k])},
        }
        for (name, units), share, ratio in zip(used.items(), shares, ratios, strict=True)
        for k in range(count)
    ]


def _with_own(joint: list[list[Ratio]], own: list[list[Ratio]]) -> list[list[Ratio]]:
    return [
        [ratio._replace(high_alone=alone.high_alone) for ratio, alone in zip(*rows, strict=True)]
        for rows in zip(joint, own, strict=True)
    ]


def _fields(ratio: Ratio):
    return zip(("", "_low", "_high", "_high_alone"), ratio, strict=True)


def _limits(rows: list[Evidence], alpha: float) -> list[Limit]:
    return [
        Limit(
            f"{row['game']}, {row['evaluations_per_player']} per player, {name}",
            row[key],
            row[f"{key}_low"],
            row[f"{key}_high"],
            1 - alpha,
        )
        for row in rows
        for key, name in (("share", "share of the squared bias"), ("ratio", "ratio of errors"))
    ]


def check_negligible(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if all shares are negligible and all ratios below 1; refuted if one is not."""
    rows = bias_rows(evidence["moments"], alpha)
    explicands = min(len(units) for units in evidence["moments"].values())
    sample = {"games": len(evidence["moments"]), "explicands": explicands, "runs": evidence["runs"]}
    if not rows:
        return Verdict(
            "inconclusive",
            f"No game of the study has errors on at least {MINIMUM_UNITS} explicands.",
            limits=(Limit("share of the squared bias, no data", 0.0, 0.0, 1.0, 1 - alpha),),
            sample=sample,
            rows=({"games": sample["games"], "explicands": explicands},),
        )
    own = [row for row in rows if row["evaluations_per_player"] >= MODERATE]
    biased = [row for row in own if row["share_low"] > NEGLIGIBLE]
    dear = sum(row["ratio_low"] > 1 for row in own)
    small = all(row["share_high_alone"] < NEGLIGIBLE and row["ratio_high_alone"] < 1 for row in own)
    summary = _told_found(rows, own)
    return tell(
        "refuted" if dear or biased else "supported" if small else "inconclusive",
        {
            "refuted": f"{summary} "
            f"{'The mean squared error can be larger.' if dear else _told_biased(biased)}",
            "supported": summary,
            "inconclusive": summary,
        },
        "wrong" if dear else None,
        numbers={"biased": len(biased), "larger_error": dear, "compared": len(own)},
        limits=_limits(rows, alpha),
        sample=sample,
        rows=rows,
    )


def _told_found(rows: list[Evidence], own: list[Evidence]) -> str:
    largest = max(own, key=lambda row: row["share"])
    alone = max(row["share_high_alone"] for row in own)
    ratios, all_ratios = ([row["ratio"] for row in part] for part in (own, rows))
    return (
        f"The largest estimate of the squared bias is {show(100 * largest['share'])} per cent of "
        f"the mean squared error, at {largest['evaluations_per_player']} evaluations per player on "
        f"{largest['game']}. The verdict rests on upper limits of each share alone, which reach "
        f"{show(100 * alone)} per cent; limits of all shares together are wider. On a typical "
        f"explicand the mean squared error is {show(min(ratios))} to "
        f"{show(max(ratios))} times that of the unbiased version, and up to "
        f"{show(max(all_ratios))} with {PER_PLAYER[0]} evaluations per player."
    )


def _told_biased(biased: list[Evidence]) -> str:
    places = ", ".join(f"{r['game']} at {r['evaluations_per_player']}" for r in biased)
    return (
        f"It is significantly above {show(100 * NEGLIGIBLE)} per cent for: {places} evaluations "
        r"per player. It decreases like $1/m$, and the standard deviation like $1/\sqrt m$."
    )


CLAIMS = (
    claim(
        id="field26-04",
        title="Negligible bias of KernelSHAP",
        heading="Accuracy of estimators",
        topic="convergence",
        where=f"{COVERT}, abstract",
        statement="The original version of KernelSHAP incurs a negligible increase in bias in "
        "exchange for significantly lower variance than the unbiased version. (Here: squared bias "
        "below 2 per cent of the mean squared error, and a smaller mean squared error, from four "
        "evaluations per player onwards.)",
        gather=gather_runs,
        check=check_negligible,
        lacks="some evaluations for each player",
        stands="loosely",
        matters="With four or more evaluations per player the bias can be neglected by the measure "
        "used here, which is ours: the source names no size.",
        hedges="The source does not say which size counts as negligible; two per cent was chosen "
        "after first results.",
        falls="hypothesis",
        statistical=True,
    ),
)
