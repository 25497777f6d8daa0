"""The command `shapaudit-audit`: files that a study downloads."""

import subprocess
import sys

import pytest
from places import ROOT

from shapaudit.datasets import mnist
from shapaudit_audit.command import PACKAGES, main

SMOKE = ["data", "--configfile", str(ROOT / "config" / "smoke.yaml")]
# Of the extra, beside `PACKAGES`, and of those that it brings.
OTHERS = (
    *("catboost", "jinja2", "jsonschema", "latex2mathml", "lightgbm", "matplotlib", "nbformat"),
    *("onnx", "papermill", "pygments", "sklearn", "snakemake", "xgboost"),
)


def test_data_of_a_study_are_listed_and_the_missing_named(
    small_files, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("SHAPAUDIT_DATA", str(small_files))
    for source in mnist.TRAINING:
        (small_files / source.filename).unlink()
    arguments = ["data", "--configfile", str(ROOT / "config" / "full.yaml"), "--offline"]
    assert main([*arguments, "--to", str(tmp_path / "none")]) == 0
    told = capsys.readouterr().out
    assert "NHANESI_subset_X.csv" in told
    assert "Left out: mnist" in told
    (small_files / "NHANESI_subset_X.csv").unlink()
    assert main(arguments) == 1
    told = capsys.readouterr().out
    assert "chen-published-nhanes" in told[told.index("Missing") :]


def test_a_study_that_downloads_nothing_says_so(capsys):
    assert main(["data", "--configfile", str(ROOT / "config" / "smoke.yaml")]) == 0
    assert "downloads nothing" in capsys.readouterr().out


def test_a_study_that_is_not_there_is_named(capsys):
    assert main(["data", "--configfile", "nowhere.yaml"]) == 2
    assert "nowhere.yaml" in capsys.readouterr().err


@pytest.fixture
def lacking():
    """A function that runs the command in a process that lacks some packages."""

    def run(packages, *arguments):
        code = (
            f"import sys; sys.path[:0] = [{str(ROOT / 'src')!r}]; "
            f"sys.modules.update(dict.fromkeys({packages!r})); "
            "from shapaudit_audit.command import main; sys.exit(main(sys.argv[1:]))"
        )
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("arguments", [["keys"], SMOKE], ids=["keys", "data"])
def test_without_the_extra_the_command_says_how_to_install_it(lacking, package, arguments):
    done = lacking([package], *arguments)
    assert done.returncode == 2
    assert not done.stdout
    assert done.stderr.startswith(
        f"shapaudit-audit: this command needs the package {package}: "
        "pip install 'shapaudit[audit]' ("
    )
    assert done.stderr.count("\n") == 1


def test_help_needs_no_extra(lacking):
    done = lacking([*PACKAGES, *OTHERS], "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: shapaudit-audit" in done.stdout


@pytest.mark.parametrize("arguments", [["keys"], SMOKE], ids=["keys", "data"])
def test_what_is_asked_for_is_all_that_is_needed(lacking, arguments):
    done = lacking(OTHERS, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
