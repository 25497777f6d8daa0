"""Minutes that the targets of the artifact appendix take, from what Snakemake measures of jobs."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pandas as pd

from ..papers import PAPERS
from ..report.artifact import AUDIT, NUMBERS
from .base import Plan
from .report import RenderNotebook, figures, repetitions

# Rules by the folder of results that they fill; a job has the name of its file.
RULES = {
    "datasets": "load_dataset",
    "models": "train_model",
    "games": "build_games",
    "truth": "compute_truth",
    "estimates": "run_estimators",
    "kept": "keep_estimates",
    "paths": "run_paths",
    "architectures": "search_architecture",
    "explanations": "study_explainers",
    "removal_studies": "study_removals",
}
DOCUMENTS = ("render_", "write_numbers", "compile_report", "build_site")


def minutes(plan: Plan, benchmarks: str | Path) -> dict[str, float]:
    """Processor minutes of all jobs that a target needs, by target: a notebook, claims, numbers.

    ``benchmarks`` is the folder of what Snakemake measured of a finished study. A notebook that
    shows verdicts needs all that claims rest on. Raises ValueError naming a job that is not there.
    """
    runs = tuple(repetitions(plan.study))
    spent = {
        job: seconds
        for job, seconds in _seconds(Path(benchmarks)).items()
        if job.startswith(runs) or not job.startswith("repetitions/")  # those of earlier checks
    }
    _of(spent, [f"{run}judge_claims" for run in runs])
    judged = sum(own for job, own in spent.items() if not job.startswith(DOCUMENTS))
    found = {AUDIT: judged, NUMBERS: judged + _of(spent, ["write_numbers"])}
    for notebook in figures():
        job = RenderNotebook(plan, {"notebook": notebook})
        seen = job.seen_by(notebook)
        own = _of(spent, [f"render_{notebook}"])
        of_paper = notebook in PAPERS and job.places.claims not in seen
        made = _of(spent, _jobs(job.made_for(notebook), plan.study.results)) if of_paper else judged
        found[f"results/notebooks/{notebook}.ipynb"] = own + made
    return {target: seconds / 60 for target, seconds in found.items()}


def keep(plan: Plan, benchmarks: str | Path, path: Path) -> None:
    """Write `minutes` to a file of the project."""
    rows = [(target, f"{spent:.1f}") for target, spent in minutes(plan, benchmarks).items()]
    pd.DataFrame(rows, columns=["target", "minutes"]).to_csv(path, index=False)


def _seconds(benchmarks: Path) -> dict[str, float]:
    """Processor seconds by job; those on the clock where a job was too short to be looked at."""
    spent = {}
    for path in sorted(benchmarks.rglob("*.tsv")):
        row = pd.read_csv(path, sep="\t").iloc[0]
        measured = pd.to_numeric(row[["cpu_time", "s"]], errors="coerce")
        job = path.relative_to(benchmarks).with_suffix("").as_posix()
        spent[job] = float(measured.dropna().iloc[0])
    return spent


def _jobs(files: Iterable[str], results: str) -> set[str]:
    """Jobs that made some files."""
    jobs = set()
    for file in files:
        folder, *names = PurePosixPath(file).relative_to(results).parts
        jobs.add("/".join([RULES[folder], *names[:-1], names[-1].partition(".")[0]]))
    return jobs


def _of(spent: dict[str, float], jobs: Iterable[str]) -> float:
    lacking = sorted(set(jobs) - set(spent))
    if lacking:
        raise ValueError(
            f"nothing was measured of {', '.join(lacking)}; run the study with `make reproduce`."
        )
    return sum(spent[job] for job in jobs)
