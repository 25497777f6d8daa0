"""Claims by what they say, whatever their source: the headings of the report's audit."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ..findings.verdicts import by_paper, prefix
from ..plotting.style import STATUSES
from .audit import badges
from .latex import number

FALLEN = ("refuted", "inconsistent", "vacuous")
# What a verdict is owed to, by key of the value; a convention is as harmless as a slip.
REASONS = {
    "slip": ("slip", "convention"),
    "hypothesis": ("hypothesis",),
    "false": ("false",),
    "loose": ("loose",),
    "sample": ("sample",),
    "literature": ("literature",),
    "other": ("loose", "sample", "literature"),
}
KINDS = ("identities", "convergence", "rates", "probability", "orderings", "cost")
# The kind of most claims of a group, by paper and heading.
GROUPS = {
    ("gt20", "Least squares and curvature"): "identities",
    ("gt20", "Gradients and constants"): "identities",
    ("gt20", "Rates in expectation"): "rates",
    ("gt20", "Bounds in probability"): "probability",
    ("gt20", "Algorithms and their cost"): "convergence",
    ("gt20", "The experiments"): "orderings",
    ("ccll23", "The fastest"): "orderings",
    ("ccll23", "Adaptive sampling"): "orderings",
    ("ccll23", "Antithetic sampling"): "orderings",
    ("ccll23", "Multilinear extension sampling"): "convergence",
    ("ccll23", "Least squares on samples"): "convergence",
    ("ccll23", "Normalisation, bias and variance"): "identities",
    ("ccll23", "Random orders"): "identities",
    ("ccll23", "Ways to remove a feature"): "identities",
    ("ccll23", "Trees"): "identities",
    ("ccll23", "Budgets"): "cost",
    ("ol21", "Convergence"): "convergence",
    ("ol21", "Weights of the levels"): "identities",
    ("ol21", "Against permutations"): "orderings",
    ("ol21", "Halving"): "orderings",
    ("ol21", "The integral"): "identities",
    ("bdb24", "Lifts and chains"): "identities",
    ("bdb24", "Batches, ridge, reduction"): "identities",
    ("bdb24", "Costs"): "cost",
    ("bdb24", "Printed numbers"): "identities",
    ("bdb24", "Permutations"): "orderings",
    ("bdb24", "Risk and stopping"): "probability",
    ("field26", "Sampling in pairs"): "convergence",
    ("field26", "What an estimator is worth"): "orderings",
    ("field26", "Additive games"): "convergence",
    ("field26", "When to stop"): "probability",
}
EXCEPTIONS = {
    "gt20-04b": "rates",
    "gt20-04c": "rates",
    "gt20-04g": "rates",
    "gt20-04h": "rates",
    "gt20-13": "probability",
    "gt20-15": "identities",
    "gt20-16a": "cost",
    "gt20-16b": "cost",
    "gt20-17": "cost",
    "ccll23-05c": "convergence",
    "ccll23-06a": "orderings",
    "ccll23-06b": "orderings",
    "ccll23-07b": "convergence",
    "ccll23-08c": "convergence",
    "ccll23-09c": "orderings",
    "ccll23-11b": "cost",
    "ccll23-12a": "cost",
    "ccll23-14b": "convergence",
    "ccll23-15b": "convergence",
    "ccll23-15c": "convergence",
    "ol21-03c": "cost",
    "ol21-05": "cost",
    "field26-01": "orderings",
    "field26-04": "convergence",
    "field26-05": "rates",
    "field26-07": "identities",
}


def kind_of(claim: Mapping) -> str:
    """One of `KINDS`; raises ValueError for a claim of a group without one."""
    try:
        return EXCEPTIONS.get(claim["id"]) or GROUPS[prefix(claim["id"]), claim["group"]]
    except KeyError:
        raise ValueError(
            f"claim {claim['id']} of the group {claim['group']!r} has no kind; "
            "add the group to tables.claim_kinds.GROUPS."
        ) from None


def by_kind(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Claims by kind, in the order of `KINDS`."""
    found: dict[str, list[Mapping]] = {kind: [] for kind in KINDS}
    for claim in claims:
        found[kind_of(claim)].append(claim)
    return found


def values(audit: Mapping) -> dict[str, str]:
    """Counts by kind and verdict, which claims of each paper those are, what fallen ones owe it to.

    Keys begin with ``kinds.`` and one of `KINDS`; totals with ``fallen.`` and ``printed.``.
    """
    claims = audit["claims"]
    papers = by_paper(claims)
    found = _totals(claims)
    for kind, members in by_kind(claims).items():
        counts = Counter(claim["status"] for claim in members)
        found[f"kinds.{kind}.total"] = number(len(members))
        found |= {f"kinds.{kind}.{status}": number(counts[status]) for status in STATUSES}
        found |= _fallen(f"kinds.{kind}.fallen", members)
        own = by_paper(members)
        found |= {f"kinds.{kind}.{key}": badges(own.get(key, [])) for key in papers}
    return found


def _totals(claims: Sequence[Mapping]) -> dict[str, str]:
    """How many claims fall, in all and by paper, to what they owe it, and how many are printed."""
    found = _fallen("fallen", claims)
    for key, own in by_paper(claims).items():
        found |= _fallen(f"fallen.{key}", own)
    printed = [claim for claim in claims if claim["source"] == "paper"]
    found |= _fallen("printed.fallen", printed)
    return found | {
        "printed.total": number(len(printed)),
        "printed.own": number(len(claims) - len(printed)),
    }


def _fallen(name: str, claims: Sequence[Mapping]) -> dict[str, str]:
    fallen = [claim for claim in claims if claim["status"] in FALLEN]
    counts = Counter(claim["kind"] for claim in fallen)
    reasons = {
        f"{name}.{reason}": number(sum(counts[kind] for kind in kinds))
        for reason, kinds in REASONS.items()
    }
    return {f"{name}.total": number(len(fallen)), **reasons}
