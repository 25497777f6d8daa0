"""Everything generated that the report's sources refer to."""

from collections.abc import Mapping

import pandas as pd

from ..findings.benchmark import Benchmark
from ..findings.reporting import CONTRASTS, VARIANT_CONTRASTS, Experiment
from ..findings.verdicts import by_paper
from ..statistics.comparisons import compare_all
from . import benchmark as benchmark_tables
from . import estimates
from .audit import claims_table, summary_table
from .benchmark_values import values as benchmark_values
from .prose import (
    bound_values,
    claim_values,
    collapsed_values,
    comparison_values,
    experiment_values,
    model_values,
    published_values,
    radius_values,
    repetition_values,
    study_values,
    unhelpful_values,
)
from .provenance import provenance_table


def comparisons_of(study: Mapping, experiments: Mapping[str, Experiment]) -> pd.DataFrame:
    """All contrasts of the report, in one family."""
    frames = {name: experiment.frame for name, experiment in experiments.items()}
    contrasts = (*CONTRASTS, *VARIANT_CONTRASTS)
    return compare_all(frames, contrasts, study["claims"]["alpha"])


def tables(
    experiments: Mapping[str, Experiment],
    comparisons: pd.DataFrame,
    audit: Mapping,
    provenance: Mapping,
    collapsed: Experiment,
    benchmark: Benchmark,
) -> dict[str, str]:
    """LaTeX of each table, by file name without suffix."""
    papers = by_paper(audit["claims"])
    return {
        "study": estimates.study_table(experiments),
        "errors": estimates.errors_table(experiments),
        "ratios": estimates.comparisons_table(comparisons, CONTRASTS, experiments, "ratio"),
        "speed": estimates.comparisons_table(comparisons, CONTRASTS, experiments, "speed"),
        "variants": estimates.comparisons_table(
            comparisons, VARIANT_CONTRASTS, experiments, "ratio"
        ),
        "steps": estimates.steps_table(experiments),
        "published": estimates.published_table(experiments),
        "spread": estimates.spread_table(experiments),
        "coverage": estimates.coverage_latex(experiments),
        "collapsed": estimates.relative_table(collapsed),
        **{f"claims_{key}": claims_table(claims) for key, claims in papers.items()},
        **{f"summary_{key}": summary_table(claims) for key, claims in papers.items()},
        **benchmark_tables.tables(benchmark),
        "provenance": provenance_table(provenance),
    }


def values(
    study: Mapping,
    experiments: Mapping[str, Experiment],
    comparisons: pd.DataFrame,
    audit: Mapping,
    scores: Mapping[str, Mapping],
    repetitions: Mapping[int, Mapping],
    collapsed: Experiment,
    benchmark: Benchmark,
) -> dict[str, str]:
    """Text of each value of the prose, by key."""
    found = {
        **study_values(study, experiments),
        **comparison_values(comparisons, list(experiments)),
        **published_values(experiments),
        **model_values(scores),
        **claim_values(audit),
        **repetition_values(audit, repetitions),
        **collapsed_values(collapsed),
        **benchmark_values(benchmark),
        **radius_values(audit),
        **unhelpful_values(audit),
        **bound_values(experiments["classification"].players),
    }
    for experiment in experiments.values():
        found |= experiment_values(experiment)
    return found
