"""Made-up results for the tests of figures and tables; `synthetic` is importable from them."""

import json
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from places import ROOT


@pytest.fixture(scope="session")
def audited(tmp_path_factory):
    """The audit of all claims on small games, made once for all workers: it takes half a minute."""
    from synthetic import real_audit

    from shapaudit_audit.audit.audit import to_json

    folder = tmp_path_factory.getbasetemp()
    made = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "audit.json"
    if not made.exists():
        (folder / "audit.json").write_text(to_json(real_audit()), encoding="utf-8")
        (folder / "audit.json").replace(made)
    return json.loads(made.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def made_up(tmp_path_factory, audited):
    """Study, results folder, what two papers make of it and audit, all estimators of the study."""
    from msgspec.structs import replace
    from synthetic import ROOT, study, write_results

    from shapaudit_audit.report.findings import Findings
    from shapaudit_papers.chen_covert_lundberg_lee_2023.findings import load as load_chen
    from shapaudit_papers.grah_thouvenot_2020.findings import load as load_grah

    config = study("config")
    # That of the study follows from the code of the checks.
    config = replace(config, repetition=replace(config.repetition, seeds=[7]))
    folder = write_results(tmp_path_factory.mktemp("made-up") / "results", config, audited)
    findings = Findings(folder, config, ROOT / "config" / "published")
    return {
        "study": config,
        "results": folder,
        "findings": findings,
        "grah": findings.once(load_grah),
        "experiments": findings.once(load_grah).experiments,
        "chen": findings.once(load_chen),
        "audit": findings.audit,
    }


@pytest.fixture(scope="session")
def small(made_up):
    """Two tasks in which leverage SHAP is best by far, and Multilinear as good as the reference."""
    from synthetic import task

    from shapaudit_audit.report.tasks import TaskComparison

    made = {name: task(name, seed=k) for k, name in enumerate(("chen-diabetes", "chen-zeros"))}
    return TaskComparison(made, made_up["study"].estimators, 0.05)


@pytest.fixture(scope="session")
def sources():
    """LaTeX sources of the report by path."""
    paper = ROOT / "paper"
    return {path: path.read_text(encoding="utf-8") for path in sorted(paper.rglob("*.tex"))}
