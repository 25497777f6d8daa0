"""What the report says of the protocol and the tasks of this paper: its values and tables."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.situation_table import filled, situation_table
from shapaudit_audit.report.sources import ResultSource

from .. import PAPER
from .. import explained as explanations
from ..advice import SITUATIONS
from ..findings import ChenReplication, load
from ..removal_studies import load as removal_studies
from . import (
    best,
    comparison,
    explained,
    measured,
    methods,
    reach,
    recommendations,
    removals,
    situations,
    values,
)


def _of(findings: Findings) -> ChenReplication:
    return findings.once(load)


def _claims(findings: Findings) -> dict[str, dict]:
    return {claim["id"]: claim for claim in findings.audit["claims"]}


def _words(findings: Findings) -> dict[str, str]:
    """What the study found, for the lines of advice."""
    alpha = findings.study.claims.alpha
    return filled(_of(findings).tasks, findings.once(removal_studies), alpha)


SOURCES = (
    ResultSource(
        "benchmark",
        "comparison of estimators",
        ("run_estimators", "compute_truth"),
        ("estimates/chen-*/", "estimates/many-*/", "truth/chen-*.parquet", "truth/many-*.parquet"),
        lambda findings: values.values(_of(findings)),
        lambda findings: comparison.tables(_of(findings)),
    ),
    ResultSource(
        "methods",
        "cells of Table 1 of Chen et al., and their claims",
        ("judge_claims",),
        ("claims/claims.json",),
        lambda findings: (
            methods.cells(findings.once(_claims), PAPER.prefix)
            | measured.values(findings.once(_claims), PAPER.prefix)
        ),
        lambda findings: {
            "methods": methods.methods_table(PAPER.prefix),
            "methods_measured": measured.measured_table(
                measured.measured(findings.once(_claims), PAPER.prefix)
            ),
        },
    ),
    ResultSource(
        "best",
        "the best of the suite on the simulated games",
        ("run_estimators",),
        ("estimates/best-*/",),
        lambda findings: best.best_values(_of(findings).best),
    ),
    ResultSource(
        "situations",
        "evaluations saved",
        ("run_estimators",),
        ("estimates/chen-*/", "estimates/many-*/", "estimates/best-*/"),
        lambda findings: situations.values(_of(findings)),
        lambda findings: {
            "evaluations_saved": situations.saved_table(_of(findings)),
        },
    ),
    ResultSource(
        "reach",
        "evaluations for an error",
        ("run_estimators", "compute_truth"),
        ("estimates/chen-*/", "estimates/many-*/", "estimates/best-*/", "truth/*.parquet"),
        lambda findings: reach.values(_of(findings)),
        lambda findings: {"reach": reach.reach_table(_of(findings))},
    ),
    ResultSource(
        "recommendations",
        "what the recommendations count",
        ("run_estimators",),
        ("estimates/chen-*/", "estimates/many-*/"),
        lambda findings: recommendations.values(_of(findings).tasks),
    ),
    ResultSource(
        "advice",
        "advice by situation, with the evidence of each line",
        ("run_estimators", "study_removals", "judge_claims"),
        ("estimates/chen-*/", "estimates/many-*/", "removal_studies/", "claims/claims.json"),
        lambda findings: {"advice.lines": str(len(SITUATIONS))},
        lambda findings: {"advice": situation_table(SITUATIONS, _words(findings))},
    ),
    ResultSource(
        "explanations",
        "model-specific explainers",
        ("study_explainers",),
        ("explanations/*/",),
        lambda findings: explained.values(findings.once(explanations.load)),
        lambda findings: {
            "explainers": explained.explainers_table(findings.once(explanations.load))
        },
    ),
    ResultSource(
        "removals",
        "errors of removals under known distributions",
        ("study_removals",),
        ("removal_studies/",),
        lambda findings: removals.values(
            findings.once(removal_studies), findings.study.claims.alpha
        ),
        lambda findings: removals.tables(
            findings.once(removal_studies), findings.study.claims.alpha
        ),
    ),
)
