"""Claims 10 and 40: the unbiased version, pairs, the bias among the noise, a penalty."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.common import SAMPLES, TRIALS
from ..evidence.grid_bias import PRINTED
from ..evidence.kernel_draws import (
    gather_moderate,
    gather_pairs,
    gather_penalised,
)
from .common import AGNOSTIC, TABLE_1, claim


def check_unbiased(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if every expectation equals the Shapley values less the equal split."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        "With the exact matrix in place of the sampled one, the estimate is a mean of independent "
        f"draws, each of which is unbiased: exact over all coalitions for {len(cases)} entries, "
        "with and without pairs.",
        sample={"entries": len(cases)},
        shown_by="prop:chen-kernel",
    )


def check_pairs(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the expectations agree."""
    return by_identity(
        evidence["cases"],
        "$m$ pairs and $m$ single draws have the same expectation for every sample size: pairing "
        "reduces the variance and not the bias. At equal evaluations there are half as many draws "
        "in pairs and, to first order, twice the bias.",
        sample={"entries": len(evidence["cases"])},
        shown_by="prop:chen-kernel",
    )


def check_moderate(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if the bias is undetectable from the smallest published number of samples."""
    rows, fewest = evidence["rows"], evidence["fewest"]
    largest = max(row["samples"] for row in rows)
    seen = sum(row["samples"] > fewest for row in rows)
    return tell(
        "refuted" if seen else "supported",
        {
            "refuted": f"In {seen} of {len(rows)} games the squared bias exceeds the variance over "
            f"{TRIALS} trials at {fewest} samples.",
            "supported": "The squared bias decreases like $1/m^2$ and the variance like $1/m$: to "
            f"first order, the former is at most the latter over {TRIALS} trials from "
            f"{show(largest)} samples onwards at the latest, whereas the published tables begin "
            f"with {fewest}.",
        },
        setting=_rule_on_printed_explicand(rows, fewest),
        numbers={"largest": largest, "smallest_published": fewest},
        sample={"games": len(rows)},
        rows=rows,
    )


def _rule_on_printed_explicand(rows: list[Evidence], fewest: int) -> Ruling:
    own = [row for row in rows if PRINTED in row["game"]]
    if not own:
        return Ruling("inconclusive", "The study has no tables of the paper's models.")
    most = max(row["samples"] for row in own)
    return Ruling(
        "supported" if most <= fewest else "refuted",
        "On the printed explicand the squared bias is, to first order, below the variance over "
        f"{TRIALS} trials from {show(most)} samples onwards; the tables begin with {fewest}.",
    )


def check_penalised(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if on every game the squared bias grows with the penalty and the variance shrinks."""
    by_game: dict[str, list[Evidence]] = {}
    for row in evidence["rows"]:
        by_game.setdefault(row["game"], []).append(row)
    off = [
        f"{game}, penalty {row['penalty']}"
        for game, rows in by_game.items()
        for before, row in pairwise(rows)
        if row["squared_bias"] <= before["squared_bias"] or row["variance"] >= before["variance"]
    ]
    last = evidence["rows"][-1]
    without, *_, most = by_game[last["game"]]
    return tell(
        "refuted" if off else "exact",
        {
            "exact": f"Over all samples of {last['draws']} draws, on {len(by_game)} games of three "
            "players, the squared bias grows with a ridge penalty and the variance shrinks: on "
            f"the last game from {show(without['squared_bias'])} to {show(most['squared_bias'])} "
            f"and from {show(without['variance'])} to {show(most['variance'])}.",
            "refuted": f"A penalty does not trade bias for variance: {'; '.join(off)}.",
        },
        reach=f"{len(by_game)} games, {last['draws']} draws",
        numbers={key: most[key] for key in ("squared_bias", "variance")},
        rows=evidence["rows"],
    )


CLAIMS = (
    claim(
        id="ccll23-10d",
        title="Pairs and the bias of KernelSHAP",
        heading="Least squares on samples",
        topic="convergence",
        where=f"left out by the paper; {AGNOSTIC} has the antithetic version",
        statement=r"KernelSHAP has the same expectation with $m$ pairs of complements as with $m$ "
        r"single draws.",
        source="this project",
        gather=gather_pairs,
        check=check_pairs,
    ),
    claim(
        id="ccll23-10e",
        title="KernelSHAP at a moderate number of samples",
        heading="Least squares on samples",
        topic="convergence",
        where=f"{AGNOSTIC}, paragraph on KernelSHAP; {TABLE_1}",
        words="empirically unbiased even for a moderate number of samples ... empirically it also "
        "appears to be unbiased",
        statement=r"KernelSHAP is empirically unbiased even for a moderate number of samples.",
        hedges="“empirically”, “appears to be unbiased”.",
        setting=f"The diabetes explicand of Tables 2 and 5, {TRIALS} trials, from {min(SAMPLES)} "
        "samples onwards. In general: random games and those of the study, with the same numbers "
        "of trials and samples.",
        gather=gather_moderate,
        check=check_moderate,
    ),
    claim(
        id="ccll23-40",
        title="Regularised KernelSHAP",
        heading="Least squares on samples",
        topic="convergence",
        where=f"{AGNOSTIC}, last sentence on KernelSHAP",
        words="a regularized version that introduces bias while reducing variance",
        statement="A regularised version of KernelSHAP introduces bias and reduces the variance.",
        hedges="The kind of regularisation is not stated; a ridge penalty on the deviation from "
        "the equal split is examined.",
        matters="A penalty leaves a bias that averaging runs does not remove.",
        gather=gather_penalised,
        check=check_penalised,
    ),
)
