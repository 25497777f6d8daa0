"""Time and memory that a plan takes before the first job, by the number of jobs.

The studies are synthetic: one dataset and one model for every game, 48 estimators of a job each on
every game, nothing computed. A plan is a dry run of a fresh study in a process of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import yaml

from pages import machine, markdown

ROOT = Path(__file__).parents[1]
ESTIMATORS = 48
SIZES = (100, 300, 1000, 3000, 10000)


def synthetic(n_jobs: int) -> dict:
    """Configuration of a study of about so many jobs."""
    names = [f"study-{k}" for k in range(max(1, round(n_jobs / (ESTIMATORS + 4))))]
    estimators = [f"walks-{k}" for k in range(ESTIMATORS)]
    return {
        "study": "planned",
        "seed": 1,
        "results": "results/planned",
        "datasets": {name: {"loader": "diabetes"} for name in names},
        "models": {
            name: {"dataset": name, "trainer": "xgboost", "params": {"n_estimators": 10}}
            for name in names
        },
        "games": {
            name: {
                "label": f"Game {k}",
                "model": name,
                "reward": "prediction",
                "players": 10,
                "explicands": 10,
                "truth": {"method": "enumeration"},
            }
            for k, name in enumerate(names)
        },
        "estimators": {
            name: {"label": f"Walks {k}", "estimator": "optimised-monte-carlo"}
            for k, name in enumerate(estimators)
        },
        "experiments": {
            name: {"game": name, "budgets": [200], "repetitions": 1, "estimators": estimators}
            for name in names
        },
        "claims": {"alpha": 0.05},
    }


def plan(folder: Path, n_jobs: int, *options: str) -> tuple[int, float, float, float]:
    """Jobs planned, and seconds, processor seconds and megabytes of the process at its peak."""
    path = folder / f"planned-{n_jobs}.yaml"
    path.write_text(yaml.safe_dump(synthetic(n_jobs), sort_keys=False), encoding="utf-8")
    flags = ["--dry-run", "--quiet", "rules", "--cores", "2", *options]
    command = [sys.executable, "-m", "snakemake", *flags, "--configfile", str(path)]
    start = time.perf_counter()
    with (folder / "told.txt").open("w+", encoding="utf-8") as told:
        process = subprocess.Popen(command, cwd=ROOT, stdout=told, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        told.seek(0)
        text = told.read()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the plan of {n_jobs} jobs failed:\n{text[-3000:]}")
    total = next(line.split()[1] for line in text.splitlines() if line.startswith("total "))
    return int(total), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Measure, and write planning.csv and planning.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the results go")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="numbers of jobs")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [plan(Path(folder), size) for size in arguments.sizes]
    frame = pd.DataFrame(rows, columns=["jobs", "seconds", "cpu_seconds", "megabytes"])
    frame.to_csv(arguments.directory / "planning.csv", index=False, float_format="%.1f")
    cells = [
        [f"{jobs:,.0f}", f"{cpu:.1f}", f"{1000 * cpu / jobs:.1f}", f"{memory:,.0f}"]
        for jobs, _, cpu, memory in frame.itertuples(index=False)
    ]
    header = ["Jobs", "Processor seconds", "Milliseconds per job", "Megabytes at the peak"]
    words = (
        "Processor time and memory of a dry run of a fresh synthetic study, with "
        f"{ESTIMATORS} estimators of a job each on every game; each dry run once, in a process of "
        f"its own. `benchmarks/planning.py` makes the table. {machine()}"
    )
    text = "\n\n".join(["# Time of a plan", words, markdown(header, cells, names=0)])
    (arguments.directory / "planning.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
