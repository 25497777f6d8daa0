"""Claims 50g, 53f, 53g, 54e and 54f: what ShapNets can represent, learn, and explain."""

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import count_words, limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.shapnets import PLAYERS, gather_accuracy, gather_parity, gather_unrolled
from .common import claim


def check_parity(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if modules of fewer features than a parity has explain none of its variance."""
    rows = evidence["rows"]
    small = [row for row in rows if row["features_of_a_module"] < row["parity_of"]]
    explained = max(row["best_share"] for row in small)
    whole = min(row["best_share"] for row in rows if row not in small)
    return tell(
        "refuted" if explained else "proved",
        {
            "refuted": f"Smaller modules explain {explained} of the variance of a parity.",
            "proved": "Sums of functions of $h$ features explain none of the variance of a parity "
            f"of more than $h$ signs, as {len(small)} best fits for up to {rows[-1]['parity_of']} "
            "signs show and a proof confirms in general; of a parity of $h$ signs they explain a "
            f"share of {whole}.",
        },
        shown_by={"proved": "prop:chen-parity"},
        sample={"fits": len(rows)},
        rows=rows,
    )


def compared(
    errors: dict[str, np.ndarray], names: list[str], first: str, others: list[str], alpha: float
) -> list[Evidence]:
    """Return rows with the typical error of the first learner over others, by group.

    The limits hold for all rows together.
    """
    exponents = np.zeros((len(others), len(names)))
    exponents[:, names.index(first)] = 1
    for row, other in zip(exponents, others, strict=True):
        row[names.index(other)] -= 1
    limits = typical_limits([Group(units, exponents) for units in errors.values()], alpha)
    return [
        {"group": name, "count": len(units), "against": other, **limit.row(), "error": limit.word}
        for (name, units), ratios in zip(errors.items(), limits, strict=True)
        for other, limit in zip(others, ratios, strict=True)
    ]


def _verdict(rows: list[Evidence], told: str, alpha: float) -> Verdict:
    """Return the verdict by the limits of all rows together."""
    counts = count_words(rows, ("larger", "smaller"))
    return Verdict(
        by_own_limits(rows),
        f"{told} Of {len(rows)} ratios {counts['smaller']} are significantly below 1 and "
        f"{counts['larger']} above.",
        numbers={
            "least_ratio": min(row["ratio"] for row in rows),
            "largest_ratio": max(row["ratio"] for row in rows),
            **counts,
        },
        limits=limits_of(rows, lambda row: f"{row['group']}, over {row['against']}", alpha),
        sample={"units": sum({row["group"]: row["count"] for row in rows}.values())},
        rows=tuple(rows),
    )


def check_unrolled(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if ShapNets' own explanations err less than both rules of DeepLIFT."""
    methods = evidence["methods"]
    rows = compared(evidence["errors"], methods, methods[0], methods[1:], alpha)
    deep = [row for row in rows if row["group"].startswith("deep")]
    by_rule = [
        f"{span(row['ratio'] for row in deep if row['against'] == rule)} for the rule {rule}"
        for rule in methods[1:]
    ]
    counts = ", ".join(f"{len(units)} {name}" for name, units in evidence["errors"].items())
    told = (
        f"On ShapNets of {PLAYERS} features ({counts}), written as plain networks, the "
        "explanations that shallow ShapNets give of themselves have no error. For a typical deep "
        "ShapNet, the error of its own explanations relative to that of DeepLIFT is "
        f"{' and '.join(by_rule)}. More networks are needed to decide whether Rescale is any "
        "worse."
    )
    return _verdict(rows, told, alpha)


def each_kind(rows: list[Evidence]) -> str:
    """Return ratios by kind of task, in words."""
    return " and ".join(f"{show(row['ratio'])} on {row['group']}" for row in rows)


def check_shallow(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when a plain network errs less than shallow ShapNets on every kind of task."""
    rows = compared(evidence["errors"], evidence["learners"], "network", ["shallow ShapNet"], alpha)
    told = (
        f"On {rows[0]['count']} generated tasks of each kind, the typical ratio of the squared "
        f"error of a plain network to that of a shallow ShapNet of all pairs is {each_kind(rows)}."
    )
    return _verdict(rows, told, alpha)


def check_deep(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when deep ShapNets err less than shallow ones on every kind of task."""
    rows = compared(
        evidence["errors"], evidence["learners"], "deep ShapNet", ["shallow ShapNet"], alpha
    )
    told = (
        f"On {rows[0]['count']} generated tasks of each kind, with a few hundred rows, the "
        "typical ratio of the squared error of a deep ShapNet to that of a shallow one is "
        f"{each_kind(rows)}."
    )
    return _verdict(rows, told, alpha)


def check_limited(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when plain networks err less than deep ShapNets on every kind of task."""
    rows = compared(evidence["errors"], evidence["learners"], "network", ["deep ShapNet"], alpha)
    told = (
        f"On {rows[0]['count']} generated tasks of each kind, the typical ratio of the squared "
        f"error of a plain network to that of a deep ShapNet is {each_kind(rows)}."
    )
    return _verdict(rows, told, alpha)


SECTION = "Section 5.2.3, paragraph on ShapNets"
TASKS = (
    f"Sums of {PLAYERS} features, four of two or of four each, with kinks; pairs as modules, and a "
    "butterfly of pairs as the deep one."
)

CLAIMS = (
    claim(
        id="ccll23-50g",
        title="DeepLIFT beside ShapNets",
        heading="Networks",
        topic="orderings",
        where="Section 5.2.3, paragraph on assumptions",
        words="estimates have higher bias compared to DASP or ShapNets",
        statement=r"The estimates of DeepLIFT have higher bias than those of ShapNets.",
        hedges="With reference to the originals, and “as a consequence of DeepLIFT’s "
        "flexibility”. DASP is compared in C 52a. A ShapNet written as a plain network can be "
        "explained by both methods.",
        gather=gather_unrolled,
        check=check_unrolled,
        statistical=True,
        matters="Deep ShapNets restrict the network, and their explanations are not much better "
        "than those of DeepLIFT.",
    ),
    claim(
        id="ccll23-53f",
        title="Capacity of shallow ShapNets",
        heading="Networks",
        topic="identities",
        where=SECTION,
        words="these networks suffer in terms of model capacity",
        statement=r"Shallow ShapNets suffer in model capacity.",
        gather=gather_parity,
        check=check_parity,
        matters="An interaction of more features than a module has cannot be represented at all.",
    ),
    claim(
        id="ccll23-53g",
        title="Accuracy of shallow ShapNets",
        heading="Networks",
        topic="orderings",
        where=SECTION,
        words="have lower predictive accuracy than other deep models",
        statement=r"Shallow ShapNets have lower predictive accuracy than other deep models.",
        hedges=TASKS,
        gather=gather_accuracy,
        check=check_shallow,
        statistical=True,
        falls="hypothesis",
        lacks="interactions of more features than a module has",
        matters="If modules cover the interactions, the model that can be explained exactly is "
        "also the more accurate one.",
    ),
    claim(
        id="ccll23-54e",
        title="Accuracy of deep ShapNets",
        heading="Networks",
        topic="orderings",
        where=SECTION,
        words="since Deep ShapNets can have multiple layers, they are more performant in terms of "
        "making predictions",
        statement=r"Deep ShapNets predict better than shallow ones.",
        hedges=TASKS,
        gather=gather_accuracy,
        check=check_deep,
        statistical=True,
        falls="hypothesis",
        lacks="enough rows to train several layers",
        matters="With a few hundred rows, depth reduces both the accuracy of the model and that "
        "of its explanations.",
    ),
    claim(
        id="ccll23-54f",
        title="Deep ShapNets beside plain networks",
        heading="Networks",
        topic="orderings",
        where=SECTION,
        words="they are still more limited than standard deep models",
        statement=r"Deep ShapNets predict less well than standard deep models.",
        hedges=TASKS,
        gather=gather_accuracy,
        check=check_limited,
        statistical=True,
        matters="The explanations of a deep ShapNet come at the cost of accuracy.",
    ),
)
