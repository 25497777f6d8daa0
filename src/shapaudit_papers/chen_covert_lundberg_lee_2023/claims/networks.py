"""Claims 50, 53 and 54: DeepLIFT and ShapNets."""

from typing import Any

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.deep_rules import gather_deepshap
from ..evidence.networks import gather_bias, gather_deep, gather_layers, gather_shallow
from ..evidence.shapnets import gather_parity
from .common import claim
from .deep_rules import check_deepshap
from .shapnets import check_parity

PROOF = "prop:chen-networks"


def check_layers(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if every layer receives the whole difference of the output."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Both rules pass the whole difference of the output back to every layer, in {len(cases)} "
        f"layers of random networks with up to {evidence['layers']} hidden layers of ReLU, and in "
        "general.",
        lambda case: f"{case.label} gets {case.left} of a difference of {case.right}.",
        sample={"layers": len(cases)},
        shown_by=PROOF,
    )


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if values of a single unit or of random networks are biased."""
    rows, differing, networks = (evidence[key] for key in ("rows", "differing", "networks"))
    agree = not any(differing.values())
    counts = " and ".join(f"by {rule} in {count}" for rule, count in differing.items())
    return tell(
        "refuted" if agree else "exact",
        {
            "refuted": f"On {networks} random networks both rules give the Shapley values.",
            "exact": r"One unit is sufficient for a bias: for $\max(0,a+b-1)$ at $a=2$ and $b=1$ "
            "with the baseline zero, both rules give 4/3 and 2/3, whereas the exact values are "
            f"3/2 and 1/2. Of {networks} random networks with two hidden layers, values differ "
            f"{counts}.",
        },
        reach=f"one unit and {networks} random networks",
        numbers={f"differing.{rule}": count for rule, count in differing.items()},
        sample={"networks": networks},
        rows=rows,
    )


def check_shallow(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for random networks of overlapping modules with any "
        "baseline, because the output is a sum of modules and the Shapley value is linear.",
        lambda case: f"{case.label}: {case.left}, and by enumeration {case.right}.",
        sample={"entries": len(cases)},
        shown_by=PROOF,
    )


def check_deep(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if values are biased on some network and sums on none."""
    differing, networks = evidence["differing"]["deep"], evidence["networks"]
    linear = evidence["differing"]["linear"]
    details: dict[str, Any] = {
        "numbers": {"differing": differing, "differing_linear": linear},
        "sample": {"networks": networks},
    }
    rows = (
        {"second_stage": "random", "networks": networks, "differing": differing},
        {"second_stage": "linear", "networks": networks, "differing": linear},
    )
    if wrong := first_mismatch(evidence["cases"]):
        text = f"Not even the sums agree: {wrong.label}, {wrong.left}, not {wrong.right}."
        return against(wrong, text, **details)
    return tell(
        "exact" if differing else "refuted",
        {
            "refuted": f"On {networks} random networks of two stages there is no bias.",
            "exact": f"Values differ from those of the whole network in {differing} of {networks} "
            "random networks of two stages; their sums are right in all of them. "
            f"{_told_linear(linear, networks)}",
        },
        reach=f"{networks} random networks of two stages",
        rows=rows,
        **details,
    )


def _told_linear(differing: int, networks: int) -> str:
    """Whether linear later stages repair the values."""
    if not differing:
        return f"With a linear second stage there is no bias in {networks} networks."
    return (
        f"A linear second stage does not repair the values, which differ in {differing} of "
        f"{networks} networks: it gives different weights to the two features of a module of the "
        "first stage, and thereby undoes the equal shares of their interaction."
    )


SECTION = "Section 5.2.3"
SHAPNETS = f"{SECTION}, paragraph on ShapNets"

CLAIMS = (
    claim(
        id="ccll23-50b",
        title="DeepLIFT and DeepSHAP: efficient at each layer, and biased",
        heading="Networks",
        topic="convergence",
        where="Section 5.2.3, paragraph on DeepLIFT; Table 1, column Bias-free; Table 1, row "
        "DeepSHAP, column Bias-free",
        words="Due to the chain rule and these local approximations, DeepLIFT produces biased "
        "estimates of baseline Shapley values ... was designed to produce biased estimates of "
        "marginal Shapley values ... maintaining the Shapley value’s efficiency property at "
        "each layer using a chain rule based on either a Rescale rule or a RevealCancel rule",
        statement="DeepLIFT gives biased estimates of baseline Shapley values. DeepSHAP produces "
        "biased estimates of marginal Shapley values. Under both rules of DeepLIFT, Rescale and "
        "RevealCancel, the contributions of each layer sum to the difference of the output.",
        gather=gather_bias,
        check=check_bias,
        also=(
            (gather_deepshap, check_deepshap),
            (gather_layers, check_layers),
        ),
        matters="Attributions by DeepLIFT should be compared with an unbiased estimator on a few "
        "rows. More baselines do not remove the bias. A correct sum does not imply correct "
        "parts: efficiency is no evidence of small errors.",
    ),
    claim(
        id="ccll23-53a",
        title="ShapNets: shallow ones exact and limited, deep ones biased",
        heading="Networks",
        topic="identities",
        where="Section 5.2.3, paragraph on ShapNets; Table 1, column Bias-free",
        words="networks that have a single hidden layer, and where baseline Shapley values can be "
        "calculated exactly ... For Deep ShapNets, the final estimates are biased because of "
        "this hierarchical, layer-wise procedure ... these networks suffer in terms of model "
        "capacity",
        statement="Baseline Shapley values of shallow ShapNets can be calculated exactly. The "
        "estimates of deep ShapNets are biased. Shallow ShapNets suffer in model capacity.",
        gather=gather_shallow,
        check=check_shallow,
        also=(
            (gather_deep, check_deep),
            (gather_parity, check_parity),
        ),
        matters="A network of small modules can be explained without any error. The output of a "
        "deep ShapNet is not an explanation of it by Shapley values. An interaction of more "
        "features than a module has cannot be represented at all.",
    ),
)
