"""What the report says of the protocol and the tasks of this paper: its values and tables."""

from shapaudit.report.findings import Findings
from shapaudit.report.sources import Source

from ..findings import Replication, load
from . import best, comparison, recommendations, situations, values


def _of(found: Findings) -> Replication:
    return found.once(load)


SOURCES = (
    Source(
        "benchmark",
        "comparison of estimators",
        ("run_estimators", "compute_truth"),
        ("estimates/chen-*/", "estimates/many-*/", "truth/chen-*.parquet", "truth/many-*.parquet"),
        lambda found: values.values(_of(found)),
        lambda found: comparison.tables(_of(found)),
    ),
    Source(
        "best",
        "the best of the suite on the simulated games",
        ("run_estimators",),
        ("estimates/best-*/",),
        lambda found: best.best_values(_of(found).best),
        lambda found: {"benchmark_best": best.best_table(_of(found).best)},
    ),
    Source(
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
    Source(
        "recommendations",
        "what the recommendations count",
        ("run_estimators",),
        ("estimates/chen-*/", "estimates/many-*/"),
        lambda found: recommendations.values(_of(found).tasks),
    ),
)
