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
    recommendations,
    removals,
    situations,
    values,
)


def _of(found: Findings) -> ChenReplication:
    return found.once(load)


def _claims(found: Findings) -> dict[str, dict]:
    return {claim["id"]: claim for claim in found.audit["claims"]}


def _words(found: Findings) -> dict[str, str]:
    """What the study found, for the lines of advice."""
    alpha = found.study["claims"]["alpha"]
    return filled(_of(found).tasks, found.once(removal_studies), alpha)


SOURCES = (
    ResultSource(
        "benchmark",
        "comparison of estimators",
        ("run_estimators", "compute_truth"),
        ("estimates/chen-*/", "estimates/many-*/", "truth/chen-*.parquet", "truth/many-*.parquet"),
        lambda found: values.values(_of(found)),
        lambda found: comparison.tables(_of(found)),
    ),
    ResultSource(
        "methods",
        "cells of Table 1 of Chen et al., and their claims",
        ("judge_claims",),
        ("claims/claims.json",),
        lambda found: (
            methods.cells(found.once(_claims), PAPER.prefix)
            | measured.values(found.once(_claims), PAPER.prefix)
        ),
        lambda found: {
            "methods": methods.methods_table(PAPER.prefix),
            "methods_measured": measured.measured_table(
                measured.measured(found.once(_claims), PAPER.prefix)
            ),
        },
    ),
    ResultSource(
        "best",
        "the best of the suite on the simulated games",
        ("run_estimators",),
        ("estimates/best-*/",),
        lambda found: best.best_values(_of(found).best),
        lambda found: {"benchmark_best": best.best_table(_of(found).best)},
    ),
    ResultSource(
        "situations",
        "regrets by situation and evaluations saved",
        ("run_estimators",),
        ("estimates/chen-*/", "estimates/many-*/", "estimates/best-*/"),
        lambda found: situations.values(_of(found)),
        lambda found: {
            "situations": situations.situations_table(situations.of(_of(found))),
            "evaluations_saved": situations.saved_table(_of(found)),
        },
    ),
    ResultSource(
        "recommendations",
        "what the recommendations count",
        ("run_estimators",),
        ("estimates/chen-*/", "estimates/many-*/"),
        lambda found: recommendations.values(_of(found).tasks),
    ),
    ResultSource(
        "advice",
        "advice by situation, with the evidence of each line",
        ("run_estimators", "study_removals", "judge_claims"),
        ("estimates/chen-*/", "estimates/many-*/", "removal_studies/", "claims/claims.json"),
        lambda found: {"advice.lines": str(len(SITUATIONS))},
        lambda found: {"advice": situation_table(SITUATIONS, _words(found))},
    ),
    ResultSource(
        "explanations",
        "model-specific explainers",
        ("study_explainers",),
        ("explanations/*/",),
        lambda found: explained.values(found.once(explanations.load)),
        lambda found: {"explainers": explained.explainers_table(found.once(explanations.load))},
    ),
    ResultSource(
        "removals",
        "errors of removals under known distributions",
        ("study_removals",),
        ("removal_studies/",),
        lambda found: removals.values(found.once(removal_studies), found.study["claims"]["alpha"]),
        lambda found: removals.tables(found.once(removal_studies), found.study["claims"]["alpha"]),
    ),
)
