"""Claims 50g, 53f, 53g, 54e and 54f: what ShapNets can represent, learn, and explain."""

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import count_words, limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.shapnets import PLAYERS, WIDE, gather_accuracy, gather_unrolled
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


def check_unrolled(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if ShapNets' own explanations err less than both rules of DeepLIFT."""
    methods = evidence["methods"]
    rows = compared(evidence["errors"], methods, methods[0], methods[1:], alpha)
    words = count_words(rows, ("larger", "smaller"))
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
        f"{' and '.join(by_rule)}. Of {len(rows)} ratios {words['smaller']} are significantly "
        f"below 1 and {words['larger']} above."
    )
    return Verdict(
        by_own_limits(rows),
        told,
        numbers={
            "least_ratio": min(row["ratio"] for row in rows),
            "largest_ratio": max(row["ratio"] for row in rows),
            **words,
        },
        limits=limits_of(rows, lambda row: f"{row['group']}, over {row['against']}", alpha),
        sample={"units": sum(map(len, evidence["errors"].values()))},
        rows=tuple(rows),
    )


TASKS = (
    f"targets of {PLAYERS} features that are sums of four terms with kinks, of two features each, "
    "which the modules of a shallow ShapNet of pairs cover, or of four"
)


def typical(units: np.ndarray, names: list[str], first: str, second: str) -> float:
    """Return the median ratio of the errors of two learners."""
    return float(np.median(units[:, names.index(first)] / units[:, names.index(second)]))


def accuracy(first: str, second: str, beyond: bool = False):
    """Return the check that one learner errs less than another, with many rows.

    It is decided on both kinds of tasks, or ``beyond`` what pairs can represent.
    """

    def check(evidence: Evidence, alpha: float) -> Verdict:
        """By the limits of the ratios on tasks with many rows; those with few are told beside."""
        many = evidence["rows"][-1]
        decisive = {
            f"{kind}, {rows:,} rows": units
            for (kind, rows), units in evidence["errors"].items()
            if rows == many and (kind == WIDE or not beyond)
        }
        rows = compared(decisive, evidence["learners"], first, [second], alpha)
        beside = {
            f"{kind}, {count:,} rows": typical(units, evidence["learners"], first, second)
            for (kind, count), units in evidence["errors"].items()
            if f"{kind}, {count:,} rows" not in decisive
        }
        ratios = [f"{show(row['ratio'])} for {row['group']}" for row in rows]
        others = [f"{show(ratio)} for {name}" for name, ratio in beside.items()]
        counts = count_words(rows, ("larger", "smaller"))
        return Verdict(
            by_own_limits(rows),
            f"On {rows[0]['count']} generated tasks of each kind, {TASKS}, the typical ratio of "
            f"the squared error of a {first} to that of a {second} is by kind and training rows: "
            f"{'; '.join(ratios)}; and, where it is not decided, {'; '.join(others)}. Of the "
            f"{len(rows)} that decide {counts['smaller']} are significantly below 1 and "
            f"{counts['larger']} above.",
            numbers={
                "least_ratio": min(row["ratio"] for row in rows),
                "largest_ratio": max(row["ratio"] for row in rows),
                **counts,
            },
            limits=limits_of(rows, lambda row: f"{row['group']}, over {row['against']}", alpha),
            sample={"units": sum(row["count"] for row in rows)},
            rows=tuple(rows),
        )

    return check


SECTION = "Section 5.2.3, paragraph on ShapNets"

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
        matters="The explanations that ShapNets give of themselves were shown to be better than "
        "those of one rule of DeepLIFT, RevealCancel, and not than those of the other.",
    ),
    claim(
        id="ccll23-53g",
        title="Accuracy of ShapNets",
        heading="Networks",
        topic="orderings",
        where="Section 5.2.3, paragraph on ShapNets",
        words="have lower predictive accuracy than other deep models ... since Deep ShapNets can "
        "have multiple layers, they are more performant in terms of making predictions",
        statement="Shallow ShapNets have lower predictive accuracy than other deep models, and "
        "deep ShapNets predict better than shallow ones.",
        hedges="“since Deep ShapNets can have multiple layers”: deep ShapNets are judged where "
        "one layer of pairs does not suffice.",
        gather=gather_accuracy,
        check=accuracy("network", "shallow ShapNet"),
        also=((gather_accuracy, accuracy("deep ShapNet", "shallow ShapNet", beyond=True)),),
        statistical=True,
        matters="Where modules do not cover the interactions, shallow ShapNets predict less well; "
        "where they do, which predicts better depends on the number of rows. A deep ShapNet "
        "should be compared with a shallow one on rows held out before its biased explanations "
        "are accepted for its accuracy.",
    ),
    claim(
        id="ccll23-54f",
        title="Deep ShapNets beside plain networks",
        heading="Networks",
        topic="orderings",
        where=SECTION,
        words="they are still more limited than standard deep models",
        statement=r"Deep ShapNets predict less well than standard deep models.",
        gather=gather_accuracy,
        check=accuracy("network", "deep ShapNet"),
        statistical=True,
        matters="The explanations of a deep ShapNet come at the cost of accuracy.",
    ),
)
