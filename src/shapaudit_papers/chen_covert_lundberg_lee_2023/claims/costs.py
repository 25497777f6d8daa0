"""Claims 46, 48, 49, 51, 52 and 53: what the methods for particular models cost."""

from itertools import pairwise

from shapaudit_audit.audit.comparisons import span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.costs import (
    gather_deepshap,
    gather_passes,
)
from .common import claim

PROOF = "prop:chen-costs"
MOST_EACH = 3.0  # products per weight and row: forwards, backwards, and those of the units


def check_linear(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if multiplications grow like d and every value of a general game is needed."""
    rows, general = evidence["rows"], evidence["general"]
    each = {row["multiplications"] / row["features"] for row in rows}
    spared = sum(row["values"] - row["needed"] for row in general)
    holds = len(each) == 1 and not spared
    return tell(
        "proved" if holds else "refuted",
        {
            "proved": f"{show(max(each))} product per feature suffices for LinearSHAP up to "
            f"{rows[-1]['features']} features, as many as the model itself. For a general game no "
            f"value can be omitted, as enumeration shows for up to {general[-1]['players']} "
            "players: every coalition affects the Shapley values.",
            "refuted": f"{spared} values of general games affect nothing, and products do not "
            "grow like the number of features.",
        },
        shown_by={"proved": PROOF},
        sample={"sizes": len(rows)},
        rows=rows,
    )


def check_interventional(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if a baseline never visits more nodes than the tree has."""
    rows = evidence["rows"]
    over = [row for row in rows if row["most_visited"] > row["nodes"]]
    share = max(row["most_visited"] / row["nodes"] for row in rows)
    return tell(
        "refuted" if over else "proved",
        {
            "refuted": f"A baseline takes {show(share)} times as many nodes as the tree has.",
            "proved": f"On {len(rows)} random trees a baseline visits at most {show(share)} times "
            "as many nodes as the tree has, each once, and never more than all of them, with a "
            "number of steps per node that does not depend on the tree.",
        },
        shown_by={"proved": PROOF},
        numbers={"largest_share": share},
        sample={"trees": len(rows)},
        rows=rows,
    )


def check_path_dependent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if no tree needs more numbers than leaves times squared depth."""
    rows = evidence["rows"]
    ratios = [row["numbers"] / (row["leaves"] * row["depth"] ** 2) for row in rows]
    linear = [row["numbers"] / (row["leaves"] * (row["depth"] + 1)) for row in rows]
    within = max(ratios) <= 1
    return tell(
        "proved" if within else "refuted",
        {
            "proved": f"On {len(rows)} random trees with $L$ leaves and depth $H$, two passes "
            f"over at most {show(max(ratios))} times $LH^2$ numbers suffice, and a bound of this "
            "order holds in general. It is not tight: the numbers are at most "
            f"{show(max(linear))} times $L(H+1)$.",
            "refuted": f"A tree takes {show(max(ratios))} times $LH^2$ numbers.",
        },
        "loosely" if within else None,
        shown_by={"proved": PROOF},
        numbers={"most_squared": max(ratios), "most_linear": max(linear)},
        sample={"trees": len(rows)},
        rows=rows,
    )


def check_deepshap(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if every baseline costs the same and each weight takes a few products per row."""
    rows = evidence["rows"]
    steps: dict[int, set] = {}
    for smaller, other in pairwise(rows):
        if smaller["weights"] == other["weights"]:
            added = other["multiplications"] - smaller["multiplications"]
            each = added / (other["baselines"] - smaller["baselines"])
            steps.setdefault(smaller["weights"], set()).add(each)
    most = max(row["each"] for row in rows)
    holds = most <= MOST_EACH and all(len(counts) == 1 for counts in steps.values())
    return tell(
        "exact" if holds else "refuted",
        {
            "exact": "Every baseline adds the same number of products: each weight takes "
            f"{span(row['each'] for row in rows)} of them per row, explicand or baseline.",
            "refuted": f"A weight takes up to {show(most)} products per row, and baselines add "
            "different numbers.",
        },
        reach=f"{len(steps)} networks of up to {max(steps)} weights with up to "
        f"{rows[-1]['baselines']} baselines",
        numbers={"most": most},
        sample={"networks": len(steps)},
        rows=rows,
    )


def passes_of(evidence: Evidence, method: str) -> dict[int, int]:
    """Return the passes through the model of a method, by number of features."""
    rows = evidence["rows"]
    return {row["features"]: row["passes"] for row in rows if row["method"] == method}


CONSTANT = ("DeepLIFT", "Shallow ShapNet", "Deep ShapNet")


def check_passes(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if three methods take a constant number of passes, and DASP d to d^2 of them.

    Loosely so if one size of coalitions takes DASP more than d.
    """
    constant = {method: set(passes_of(evidence, method).values()) for method in CONSTANT}
    growing = [method for method, passes in constant.items() if len(passes) > 1]
    least, most = (passes_of(evidence, f"DASP, {sizes}") for sizes in ("one size", "all sizes"))
    each = {passes / d for d, passes in least.items()}
    squares = {passes / d**2 for d, passes in most.items()}
    holds = min(each) >= 1 and len(squares) == 1 and not growing
    counts = ", ".join(f"{method} {min(passes)}" for method, passes in constant.items())
    dasp = (
        f"With one size of coalitions DASP takes {span(each)} times $d$ passes, with and without "
        f"each feature, and with all sizes {span(squares)} times $d^2$."
    )
    return tell(
        "exact" if holds else "refuted",
        {
            "exact": f"Numbers of passes for any number of features: {counts}, with modules of two "
            f"features. {dasp} Each of them carries means and variances, which means two products "
            "per layer.",
            "refuted": f"{' and '.join(growing) or 'None'} of the three take more passes for more "
            f"features. {dasp}",
        },
        "loosely" if holds and min(each) > 1 else None,
        reach=f"networks of up to {max(most)} features",
        numbers={"least": min(each), "most": max(squares)},
        rows=evidence["rows"],
    )


SECTION = "Section 5.2.3"

CLAIMS = (
    claim(
        id="ccll23-52g",
        title="Cost of the methods for networks",
        heading="Networks",
        topic="cost",
        where="Section 5.2.3, last sentences on computational complexity; Section 5.2.3, "
        "paragraph on DeepLIFT",
        words="with a constant number of model evaluations ... DASP requires a minimum of d "
        "model evaluations and up to ... the computational complexity is on the order of the "
        "size of the model and the number of baselines",
        statement="DeepLIFT, shallow and deep ShapNets take a constant number of model "
        "evaluations; DASP requires a minimum of $d$, and up to $O(d^2)$. DeepSHAP costs in "
        "the order of the size of the model times the number of baselines.",
        hedges="“for a fixed h”, the number of features of a module; “for a single estimate”.",
        gather=gather_passes,
        check=check_passes,
        also=((gather_deepshap, check_deepshap),),
        matters="At its cheapest DASP costs twice what is printed, or four times if a pass of "
        "means and variances counts as two. The cost of the (biased) answer is known in "
        "advance.",
    ),
)
