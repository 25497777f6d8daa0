"""Claim 84, a to g: cells of the columns Removal approach and Removal variant of Table 1."""

from collections.abc import Callable, Sequence
from typing import Any

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.removal_cells import gather_evaluated, gather_introduced, gather_theory
from .common import claim

REACH = "a law of 18 rows with four features"


def rows_of(evidence: Evidence, *methods: str) -> list[Evidence]:
    """Return the rows of some methods, in this order."""
    by_method = {row["method"]: row for row in evidence["rows"]}
    return [by_method[name] for name in methods]


def judged(
    methods: Sequence[str],
    holds: Callable[[Evidence], bool],
    text: str,
    status: str = "exact",
):
    """Return the check of some methods: ``status`` if all of their rows satisfy ``holds``.

    If one does not, a claim that would be exact is refuted, and another one is undecided.
    ``text`` describes the row of the first method.
    """
    otherwise = "refuted" if status == "exact" else "inconclusive"

    def check(evidence: Evidence, alpha: float) -> Verdict:
        """By the rows that each method evaluates and the games whose values it gives."""
        rows = rows_of(evidence, *methods)
        off = [row["method"] for row in rows if not holds(row)]
        return tell(
            otherwise if off else status,
            {
                status: text.format(first=rows[0], excluded=sum(row["excluded"] for row in rows)),
                otherwise: f"This does not hold for {', '.join(off)}.",
            },
            reach=REACH,
            sample={"observed": evidence["observed"]},
            rows=rows,
        )

    return check


def no_rows(row: Evidence) -> bool:
    """Return whether an explanation evaluates no row, but reads the model's parameters."""
    kinds = ("explicand", "observed", "hybrid", "padded", "other")
    return not any(row[kind] for kind in kinds)


def of_baseline(row: Evidence) -> bool:
    """Return whether no row of the data is evaluated and the empty coalition is the baseline."""
    data = row["observed"] or row["hybrid"] or row["other"]
    return row["empty"] == "zeros" and not data and not row["marginal"]


def of_hybrids(row: Evidence) -> bool:
    """Return whether rows combine the explicand with one observed row, with marginal values."""
    return bool(row["marginal"] and row["hybrid"] and not row["other"] and not row["padded"])


def marginal_unread(row: Evidence) -> bool:
    """Return whether the values are marginal although no row is evaluated."""
    return bool(row["marginal"]) and no_rows(row)


