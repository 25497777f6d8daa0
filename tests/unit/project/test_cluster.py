"""Clusters: what their profiles name exists, and what the record of their overhead says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from places import ROOT

from shapaudit_audit.papers import PAPERS

PROFILE = yaml.safe_load((ROOT / "profiles" / "slurm" / "config.yaml").read_text())
RULE_FILES = "\n".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
RULES = set(re.findall(r"^rule (\w+):", RULE_FILES, re.MULTILINE))
RULES |= {f"render_{notebook}" for notebook in (*PAPERS, "audit")}


def test_the_profile_groups_rules_that_there_are():
    assert set(PROFILE["groups"]) <= RULES
    assert set(PROFILE["group-components"]) <= set(PROFILE["groups"].values())
    assert set(PROFILE["set-resources"]) <= RULES


def test_a_group_has_the_time_of_all_its_jobs_and_the_processors_of_one():
    # The executor runs the jobs of a group one after the other: each takes the only turn there is.
    assert PROFILE["resources"] == {"turn": 1} == {"turn": PROFILE["default-resources"]["turn"]}
    assert PROFILE["set-resource-scopes"] == {"turn": "local"}
    chain = [rule for rule, group in PROFILE["groups"].items() if group == "prepare"]
    assert set(PROFILE["set-resources"]) == set(chain)


def test_the_executor_is_found_from_the_folder_of_a_copy():
    planned = subprocess.run(
        ["make", "--dry-run", "test-slurm"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (path,) = re.findall(r"^PYTHONPATH=(\S+) .*on_slurm", planned.stdout, re.MULTILINE)
    assert Path(path).is_absolute()


def test_the_cluster_of_one_machine_says_how_it_is_used():
    script = ROOT / "tests" / "workflow" / "slurm_here.sh"
    done = subprocess.run([script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "usage: slurm_here.sh start | stop" in done.stdout


@pytest.fixture
def slurm(monkeypatch):
    """The module benchmarks/slurm.py."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import slurm

    return slurm


def test_processes_of_slurm_jobs_write_what_they_took(tmp_path, slurm):
    job = {"SLURM_JOB_ID": "7", "SHAPAUDIT_CLOCKS": str(tmp_path), "PYTHONPATH": str(slurm.CLOCKS)}
    busy = "import time\nwhile time.process_time() < 0.2: pass"
    subprocess.run([sys.executable, "-c", busy], env=os.environ | job, check=True)
    (path,) = tmp_path.glob("7-*.json")
    fact = json.loads(path.read_text())
    assert fact["processor"] > 0.1  # counted in ticks
    assert fact["ended"] > fact["began"]
    assert slurm.kind_of(fact["command"]) == "other"
    outside = {"SHAPAUDIT_CLOCKS": str(tmp_path), "PYTHONPATH": str(slurm.CLOCKS)}
    subprocess.run([sys.executable, "-c", ""], env=os.environ | outside, check=True)
    assert len(list(tmp_path.iterdir())) == 1


def test_what_runs_beside_the_work_is_counted_once_and_per_job(tmp_path, slurm):
    def note(job, command, began, ended, processor):
        fact = {"job": job, "command": command, "began": began, "ended": ended}
        path = tmp_path / f"{job}-{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps(fact | {"processor": processor}))

    snakemake, script = ["-m", "snakemake"], ["/a/.snakemake/scripts/b.py"]
    note("1", snakemake, 0.0, 20.0, 3.0)
    for began in (2.0, 10.0):  # two jobs of a group, each with a Snakemake that waits for its work
        note("1", snakemake, began, began + 7.0, 2.0 + 4.0)
        note("1", script, began + 2.0, began + 6.0, 4.0)
    note("2", snakemake, 0.0, 9.0, 3.0)
    note("2", snakemake, 2.0, 8.0, 2.0 + 1.0)
    note("2", script, 3.0, 5.0, 1.0)
    note("2", ["-m", "ipykernel_launcher"], 4.0, 5.0, 0.5)  # the script counts it
    note("3", snakemake, 0.0, 100.0, 50.0)  # it was stopped before it had begun its work
    note("4", snakemake, 0.0, 100.0, 50.0)
    note("4", snakemake, 0.0, 100.0, 50.0)  # so was this one
    summary = slurm.summary(slurm.read(tmp_path)).set_index("jobs")
    single, pair = summary.loc[1], summary.loc[2]
    assert len(summary) == 2
    assert single.to_dict() == {"work": 1, "beside": 5, "elapsed_beside": 7, "slurm_jobs": 1}
    assert pair.to_dict() == {"work": 4, "beside": 3.5, "elapsed_beside": 6, "slurm_jobs": 1}
    text = slurm.page(summary.reset_index())
    assert text.endswith("| 1 | 1 | 1.0 | 5.0 | 7.0 |\n| 2 | 1 | 4.0 | 3.5 | 6.0 |")
