"""Why a job runs again, and why one failed, by the events of the Snakemake that is installed."""

import json

import pytest
from workspace import run

RULES = """
import json

SETTINGS = json.load(open("settings.json"))

rule all:
    input: "results/sum.txt"

rule sum:
    output: "results/sum.txt"
    input: expand("results/{part}.txt", part=SETTINGS["parts"])
    shell: "cat {input} > {output}"

rule part:
    output: "results/{part}.txt"
    input: "data.txt"
    log: "logs/{part}.log"
    params:
        code=SETTINGS["code"],
        asked=SETTINGS["asked"],
    message: "Making {wildcards.part}"
    shell: "echo begun > {log}; {params.asked[act]}; echo made > {output}"
"""
SETTINGS = {
    "parts": ["left", "right"],
    "code": {"shapaudit.bits": "0a1b2c3d", "shapaudit.sums": "11111111"},
    "asked": {"act": "true", "experiment": {"budgets": [100, 200]}},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder in which everything is made."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "Snakefile").write_text(RULES, encoding="utf-8")
    (folder / "data.txt").write_text("data", encoding="utf-8")
    told = with_settings(folder, SETTINGS, "--cores", "2")
    assert "0 of 4 jobs, begun: Making" in told
    assert "Select jobs" not in told
    return folder


def with_settings(folder, settings, *arguments):
    """What Snakemake prints with some settings of the workflow."""
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return run(folder, "--logger", "shapaudit", *arguments).stdout


def why(folder, **changes):
    """The lines on the parts that a dry run would make."""
    told = with_settings(folder, SETTINGS | changes, "--dry-run")
    return [line for line in told.splitlines() if line.startswith("Making ")]


def test_nothing_is_made_again(made):
    assert "Nothing to be done" in with_settings(made, SETTINGS, "--dry-run")


def test_the_module_that_changed_is_named(made):
    code = SETTINGS["code"] | {"shapaudit.bits": "22222222"}
    left, right = sorted(why(made, code=code))
    assert left == "Making left: module shapaudit.bits changed"
    assert right == "Making right: module shapaudit.bits changed"


def test_the_key_that_changed_is_named_with_its_values(made):
    asked = SETTINGS["asked"] | {"experiment": {"budgets": [100, 400]}}
    (line, _) = why(made, asked=asked)
    assert line.endswith(": experiment.budgets was [100, 200] and is [100, 400]")


def test_a_job_that_is_new_and_one_that_waits_for_it_say_so(made):
    parts = [*SETTINGS["parts"], "middle"]
    told = with_settings(made, SETTINGS | {"parts": parts}, "--dry-run").splitlines()
    assert "Making middle: output is missing" in told
    assert "sum: the list of input files has changed" in told
    assert "all: input is made anew: results/sum.txt (sum)" in told
    assert told[-1].split() == ["total", "3"]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("kill -9 $$", "its process was killed, most likely because memory ran out (SIGKILL)"),
        ("exit 3", "ended with exit status 3 and no exception"),
        ("exit 0", "its process ended without an error"),
    ],
)
def test_the_end_of_a_failed_run_says_why(made, act, words):
    asked = SETTINGS["asked"] | {"act": act}
    settings = SETTINGS | {"parts": ["failed"], "asked": asked}
    told = with_settings(made, settings, "--cores", "1", "--latency-wait", "0")
    ending = told.partition("At least one job did not complete successfully")[2]
    head, failure, _ = ending.strip(".\n").split("\n\n")
    assert head == "1 job failed."
    assert failure.startswith("part: Making failed\n")
    assert words in failure
    assert with_settings(made, settings, "--cores", "1", "--quiet", "all") == ""
