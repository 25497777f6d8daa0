"""What the report says of the experiments and claims of this paper: its values and tables."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.sources import ResultSource, Texts

from ..findings import GrahReplication, load
from . import experiments, values

ESTIMATES = ("estimates/classification*/", "estimates/regression*/", "estimates/diabetes/")


def _of(findings: Findings) -> GrahReplication:
    return findings.once(load)


def _claims(findings: Findings) -> Texts:
    return values.derived_values(findings.audit)


SOURCES = (
    ResultSource(
        "experiments",
        "experiments of Grah and Thouvenot",
        ("run_estimators", "compute_truth"),
        (*ESTIMATES, "truth/"),
        lambda findings: values.values(_of(findings)),
        lambda findings: experiments.tables(_of(findings)),
    ),
    ResultSource(
        "published",
        "their published curves beside ours",
        ("run_estimators",),
        ESTIMATES[:2],
        lambda findings: values.published_values(_of(findings).experiments),
        lambda findings: {"published": experiments.published_table(_of(findings).experiments)},
    ),
    ResultSource(
        "radius",
        "evidence on their claims about the radius and the default step",
        ("judge_claims",),
        ("claims/claims.json",),
        _claims,
    ),
    ResultSource(
        "theory",
        "constants and bounds, computed from the number of players",
        ("write_study",),
        ("study.yaml",),
        lambda findings: values.bound_values(_of(findings).experiments["classification"].players),
    ),
)
