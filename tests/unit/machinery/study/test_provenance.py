"""Where results come from."""

import json
import subprocess

import pytest
from msgspec.structs import replace
from places import ROOT
from small_site import own_study

from shapaudit_audit.report import provenance as report_provenance
from shapaudit_audit.study import provenance
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.overlays import load_study
from shapaudit_audit.study.reading import read_study


@pytest.fixture
def repository(tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", "-C", tmp_path, *identity, *arguments], check=True)

    git("init", "--quiet")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    git("commit", "--quiet", "--message", "first")
    return tmp_path


def test_a_clean_tree_has_a_commit_and_no_changes(repository):
    state = provenance.git_state(repository)
    assert len(state["commit"]) == 40
    assert state["dirty"] is False


def test_changes_count_and_new_files_do_not(repository):
    (repository / "new").write_text("two")
    assert provenance.git_state(repository)["dirty"] is False
    (repository / "file").write_text("two")
    assert provenance.git_state(repository)["dirty"] is True


def test_outside_a_repository_or_without_git_nothing_is_claimed(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert provenance.git_state(tmp_path) == {"commit": None, "dirty": None}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance.git_state(tmp_path) == {"commit": None, "dirty": None}


def test_the_hash_follows_the_content_not_the_order():
    content = load_study(ROOT / "config" / "smoke.yaml")

    def hashed(said):
        return provenance.config_hash(record(Study, said))

    turned = dict(reversed([*content.items()]))
    turned["games"] = dict(reversed([*content["games"].items()]))
    assert hashed(content) == hashed(turned)
    default = {"most_evaluations": record(Study, content).most_evaluations}
    assert hashed(content) == hashed(default | content) == hashed(content | default)
    assert hashed(content) != hashed(content | {"seed": content["seed"] + 1})


def test_how_jobs_are_shared_is_not_in_the_hash():
    study = read_study(ROOT / "config" / "smoke.yaml")

    def hashed(part, **changes):
        blocks = getattr(study, part)
        name = next(iter(blocks))
        changed = blocks | {name: replace(blocks[name], **changes)}
        return provenance.config_hash(replace(study, **{part: changed}))

    whole = provenance.config_hash(study)
    for part, key in (
        ("experiments", "repetitions"),
        ("explanation_studies", "units"),
        ("removal_studies", "runs"),
    ):
        assert whole == hashed(part, per_job=1) == hashed(part, per_job=3)
        assert whole != hashed(part, **{key: 77})


def test_the_record_is_complete_and_the_same_twice():
    study = own_study("a")
    git = {"commit": None, "dirty": None}
    told = provenance.collect(study, git)
    assert json.dumps(told) == json.dumps(provenance.collect(study, git))
    assert {"numpy", "scipy", "xgboost", "snakemake"} <= set(told["packages"])
    assert all(told[key] for key in ("python", "processor", "system", "configuration_sha256"))


def test_the_table_says_what_is_not_known_and_what_was_changed():
    told = provenance.collect(own_study("a"), {"commit": None, "dirty": None})
    assert "not a repository" in report_provenance.provenance_table(told)
    told["git"] = {"commit": "abcdef0123456789", "dirty": True}
    assert "abcdef012345, with uncommitted changes" in report_provenance.provenance_table(told)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("flags: fpu\nmodel name\t: A: fast one\n", "A: fast one"),
        ("flags: fpu\n", "x"),
        (None, "x"),
    ],
)
def test_the_processor_is_the_model_that_the_system_tells(tmp_path, monkeypatch, text, name):
    if text is not None:
        (tmp_path / "cpuinfo").write_text(text, encoding="utf-8")
    monkeypatch.setattr(provenance, "Path", lambda path: tmp_path / "cpuinfo")
    monkeypatch.setattr(provenance.platform, "processor", lambda: "")
    monkeypatch.setattr(provenance.platform, "machine", lambda: "x")
    assert provenance.processor() == name
