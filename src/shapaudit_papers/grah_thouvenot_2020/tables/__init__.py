"""What the report says of the experiments and claims of this paper: its values and tables."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.sources import ResultSource, Texts

from ..findings import GrahReplication, load
from . import experiments, values

ESTIMATES = ("estimates/classification*/", "estimates/regression*/", "estimates/diabetes/")


def _of(found: Findings) -> GrahReplication:
    return found.once(load)


def _claims(found: Findings) -> Texts:
    return values.derived_values(found.audit)


SOURCES = (
    ResultSource(
        "experiments",
        "experiments of Grah and Thouvenot",
        ("run_estimators", "compute_truth"),
        (*ESTIMATES, "truth/"),
        lambda found: values.values(_of(found)),
        lambda found: experiments.tables(_of(found)),
    ),
    ResultSource(
        "published",
        "their published curves beside ours",
        ("run_estimators",),
        ESTIMATES[:2],
        lambda found: values.published_values(_of(found).experiments),
        lambda found: {"published": experiments.published_table(_of(found).experiments)},
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
        lambda found: values.bound_values(_of(found).experiments["classification"].players),
    ),
)
