"""The command `shapaudit-audit`: files that a study downloads."""

from places import ROOT

from shapaudit.datasets import mnist
from shapaudit_audit.command import main


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
