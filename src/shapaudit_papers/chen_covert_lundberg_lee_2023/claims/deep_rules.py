"""Claims 50 and 51: DeepLIFT's rules for one unit, DeepSHAP, and a softmax at the end."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.deep_rules import gather_softmax, gather_units
from .common import claim


def check_units(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if each rule gives the Shapley values of units where few inputs change."""
    cases, units = evidence["cases"], evidence["units"]
    off = " and ".join(f"{rule} in {count}" for rule, count in evidence["off"].items())
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for random units: Rescale if one input changes, "
        "RevealCancel if one input increases the activation and one decreases it. If two increase "
        f"and one decreases it, both rules are wrong ({off} of {units} units): RevealCancel gives "
        "the Shapley values of the two sums and shares these in proportion, and Rescale shares "
        "everything in proportion.",
        lambda case: f"{case.label}: {case.left}, and exactly {case.right}.",
        numbers={f"off.{rule}": count for rule, count in evidence["off"].items()},
        sample={"units": units},
        shown_by="prop:chen-units",
    )


def check_deepshap(evidence: Evidence, alpha: float) -> Verdict:
    """Exact when values of one unit differ, or those of random networks."""
    rows, differing, networks = (evidence[key] for key in ("rows", "differing", "networks"))
    apart = any(row["deepshap"] != row["exact"] for row in rows)
    biased = apart or any(differing.values())
    counts = " and ".join(f"by {rule} in {count}" for rule, count in differing.items())
    first = rows[:2]
    told = " and ".join(str(row["deepshap"]) for row in first)
    exact = " and ".join(str(row["exact"]) for row in first)
    return tell(
        "exact" if biased else "refuted",
        {
            "exact": r"One unit is sufficient for a bias: for $\max(0,a+b-1)$ at $a=2$ and $b=1$, "
            f"with the rows 00 and 11 as the background, the values are {told} by DeepSHAP and "
            f"{exact} exactly. On {networks} random networks with two hidden layers and three "
            f"baselines, values differ {counts}.",
            "refuted": f"On {networks} random networks DeepSHAP gives the Shapley values.",
        },
        reach=f"one unit and {networks} random networks",
        numbers={f"differing.{rule}": count for rule, count in differing.items()},
        sample={"networks": networks},
        rows=rows,
    )


def check_softmax(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if Rescale gives the other logit 0 and its Shapley value is not 0."""
    rows = evidence["rows"]
    other = [row for row in rows if row["feature"] == 2]
    ignored = all(row["rescale"] == 0 != row["exact"] for row in other)
    return tell(
        "proved" if ignored else "refuted",
        {
            "proved": "Consider two classes whose logits are the features, with exponentials that "
            f"change from 1 to {' or to '.join(row['odds'] for row in other)}. The second feature "
            f"has the values {' and '.join(str(row['exact']) for row in other)}, and 0 by "
            "Rescale. In the first case the whole change is lost, so that the values do not even "
            "sum to it; in the second the first feature receives all of it, with the wrong sign.",
            "refuted": "Rescale gives the other logit its share.",
        },
        shown_by={"proved": "prop:chen-softmax"},
        rows=rows,
    )


SECTION = "Section 5.2.3, paragraph on DeepLIFT"

CLAIMS = (
    claim(
        id="ccll23-50e",
        title="DeepLIFT's rules and the Shapley value",
        heading="Networks",
        topic="identities",
        where=SECTION,
        words="which can be viewed as approximations of the Shapley value",
        statement=r"DeepLIFT's rules Rescale and RevealCancel can be viewed as approximations of "
        r"the Shapley value.",
        hedges="“can be viewed as”, with a reference to another paper.",
        gather=gather_units,
        check=check_units,
        stands="loosely",
        matters="The rules are exact for a unit with one changing input, or with two inputs that "
        "act in opposite directions; otherwise they guarantee nothing.",
    ),
    claim(
        id="ccll23-50f",
        title="Softmax treated as an activation",
        heading="Networks",
        topic="identities",
        where=f"{SECTION}, beyond what is said there",
        statement="If the probability of a class is explained, and softmax is treated as an "
        "activation of that class's logit, Rescale gives nothing to features that act only "
        "through the other logits, whatever their Shapley values.",
        matters="Networks should be explained by their logits.",
        gather=gather_softmax,
        check=check_softmax,
        source="this project",
    ),
)
