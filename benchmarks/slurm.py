"""What a Slurm job costs beside its work, on the small study: each job by itself, and in groups.

It needs a cluster to which this machine may submit (`tests/workflow/slurm_here.sh start` makes one)
and the executor on PYTHONPATH or beside Snakemake. Runs are kept in a folder, where an interrupted
one goes on. What a job costs can be read from a part of a run: `--read` takes them as they are.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml
from pages import machine, markdown

ROOT = Path(__file__).parents[1]
CLOCKS = ROOT / "benchmarks" / "clocks"
PARTS = ("Snakefile", "config", "environment.yml", "notebooks", "paper", "pyproject.toml", "src")
PARTS += ("profiles", "tests", "workflow")
RUNS = {"each by itself": False, "in groups": True}
GROUPING = ("groups", "group-components")


def prepared(folder: Path, grouped: bool) -> Path:
    """A copy of the project whose profile has its groups or none; one that is there stays."""
    if not folder.exists():
        folder.mkdir(parents=True)
        for part in PARTS:
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / part)
        path = folder / "profiles" / "slurm" / "config.yaml"
        profile = yaml.safe_load(path.read_text(encoding="utf-8"))
        kept = {key: value for key, value in profile.items() if grouped or key not in GROUPING}
        path.write_text(yaml.safe_dump(kept), encoding="utf-8")
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
    rows = [(one["job"], kind_of(one["command"]), *clock(one)) for one in facts]
    return pd.DataFrame(rows, columns=["job", "kind", "began", "ended", "processor"])


def clock(fact: dict) -> tuple[float, float, float]:
    """Begin, end and processor seconds of a process."""
    return fact["began"], fact["ended"], fact["processor"]


def summary(processes: pd.DataFrame) -> dict[str, float]:
    """Numbers and seconds of a run, from the processes of its Slurm jobs.

    Snakemake's processor seconds include those of the work, which it starts and waits for.
    """
    jobs = processes.groupby("job")
    work = processes[processes["kind"] == "work"].assign(
        elapsed=lambda frame: frame["ended"] - frame["began"]
    )
    whole = processes[processes["kind"] == "snakemake"].groupby("job")["processor"].sum()
    worked = work.groupby("job")[["processor", "elapsed"]].sum().reindex(whole.index, fill_value=0)
    beside = (whole - worked["processor"]).sum()
    elapsed = jobs["ended"].max() - jobs["began"].min()
    waited = (elapsed - worked["elapsed"]).dropna()
    return {
        "jobs": len(work),
        "slurm_jobs": len(whole),
        "work": worked["processor"].sum(),
        "beside": beside,
        "beside_job": beside / len(work),
        "elapsed_beside": waited.median(),
    }


def page(found: dict[str, dict[str, float]]) -> str:
    """The table, and what it is of."""
    header = ["The small study", "Jobs that ran", "in Slurm jobs", "Work", "Beside it"]
    header += ["Beside it, per job", "Elapsed beside it, per Slurm job"]
    cells = [
        [
            name,
            f"{one['jobs']:.0f}",
            f"{one['slurm_jobs']:.0f}",
            *(f"{one[key]:.0f}" for key in ("work", "beside")),
            *(f"{one[key]:.1f}" for key in ("beside_job", "elapsed_beside")),
        ]
        for name, one in found.items()
    ]
    words = (
        "Processor seconds of the jobs of `config/smoke.yaml` through `profiles/slurm`: of the "
        "work, that is, of the scripts that the rules run, and of what runs beside it, that is, of "
        "Snakemake, which each Slurm job starts once for itself and once for each of its jobs. The "
        "last column has the seconds that pass in a Slurm job beside its work (median); these "
        "depend on what else the machine does, and waiting in the queue is not among them. "
        f"`benchmarks/slurm.py` makes the table. {machine()}"
    )
    return "\n\n".join(["# What a Slurm job costs beside its work", words, markdown(header, cells)])


def main() -> None:
    """Run both, and write slurm.csv and slurm.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the results go")
    parser.add_argument("--runs", type=Path, required=True, help="folder in which runs are kept")
    parser.add_argument("--read", action="store_true", help="start nothing; read what has run")
    arguments = parser.parse_args()
    found = {}
    for name, grouped in RUNS.items():
        folder = arguments.runs.absolute() / name.replace(" ", "-")
        if not arguments.read:
            run(prepared(folder, grouped))
        found[name] = summary(read(folder / "clocks"))
    frame = pd.DataFrame(found).T.rename_axis("run")
    frame.to_csv(arguments.directory / "slurm.csv", float_format="%.2f")
    (arguments.directory / "slurm.md").write_text(page(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
