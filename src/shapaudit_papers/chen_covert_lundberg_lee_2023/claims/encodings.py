"""Claim 16: the examples of Figure 4, as far as their algebra goes."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.encodings import (
    ELSEWHERE,
    gather_partial,
)
from .common import claim


def check_gender(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if every convention gives the printed values; inconsistent if only one does."""
    rows, printed = evidence["rows"], tuple(evidence["printed"])
    fit = [row["convention"] for row in rows if (row["value_x3"], row["value_other"]) == printed]
    status = "exact" if len(fit) == len(rows) else "inconsistent" if fit else "refuted"
    return tell(
        status,
        {
            "exact": "Every convention fits.",
            "refuted": "No convention fits.",
            "inconsistent": f"The printed values {printed[0]} and {printed[1]} of a man follow "
            f"from the convention in the {' and '.join(fit)}, under which he has 0 in the first "
            "encoding. The other convention reverses the encodings, and then no coefficient gives "
            "these values.",
        },
        "wrong" if status == "refuted" else None,
        numbers={"conventions": len(rows), "fitting": len(fit)},
        rows=rows,
        reach=f"{len(rows)} conventions",
    )


def check_encodings(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if recoding leaves values at the mean baseline and changes those at zero."""
    noticed = sum(case.left != case.right for case in evidence["zero"])
    numbers = {"zero_differs": noticed, "entries": len(evidence["zero"])}
    if wrong := first_mismatch(evidence["mean"]):
        text = f"With the mean baseline, {wrong.label}: {wrong.left} becomes {wrong.right}."
        return against(wrong, text, numbers=numbers)
    return tell(
        "proved" if noticed else "refuted",
        {
            "refuted": "The zero baseline is not affected by the encoding.",
            "proved": "Recoding gender, or any feature, as $a+bx$ changes its value at the zero "
            r"baseline by $\beta a/b$ and leaves all values at the mean baseline unchanged. This "
            f"holds in {len(evidence['mean'])} entries, and for every baseline that is recoded "
            "with the data, because the model remains the same function of the people it "
            "describes.",
        },
        shown_by="prop:chen-encoding",
        numbers=numbers,
    )


def check_splitting(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the closed form holds and a positive correlation narrows the pair's gap."""
    cases = evidence["cases"]
    negative = any(rho < 0 for rho in evidence["correlations"])
    remark = " With a negative correlation and the same explicand, the values move apart instead."
    return by_identity(
        cases,
        r"Each feature of a pair with correlation $\rho$ gives $\rho/2$ of its credit to the "
        "other, at the explicand and baseline of the figure: the difference of their values is "
        rf"$1-\rho$ times that of the marginal values. Exact in {len(cases)} "
        f"entries.{remark if negative else ''}",
        sample={"entries": len(cases)},
        shown_by="prop:chen-splitting",
    )


def check_partial(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the unused feature has the value of the used one at every correlation."""
    rows = evidence["rows"]
    equal = sum(row["value_2"] == row["value_3"] for row in rows)
    numbers = {"equal": equal, "cases": len(rows), "largest_ratio": rows[-1]["ratio"]}
    status = "exact" if equal == len(rows) else "refuted"
    setting = Ruling(
        "inconclusive",
        "The figure shows its covariance and its values as matrices without numbers; the text "
        "calls the covariance high. The two values look alike at a correlation near one, and are "
        "equal only at one.",
    )
    if status == "refuted" and not any(row["value_3"] > 0 for row in rows):
        text = "The unused feature receives no credit."
        return Verdict(status, text, "wrong", numbers, rows=rows, setting=setting)
    return tell(
        status,
        {"exact": "The two values are equal.", "refuted": lambda: _told_less(rows)},
        setting=setting,
        reach=f"{len(rows)} correlations",
        shown_by={"refuted": "prop:chen-splitting"},
        numbers=numbers,
        rows=rows,
    )


def _told_less(rows: list[Evidence]) -> str:
    first, last = rows[0], rows[-1]
    return (
        r"At the figure's explicand the unused feature receives credit, but less: $\rho/(2-\rho)$ "
        "times that of the feature with which it is correlated, which is "
        f"{float(first['ratio']):.2f} at a correlation of {first['correlation']} and "
        f"{float(last['ratio']):.2f} at {last['correlation']}. The two are equal there only if one "
        "feature is a copy of the other. At other explicands the unused feature can have the "
        f"larger value in size, as {_told_elsewhere(last)}; for "
        f"{100 * first['share_larger']:.0f} to {100 * last['share_larger']:.0f} per cent of all "
        "explicands it does."
    )


def _told_elsewhere(row: Evidence) -> str:
    x = ", ".join(map(str, ELSEWHERE))
    return (
        f"{row['other_3']} and {row['other_2']} at ({x}) and a correlation of {row['correlation']}"
    )


CLAIMS = (
    claim(
        id="ccll23-16d",
        title="A feature that the model does not use",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 4.4, last paragraph; Figure 4c, dependent partial model",
        words="as high as the conditional Shapley value for feature x_2 ... not explicitly used "
        "by the model",
        statement=r"The conditional Shapley value of $x_3$ is as high as that of $x_2$ even though "
        r"$x_3$ is not explicitly used by the model.",
        hedges="Stated about one example, in which the two have a “high covariance”.",
        setting="The dependent partial model of Figure 4c, whose covariance is shown without "
        "numbers.",
        matters="At the explicand of the figure an unused feature receives less credit than the "
        "feature for which it is a proxy, unless it is a copy of it; at others it may receive "
        "more.",
        gather=gather_partial,
        check=check_partial,
        lacks="a copy of the feature",
        falls="hypothesis",
    ),
)
