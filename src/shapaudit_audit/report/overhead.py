"""Times that estimators take beside the game, from a recorded run.

Times differ between machines and runs, so that no result of a study contains them.
"""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

OVERHEAD = "benchmarks/results/overhead.csv"  # written by benchmarks/overhead.py
KEY = ["task", "players", "budget", "estimator"]

# Processor seconds of an explanation, by task, number of players, evaluations and estimator.
Seconds = Mapping[tuple[str, int, int, str], float]


def seconds_beside(path: str | Path = OVERHEAD) -> Seconds:
    """Seconds beside the game on record, which are good to a factor of two."""
    return pd.read_csv(path).set_index(KEY)["seconds"].to_dict()
