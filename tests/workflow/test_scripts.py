"""Scripts that a small study runs at length, or not at all, with a rule's object made up."""

import logging
import runpy
from types import SimpleNamespace

import pytest
from workspace import ROOT

import shapaudit.models.architectures
import shapaudit_audit.papers
import shapaudit_audit.study.logs
from shapaudit.seeding import derive_seed
from shapaudit_audit.audit.base import Claim, Verdict
from shapaudit_audit.audit.evidence import sampled, write_evidence
from shapaudit_audit.schemas import schema_file
from shapaudit_audit.study.sealed import read_document


@pytest.fixture
def run_script(monkeypatch):
    """A function of a script's name and of what Snakemake would hand to it."""
    monkeypatch.setattr(
        shapaudit_audit.study.logs, "log_to", lambda path: logging.getLogger("a script")
    )

    def run(name, **parts):
        parts = {key: SimpleNamespace(**part) for key, part in parts.items() if key != "output"} | {
            "output": parts["output"],
            "log": ["a log"],
        }
        path = ROOT / "workflow" / "scripts" / f"{name}.py"
        runpy.run_path(str(path), {"snakemake": SimpleNamespace(**parts)})

    return run


@sampled
def gather_sampled(context): ...


def gather_exact(context): ...


def check(evidence, alpha):
    numbers = {"alpha": alpha} | evidence
    return Verdict("proved", "So it is.", "stands", numbers, shown_by="lem:x")


def claim(number, gather, *others):
    return Claim(
        id=f"xx99-{number:02d}",
        paper="a_paper",
        title="A claim",
        heading="A heading",
        topic="identities",
        where="Section 1",
        statement="$1=1$",
        gather=gather,
        check=check,
        also=tuple((other, check) for other in others),
        statistical=gather is gather_sampled,
    )


CLAIMS = [
    claim(1, gather_sampled),
    claim(2, gather_exact),
    claim(3, gather_sampled, gather_exact),
]


@pytest.mark.parametrize("folder", ["", "repetitions/9/"])
def test_claims_share_the_error_rate_and_a_repetition_judges_those_on_samples(
    run_script, monkeypatch, tmp_path, folder
):
    monkeypatch.setattr(shapaudit_audit.papers, "select", lambda: CLAIMS)
    seeds = {"gather_sampled": 0, "gather_exact": 1}
    study = written_evidence(tmp_path / "study", seeds)
    run = written_evidence(tmp_path / "run", {"gather_sampled": 2}) if folder else study
    run_script(
        "judge_claims",
        input={
            "evidence": [run],
            "fixed": [study] if folder else [],
            "schema": schema_file("claims"),
        },
        output=[tmp_path / "claims.json"],
        params={"asked": {"study": "own", "alpha": 0.04}},
        wildcards={"run": folder},
    )
    written = read_document(tmp_path / "claims.json")
    assert (written["study"], written["alpha"]) == ("own", 0.04)
    numbers = {entry["id"].removeprefix("xx99-"): entry["numbers"] for entry in written["claims"]}
    sampled_seed = 2 if folder else 0
    judged = {
        "01": {"alpha": 0.02, "seed": sampled_seed},
        "02": {"alpha": 0.04, "seed": 1},
        "03": {"alpha": 0.02, "seed": sampled_seed, "seed_2": 1},
    }
    if folder:
        del judged["02"]  # it rests on no sample
    assert numbers == judged


def written_evidence(folder, seeds):
    module = __name__.rpartition(".")[2]
    folder.mkdir()
    kept = folder / f"{module}.json"
    pieces = {gather: {"seed": seed} for gather, seed in seeds.items()}
    write_evidence(kept, module, "own", 1, pieces, schema_file("evidence"))
    return kept


def test_architectures_are_searched_as_the_configuration_says(run_script, monkeypatch, tmp_path):
    def search(*arguments):
        asked.append(arguments)
        return ["the best", "another"]

    asked = []
    monkeypatch.setattr(shapaudit.models.architectures, "search", search)
    monkeypatch.setattr("shapaudit.datasets.Dataset.load", lambda path: f"data of {path}")
    spec = {"dataset": "digits", "count": 7, "layers": 2, "params": {"epochs": 3}}
    spec["widths"] = {"from": 4, "to": 12, "step": 4}
    run_script(
        "search_architecture",
        input={"dataset": "digits.npz"},
        output=[tmp_path / "found.json"],
        params={"asked": {"seed": 5, "architecture": spec}},
        wildcards={"architecture": "a-search"},
    )
    ((dataset, count, layers, widths, seed, params),) = asked
    assert (dataset, count, layers, params) == ("data of digits.npz", 7, 2, {"epochs": 3})
    assert list(widths) == [4, 8, 12]
    assert seed == derive_seed(5, "architectures", "a-search") % 2**31
    written = read_document(tmp_path / "found.json")
    assert written == {"dataset": "digits", "ranking": ["the best", "another"]}
