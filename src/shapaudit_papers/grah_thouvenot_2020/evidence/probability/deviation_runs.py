"""Evidence on claim 11, by experiment.

The deviation inequality after many steps on the study's games.
"""

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from ..rates.runs import printed_bound, runs_of

# Levels a, all beyond the crossing with Markov's inequality. Few runs support the claim at the
# first two; at the others the bound is so small that a single exceedance speaks against it.
GRID = (1.75, 2.0, 3.0, 4.0, 6.0, 8.0)
CALIBRATION = 0.25  # share of the runs that estimates E Z; the others are counted


@sampled
def gather_runs(context: Context) -> Evidence:
    """Z = ||average - phi*||^2 over independent runs on K, step 2/(mu (t + 1)), per explicand."""
    split = int(context.settings.repetitions * CALIBRATION)
    series = [
        {
            "game": run_series["game"],
            "explicand": run_series["explicand"],
            "rule": run_series["rule"],
            "calibration": run_series["errors"][:split, -1],
            "counted": run_series["errors"][split:, -1],
            "printed_bound": printed_bound(
                run_series["rule"], run_series["setting"], run_series["times"][-1]
            ),
        }
        for run_series in runs_of(context, ("inverse",), "intersection")
    ]
    return {"series": series, "grid": GRID, "iterations": context.settings.iterations}
