"""Claim 7: additive efficient normalisation."""

from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.normalisation import gather_bias, gather_error
from ..evidence.walks import gather_gaps
from .common import BENCHMARK, claim
from .walks import check_gaps


def check_error(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if an error grows; proved if it falls by gap^2 / d every time."""
    cases = evidence["cases"]
    sample = {"points": len(cases)}
    worse = [
        Case(case.label, after, before)
        for case, (before, after) in zip(cases, evidence["errors"], strict=True)
        if after > before
    ]
    if worse:
        grown = worse[0]
        text = f"{grown.label}: the squared error increases from {grown.right} to {grown.left}."
        return against(grown, text, sample=sample)
    if wrong := first_mismatch(cases):
        text = f"{wrong.label}: the squared error decreases by {wrong.left}, not by {wrong.right}."
        return against(wrong, text, "supported", "loosely", sample=sample)
    return Verdict(
        "proved",
        f"At all {len(cases)} points the squared error decreases exactly by the square of the "
        "efficiency gap divided by $d$: normalisation is the orthogonal projection on the "
        "hyperplane of the Shapley values. It improves every estimate that is not already "
        "efficient.",
        sample=sample,
        shown_by="prop:chen-normalisation",
    )


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a bias changes; the setting is judged by whether unbiased estimates stay so."""
    rows = evidence["rows"]
    changed = [row for row in rows if row["squared_bias"] != row["normalised"]]
    numbers = {"changed": len(changed), "cases": len(rows)}
    if not evidence["zero_stays"]:
        text = "It biases unbiased estimates."
        setting = Ruling("refuted", text)
        return Verdict("refuted", text, "wrong", numbers, rows=rows, setting=setting)
    return tell(
        "refuted" if changed else "exact",
        {
            "exact": f"No bias changes in {len(rows)} cases.",
            "refuted": "An unbiased estimate remains unbiased, but a bias is projected like an "
            "error: its square decreases by the squared sum of the biases divided by $d$. This "
            f"happens in {len(changed)} of {len(rows)} cases of multilinear extension sampling on "
            "its fixed grid, which is the version in the benchmark. The change is an improvement.",
        },
        setting=Ruling("proved", "An unbiased estimate remains unbiased."),
        reach=f"{len(rows)} cases",
        shown_by={"refuted": "prop:chen-normalisation"},
        numbers=numbers,
        rows=changed[:8] or rows,
    )


CLAIMS = (
    claim(
        id="ccll23-07a",
        title="Efficient estimators, and normalisation of the others",
        heading="Normalisation, bias and variance",
        topic="identities",
        where="Section 5.2.2, third paragraph; the estimators are named in the caption of Figure 5",
        words="guaranteed to improve estimates in terms of Euclidean distance to the true Shapley "
        "values ... only ApproShapley and KernelSHAP are guaranteed to satisfy the efficiency "
        "property",
        statement="Additive efficient normalisation, "
        r"$\hat\phi_i+\frac1d\bigl(v(D)-v(\emptyset)-\sum_j\hat\phi_j\bigr)$, is guaranteed to "
        "improve estimates in terms of Euclidean distance to the true Shapley values. Of the "
        "sampling-based estimators (ApproShapley, IME, KernelSHAP, multilinear extension "
        "sampling), only ApproShapley and KernelSHAP are guaranteed to satisfy efficiency "
        "without it; SGD-Shapley does so by normalisation.",
        gather=gather_error,
        check=check_error,
        also=((gather_gaps, check_gaps),),
    ),
    claim(
        id="ccll23-07b",
        title="Normalisation and bias",
        heading="Normalisation, bias and variance",
        topic="convergence",
        where=f"{BENCHMARK}, third paragraph, on IME and multilinear extension sampling",
        words="guaranteed to improve estimates ... without affecting the estimators' bias",
        statement=r"Additive efficient normalisation improves the estimates of IME and of "
        r"multilinear extension sampling without affecting their bias.",
        hedges="Stated where both are introduced as unbiased.",
        setting="IME, and multilinear extension sampling with a uniform $q$, both unbiased. In "
        "general: any estimator, such as the fixed grid of the benchmark.",
        matters="A bias is reduced just as an error is; normalising never does harm.",
        gather=gather_bias,
        check=check_bias,
        lacks="an estimate without bias",
        falls="hypothesis",
    ),
)
