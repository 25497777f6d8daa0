"""What a Slurm job costs beside its work, by the number of jobs in it, on the small study.

It needs a cluster to which this machine may submit (`tests/workflow/slurm_here.sh start` makes one)
and the executor on PYTHONPATH or beside Snakemake. The run is kept in a folder, where it goes on if
it was interrupted. A part of a run tells what a job costs as well: `--read` takes it as it is.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd

from pages import machine, markdown

ROOT = Path(__file__).parents[1]
CLOCKS = ROOT / "benchmarks" / "clocks"
PARTS = ("Snakefile", "config", "environment.yml", "notebooks", "paper", "pyproject.toml", "src")
PARTS += ("profiles", "tests", "workflow")


def prepared(folder: Path) -> Path:
    """A copy of the project with a place for what the clocks say; one that is there stays."""
    if not folder.exists():
        folder.mkdir(parents=True)
        for part in PARTS:
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / part)
        (folder / "clocks").mkdir()
    return folder


def run(folder: Path) -> None:
    """The small study through Slurm, with the clocks on."""
    path = filter(None, [str(CLOCKS), os.environ.get("PYTHONPATH")])
    clocks = {"SHAPAUDIT_CLOCKS": str(folder / "clocks"), "PYTHONPATH": os.pathsep.join(path)}
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", "profiles/slurm"]
    command += ["--configfile", "config/smoke.yaml"]
    subprocess.run(command, cwd=folder, env=os.environ | clocks, check=True)


def kind_of(command: list[str]) -> str:
    """Whether a process is Snakemake, the work of a job, or something that the work started."""
    if command[:2] == ["-m", "snakemake"]:
        return "snakemake"
    return "work" if ".snakemake/scripts/" in command[0] else "other"


def read(folder: Path) -> pd.DataFrame:
    """A row for each process: Slurm job, kind, begin, end and processor seconds."""
    facts = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    rows = [(fact["job"], kind_of(fact["command"]), *clock(fact)) for fact in facts]
    return pd.DataFrame(rows, columns=["job", "kind", "began", "ended", "processor"])


def clock(fact: dict) -> tuple[float, float, float]:
    """Begin, end and processor seconds of a process."""
    return fact["began"], fact["ended"], fact["processor"]


def of_each(processes: pd.DataFrame) -> pd.DataFrame:
    """A row for each Slurm job that did its work: jobs in it, and seconds of work and beside it.

    Snakemake's processor seconds include those of the work, which it starts and waits for. A Slurm
    job that was stopped has fewer jobs than starts of Snakemake but one, and is left out.
    """
    kinds = processes.groupby(["job", "kind"])
    spent, count = kinds["processor"].sum().unstack(), kinds.size().unstack()
    worked = processes[processes["kind"] == "work"]
    elapsed = (worked["ended"] - worked["began"]).groupby(worked["job"]).sum()
    jobs = processes.groupby("job")
    costs = pd.DataFrame(
        {
            "jobs": count["work"],
            "work": spent["work"],
            "beside": spent["snakemake"] - spent["work"],
            "elapsed_beside": jobs["ended"].max() - jobs["began"].min() - elapsed,
        }
    )
    return costs[count["snakemake"] == count["work"] + 1]


def summary(processes: pd.DataFrame) -> pd.DataFrame:
    """By the number of jobs in a Slurm job: how many there are, and medians of seconds per job."""
    costs = of_each(processes)
    seconds = costs[["work", "beside", "elapsed_beside"]].div(costs["jobs"], axis=0)
    grouped = seconds.groupby(costs["jobs"].astype(int))
    return grouped.median().assign(slurm_jobs=grouped.size()).reset_index()


def page(costs: pd.DataFrame) -> str:
    """The table, and what it is of."""
    header = ["Jobs in a Slurm job", "Slurm jobs", "Work", "Beside it", "Elapsed beside it"]
    names = ["work", "beside", "elapsed_beside"]
    cells = [
        [f"{row['jobs']:.0f}", f"{row['slurm_jobs']:.0f}", *(f"{row[name]:.1f}" for name in names)]
        for _, row in costs.iterrows()
    ]
    words = (
        "Seconds per job of `config/smoke.yaml` through `profiles/slurm`, medians over Slurm jobs: "
        "processor seconds of the work, that is, of the script that a rule runs, and of what runs "
        "beside it, that is, of Snakemake, which each Slurm job starts once for itself and once "
        "for each of its jobs; and the seconds that pass beside the work. These depend on what "
        "else the machine does; waiting in the queue is not among them. `benchmarks/slurm.py` "
        f"makes the table. {machine()}"
    )
    table = markdown(header, cells, names=0)
    return "\n\n".join(["# What a Slurm job costs beside its work", words, table])


def main() -> None:
    """Run the study, and write slurm.csv and slurm.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the results go")
    parser.add_argument("--run", type=Path, required=True, help="folder in which the run is kept")
    parser.add_argument("--read", action="store_true", help="start nothing; read what has run")
    arguments = parser.parse_args()
    folder = arguments.run.absolute()
    if not arguments.read:
        run(prepared(folder))
    costs = summary(read(folder / "clocks"))
    costs.to_csv(arguments.directory / "slurm.csv", index=False, float_format="%.2f")
    (arguments.directory / "slurm.md").write_text(page(costs) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
