"""The rule of studies of removals: its script, run with a rule's object made up."""

import logging
import runpy
from pathlib import Path
from types import SimpleNamespace

from workspace import ROOT

import shapaudit_audit.study.logs
from shapaudit.datasets import LOADERS
from shapaudit.models import train
from shapaudit.seeding import generator
from shapaudit_audit.study.places import REMOVAL_TABLES
from shapaudit_audit.study.results import read_table


def test_the_script_writes_both_tables_twice_alike(tmp_path, monkeypatch):
    monkeypatch.setattr(
        shapaudit_audit.study.logs, "log_to", lambda path: logging.getLogger("a script")
    )
    rng = generator(1, "data")
    dataset = LOADERS["gaussian-law"](rng, n_rows=40, n_features=3)
    dataset.save(tmp_path / "data.npz")
    train("polynomial", dataset, {}, 0).save(tmp_path / "model")
    block = {"label": "x", "rows": [20], "fits": 3, "explicands": 2, "estimator": "walks"}
    block |= {"budgets": [7], "runs": 2, "row_limits": [50], "model": "m", "removals": ["mine"]}
    asked = {
        **{"seed": 3, "study": block},
        "removals": {"mine": {"removal": "gaussian", "params": {"draws": 4}}},
        "estimators": {"walks": {"estimator": "optimised-monte-carlo"}},
    }
    written = []
    for name in ("first", "second"):
        paths = {kind: str(tmp_path / f"{name}.{kind}.parquet") for kind in REMOVAL_TABLES}
        made = SimpleNamespace(
            input=SimpleNamespace(dataset=tmp_path / "data.npz", model=tmp_path / "model"),
            output=paths,
            params=SimpleNamespace(asked=asked),
            wildcards=SimpleNamespace(removal_study="one", removal="mine"),
            log=["a log"],
        )
        script = ROOT / "workflow" / "scripts" / "study_removals.py"
        runpy.run_path(str(script), {"snakemake": made})
        for kind, path in paths.items():
            removals = set(read_table(path, f"removal_{kind}")["removal"])
            assert removals == (set() if kind == "refusals" else {"mine"})
        written.append([Path(path).read_bytes() for path in paths.values()])
    assert written[0] == written[1]
