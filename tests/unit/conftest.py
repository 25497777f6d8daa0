"""Made-up results for the tests of figures and tables; `synthetic` is importable from them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """Study, results folder, experiments and audit, all estimators of the default study."""
    from synthetic import ROOT, study, write_results

    from shapaudit.report.findings import Findings

    config = study("config")
    folder = write_results(tmp_path_factory.mktemp("made-up") / "results", config)
    found = Findings(folder, config, ROOT / "config" / "published")
    return {
        "study": config,
        "results": folder,
        "findings": found,
        "experiments": found.experiments,
        "collapsed": found.collapsed,
        "benchmark": found.benchmark,
        "audit": found.audit,
        "repetitions": found.repetitions,
    }


@pytest.fixture(scope="session")
def sources():
    """LaTeX sources of the report by path."""
    paper = Path(__file__).parents[2] / "paper"
    return {path: path.read_text(encoding="utf-8") for path in sorted(paper.rglob("*.tex"))}
