"""Claim 21: what multilinear extension sampling gains by a fixed grid of q."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.levels import PLAYERS, gather_levels
from .common import APPENDIX, TABLE_1, claim


def check_levels(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the grid has the larger error on some game at equal evaluations."""
    rows = evidence["unanimity"]
    worse = [row for row in rows if row["fixed"] > row["random"]]
    return tell(
        "refuted" if worse else "exact",
        {
            "refuted": lambda: (
                f"On the unanimity game of {PLAYERS} players the grid has the larger expected "
                f"error with up to {worse[-1]['levels']} levels: with {worse[0]['levels']} it is "
                f"{show(float(worse[0]['fixed'] / worse[0]['random']))} times that of a random "
                "$q$, because the two ends have too much weight. With many levels it is smaller, "
                "because the variation of $e(q)$ over $q$ is no longer part of the noise."
            ),
            "exact": "The grid has the smaller error at all numbers of levels.",
        },
        reach=f"{len(rows)} numbers of levels on one game",
        numbers={"worse": len(worse), "compared": len(rows)},
        rows=rows,
        setting=_rule(evidence),
    )


def _rule(evidence: Evidence) -> Ruling:
    printed, expected = evidence["printed"], evidence["expected"]
    cells = ", ".join(f"{row['helped']} of {row['cells']} on {row['data']}" for row in printed)
    tables = f"Cells of the tables in which the grid has the smaller error: {cells}."
    helped = all(2 * row["helped"] > row["cells"] for row in printed)
    if not expected:
        status = "inconclusive" if helped else "refuted"
        return Ruling(status, f"The study has no tables of the paper's models. {tables}")
    largest = max(row["ratio"] for row in expected)
    return Ruling(
        "supported" if helped and largest < 1 else "refuted",
        f"On the printed explicand the expected error on the grid is at most {show(largest)} times "
        f"that with a random $q$, at every number of samples. {tables}",
    )


CLAIMS = (
    claim(
        id="ccll23-21",
        title="A fixed grid against a random q",
        heading="Multilinear extension sampling",
        topic="orderings",
        where=f"{APPENDIX}, last paragraph; {TABLE_1}",
        words="the default version of multilinear sampling benefits over random q",
        statement="The default version of multilinear sampling, which samples $q$ at fixed "
        "intervals, is better than random sampling of $q$.",
        hedges="“we do see”; the caption of Table 1 adds higher bias “at smaller numbers of "
        "subsets”.",
        setting="The three data sets of Tables 2 to 7, one explicand each, 500 to 100,000 samples.",
        gather=gather_levels,
        check=check_levels,
        lacks="the data of the paper",
        falls="hypothesis",
        matters="The grid needs enough levels; stratified levels have its advantage without the "
        "bias.",
    ),
)
