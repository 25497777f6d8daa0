"""Claim 91: L-Shapley and C-Shapley beside least squares at equal evaluations."""

from shapaudit_audit.audit.comparisons import count_words, limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.structured_errors import gather_structured
from .common import claim, ratio_rows

REPAIRED = "Myerson"  # weights that the paper does not speak of


def check_structured(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by errors over those of least squares, of the methods as published."""
    pairs = {
        f"{name} over {rival}": (errors[:, 0], errors[:, 1 + j])
        for name, errors in evidence["errors"].items()
        for j, rival in enumerate(evidence["rivals"])
    }
    rows = ratio_rows(pairs, alpha)
    published = [row for name, row in rows.items() if REPAIRED not in name]
    status = by_own_limits(published)
    counts = count_words(published)
    text = (
        f"Of {len(published)} ratios of errors to those of {' and '.join(evidence['rivals'])} at "
        f"equal evaluations, on a typical one of {published[0]['worlds']} models each, "
        f"{counts['smaller']} are below 1 by simultaneous limits and {counts['larger']} above. "
        f"{_told(rows)}"
    )
    # Where they err less somewhere, that is where they are of use.
    wrong = status == "refuted" and not counts["smaller"]
    return Verdict(
        status,
        text,
        "wrong" if wrong else None,
        numbers=counts,
        limits=limits_of(list(rows.values()), lambda row: row["case"], alpha),
        sample={"worlds": published[0]["worlds"], "ratios": len(rows)},
        rows=tuple(rows.values()),
    )


def _told(rows: dict[str, Evidence]) -> str:
    """Return ratios of L-Shapley and of C-Shapley in words, case by case."""
    parts = []
    for case in dict.fromkeys(name.partition(":")[0] for name in rows):
        told = []
        for method in ("L-Shapley", "C-Shapley"):
            own = [ratio for key, ratio in rows.items() if key.startswith(f"{case}: {method},")]
            told.append(f"{span(ratio['ratio'] for ratio in own)} for {method}")
        parts.append(f"{case}: {' and '.join(told)}")
    return f"The ratios are, on {'; '.join(parts)}."


CLAIMS = (
    claim(
        id="ccll23-91",
        title="L-Shapley and C-Shapley for structured data",
        heading="Structured data",
        topic="orderings",
        where="Section 7, paragraph on structure within the data, and beyond what is said there",
        statement="On structured data L-Shapley and C-Shapley have smaller errors at equal "
        "evaluations than estimators that do not use the structure.",
        hedges="The paper says that such methods “may be valuable” for structured data, and are "
        "meant to estimate “more tractably”; errors at equal evaluations are our interpretation, "
        "on chains and on pictures as a grid.",
        source="this project",
        gather=gather_structured,
        check=check_structured,
        falls="hypothesis",
        lacks="a model whose interactions are only between neighbours",
        matters="Correlation between neighbouring features is not sufficient; what matters is "
        "which features interact in the model. Unless that is known, use least squares.",
        statistical=True,
    ),
)