def check_theory(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if both methods estimate a game without a model from coalitions only."""
    rows = evidence["rows"]
    asked = all(row["asked"] == row["evaluations"] > 0 for row in rows)
    near = max(row["error"] for row in rows)
    there = asked and near < 0.1
    return tell(
        "exact" if there else "refuted",
        {
            "exact": "Both give the values of a vote of four, which has no model and no features, "
            f"to within {show(near)} with at most {rows[0]['evaluations']:,} evaluations. They "
            "query the values of coalitions as they are; to explain a model, a removal has to be "
            "added, together with its errors.",
            "refuted": "They require more than the values of coalitions.",
        },
        reach="a vote of four",
        numbers={"error": near},
        rows=rows,
    )


SOURCES = {
    ("L-Shapley", "C-Shapley"): "In their public code absent words are a token of zeros, words "
    "beyond the neighbourhood are present, and the logarithm of a probability is explained. "
    "Implemented in this way",
    ("Multilinear extension sampling",): "Its paper, in Definition III.1, replaces missing "
    "features by zero and allows other baselines. Implemented in this way",
}


def check_introduced(methods: tuple[str, ...]):
    """Return the check of methods whose sources use another removal than Table 1 prints."""

    def check(evidence: Evidence, alpha: float) -> Verdict:
        """Refuted as introduced when the game is that of zeros; exact when rows serve as well."""
        rows = [row for row in evidence["rows"] if row["method"] in methods]
        zeros = [row for row in rows if row["absent"] == "zeros"]
        given = [row for row in rows if row["absent"] == "rows"]
        other = all(of_baseline(row) and row["baseline"] for row in zeros)
        served = all(of_hybrids(row) for row in given)
        padded = sum(row["padded"] for row in zeros)
        there = Ruling(
            "refuted" if other else "exact",
            f"{SOURCES[methods]} here, {padded} rows with zeros are evaluated and none of the "
            "data, and the values are those of one baseline."
            if other
            else "The sources take rows of data.",
        )
        return tell(
            "exact" if served else "refuted",
            {
                "exact": "As an estimation strategy, which only queries coalitions, it can also "
                "be applied to a game of hybrids with the rows of the data: the exact values are "
                "then marginal.",
                "refuted": "With rows of data the values are not marginal.",
            },
            consequence="slip" if other else None,
            reach=REACH,
            numbers={"padded": padded},
            rows=rows,
            setting=there,
        )

    return check


HYBRIDS = (
    "Every row that is evaluated is either the explicand or combines its values with those of one "
    "observed row; {excluded} of them cannot occur under the distribution. The exact values of "
    "the game are marginal values of the observed rows."
)
HEADING = "The table of methods"
READ = "The papers that introduce them could not be read here; their definition is that of"


def cell(letter: str, methods: Sequence[str], printed: str, **facts):
    row = "row" if len(methods) == 1 else "rows"
    names = f"{', '.join(methods[:-1])} and {methods[-1]}" if methods[1:] else methods[0]
    usual: dict[str, Any] = {
        "id": f"ccll23-84{letter}",
        "heading": HEADING,
        "topic": "identities",
        "where": f"Table 1, {row} {names}, columns Removal approach and Removal variant",
        "words": printed,
        "gather": gather_evaluated,
    }
    return claim(**(usual | facts))


BASELINE = ("SGD-Shapley", "DeepLIFT", "DASP", "Shallow ShapNet", "Deep ShapNet")

CLAIMS = (
    cell(
        "a",
        ("ApproSemivalue", "ApproShapley"),
        "None Exact",
        title="Methods of game theory remove nothing",
        statement="ApproSemivalue and ApproShapley involve no removal of features; the game is "
        "given exactly.",
        hedges="The caption writes “Any” for what the table prints as “None” (C 75).",
        gather=gather_theory,
        check=check_theory,
    ),
    cell(
        "b",
        BASELINE,
        "Baseline Exact",
        title="Methods with one baseline",
        statement=r"SGD-Shapley, DeepLIFT, DASP and ShapNets remove features by one baseline, "
        r"whose game can be evaluated exactly.",
        hedges="“Baseline Shapley values are always computed exactly”: stated about the game, "
        "since four of the five rows are printed as biased. The paper on SGD-Shapley uses one "
        "reference and allows other removals; the papers on the other methods could not be read "
        "here.",
        check=judged(
            BASELINE,
            of_baseline,
            "SGD-Shapley evaluates the explicand and {first[padded]} rows with zeros in place of "
            "absent features, and no row of the data. The other methods read the network, and the "
            "value of the empty coalition is its output for the one baseline. The game is exact; "
            "the values are exact only for shallow ShapNets (C 76).",
        ),
    ),
    cell(
        "c",
        ("L-Shapley", "C-Shapley"),
        "Marginal Empirical",
        title="Removal of L-Shapley and C-Shapley",
        statement=r"L-Shapley and C-Shapley estimate marginal Shapley values from rows of data.",
        hedges="The paper that introduces them could not be read here; the verdict in its setting "
        "rests on their public code, LCShapley, for texts.",
        setting="L-Shapley and C-Shapley as implemented in their public code.",
        matters="The published results of the methods were obtained with a token of zeros and for "
        "logarithms of probabilities.",
        gather=gather_introduced,
        check=check_introduced(("L-Shapley", "C-Shapley")),
    ),
    cell(
        "d",
        ("IME", "KernelSHAP"),
        "Marginal Empirical",
        title="Removal of IME and KernelSHAP",
        statement=r"IME and KernelSHAP estimate marginal Shapley values from rows of data.",
        hedges=f"{READ} Sections 5.1.2 and 5.2.1.",
        check=judged(("IME", "KernelSHAP"), of_hybrids, HYBRIDS),
    ),
    cell(
        "e",
        ("Multilinear extension sampling",),
        "Multilinear extension sampling [31] ME Marginal Empirical",
        title="Removal of multilinear extension sampling",
        statement=r"Multilinear extension sampling estimates marginal Shapley values from rows of "
        r"data.",
        setting="The method as Okhrati and Lipani introduce it.",
        matters="Its published errors are those for a baseline of zeros, without noise from rows.",
        gather=gather_introduced,
        check=check_introduced(("Multilinear extension sampling",)),
    ),
    cell(
        "f",
        ("LinearSHAP", "Interventional TreeSHAP"),
        "Marginal Empirical",
        title="Removal of LinearSHAP and interventional TreeSHAP",
        statement=r"LinearSHAP and interventional TreeSHAP give marginal Shapley values of rows "
        r"of data.",
        hedges=f"{READ} Section 5.2.3.",
        check=judged(
            ("LinearSHAP", "Interventional TreeSHAP"),
            marginal_unread,
            "Without a single evaluation of the model, the values are marginal values of the "
            "observed rows. LinearSHAP needs only their mean, so that nothing has to be empirical "
            "for it (C 79).",
        ),
    ),
    cell(
        "g",
        ("DeepSHAP",),
        "DeepSHAP [15] Deep Marginal Empirical",
        title="Removal of DeepSHAP",
        statement=r"DeepSHAP estimates marginal Shapley values from rows of data.",
        hedges="The table cites [15] for it, and Section 5.2.3 cites [29]; neither could be read "
        "here. Interpreted as the mean of DeepLIFT over baselines, as in Section 5.2.3.",
        check=judged(
            ("DeepSHAP",),
            marginal_unread,
            "On a network without hidden layers, for which its rules are exact, the values are "
            "marginal values of the observed rows.",
        ),
    ),
)
