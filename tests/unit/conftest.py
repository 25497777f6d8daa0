"""Made-up results for the tests of figures and tables; `synthetic` is importable from them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """Study, results folder, experiments and audit, all estimators of the default study."""
    from synthetic import ROOT, study, write_results

    from shapaudit.findings import benchmark, reporting

    config = study("config")
    folder = write_results(tmp_path_factory.mktemp("made-up") / "results", config)
    published = ROOT / "config" / "published" / "grah_thouvenot_2020.csv"
    chen = ROOT / "config" / "published" / "chen_covert_lundberg_lee_2023.csv"
    return {
        "study": config,
        "results": folder,
        "experiments": reporting.load_experiments(folder, config, published),
        "collapsed": reporting.load_collapsed(folder, config, published),
        "benchmark": benchmark.load_benchmark(folder, config, chen),
        "audit": reporting.load_audit(folder),
        "repetitions": reporting.load_repetitions(folder, config),
    }


@pytest.fixture(scope="session")
def sources():
    """LaTeX sources of the report by path."""
    paper = Path(__file__).parents[2] / "paper"
    return {path: path.read_text(encoding="utf-8") for path in sorted(paper.rglob("*.tex"))}
