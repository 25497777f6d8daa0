"""A file of results that was damaged or edited is named where it is read, with the remedy."""

import json
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow.parquet as pq
import pytest
from synthetic import small_audit

from shapaudit.games import RegressionGame
from shapaudit_audit.audit.evidence import KeptEvidence, write_evidence
from shapaudit_audit.audit.reading import load_audit, load_repetitions
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.schemas import schema_file
from shapaudit_audit.study import reading, results
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.collection_base import Collection, read_fields, read_tables
from shapaudit_audit.study.sealed import DamagedResult, read_document, write_document

TABLES = {
    "truth": {
        "explicand": [0, 0],
        "player": [0, 1],
        "value": [1.5, -2.0],
        "standard_error": [0.0, 0.0],
        "bound": [0.0, 0.0],
        "certificate": ["exact", "exact"],
        "method": ["enumeration", "enumeration"],
        "check": ["none", "none"],
        "difference": [np.nan, np.nan],
    },
    "estimates": {
        **{key: ["a", "a"] for key in ("study", "experiment", "game", "estimator")},
        **{key: [0, 1] for key in ("explicand", "repetition")},
        **{key: [10, 20] for key in ("budget", "evaluations")},
        "squared_error": [0.25, 0.5],
        "squared_deviation": [0.2, 0.4],
        "truth_variance": [0.0, 0.0],
        "coverage": [0.95, np.nan],
    },
    "kept": {
        "estimator": ["a", "b"],
        "explicand": [0, 1],
        "budget": [10, 20],
        "player": [0, 1],
        "value": [0.5, 1.5],
    },
    "deviations": {
        "estimator": ["a", "b"],
        "explicand": [0, 1],
        **{key: [10, 20] for key in ("samples", "evaluations")},
        "kind": ["path", "replicates"],
        "deviation": [0.5, 1.5],
    },
}
SCORE = {"trainer": "xgboost", "score": {"r2": 0.5}}
ONE = {"game": "g", "budgets": [10], "repetitions": 1, "estimators": ["plain"]}
BLOCK = record(ExperimentBlock, ONE)
SEARCH = {"dataset": "d", "count": 1, "layers": 1, "widths": {"from": 1, "to": 2, "step": 1}}
STUDY = record(
    Study,
    {
        **{"study": "own", "seed": 1, "results": "results", "claims": {"alpha": 0.05}},
        **{name: {} for name in ("datasets", "games", "estimators")},
        "experiments": {"one": ONE},
        "models": {"a": {"dataset": "d", "trainer": "t"}},
        "architectures": {"a": SEARCH},
        "repetition": {"seeds": [7], "estimators": []},
    },
)


@contextmanager
def named(path, why=""):
    """What is read raises an error that names the file and says what to do."""
    message = f"{re.escape(str(path))} is damaged or was edited: .*{why}.*; delete it and run again"
    with pytest.raises(DamagedResult, match=message):
        yield


def truncate(path):
    path.write_bytes(path.read_bytes()[:-20])


def empty(path):
    path.write_bytes(b"")


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def write_results(folder):
    """A results folder with a file of each kind, and what reads each."""
    tables = {
        "truth/game.parquet": lambda path: results.read_truths(path),
        "estimates/one/plain.parquet": lambda _: reading.load_estimates(folder, "one", BLOCK),
        "kept/one.parquet": lambda path: reading.load_table(path, "kept"),
        "paths/one.parquet": lambda path: reading.load_table(path, "deviations"),
    }
    documents = {
        "estimates/one/plain.json": lambda _: reading.load_settings(folder, "one", BLOCK),
        "models/a.score.json": lambda _: reading.load_scores(folder, STUDY.models),
        "architectures/a.json": lambda _: reading.load_architectures(folder, STUDY),
        "provenance.json": lambda _: Findings(folder, STUDY, folder).provenance,
        "claims/claims.json": lambda _: load_audit(folder),
        "repetitions/7/claims/claims.json": lambda _: load_repetitions(folder, STUDY),
        "evidence/a_paper.json": lambda path: KeptEvidence({"a_paper": path}),
    }
    for (name, _), (schema, table) in zip(
        tables.items(), ((name, TABLES[name]) for name in TABLES), strict=True
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        results.write_table(table, folder / name, schema)
    for name in documents:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.startswith("evidence"):
            pieces = {"piece.gather": {"numbers": [0.25, 0.5]}}
            write_evidence(path, "a_paper", "study", 7, pieces, schema_file("evidence"))
        else:
            write_document(path, small_audit() if "claims" in name else SCORE, indent=2)
    return {**tables, **documents}


NAMES = (
    "truth/game.parquet",
    "estimates/one/plain.parquet",
    "kept/one.parquet",
    "paths/one.parquet",
    "estimates/one/plain.json",
    "models/a.score.json",
    "architectures/a.json",
    "provenance.json",
    "claims/claims.json",
    "repetitions/7/claims/claims.json",
    "evidence/a_paper.json",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", [truncate, empty])
def test_a_file_that_is_cut_off_is_named(tmp_path, name, damage):
    read = write_results(tmp_path)
    assert tuple(read) == NAMES
    path = tmp_path / name
    read[name](path)
    damage(path)
    with named(path):
        read[name](path)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=path.name):
        read[name](path)


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("json")])
def test_a_number_that_was_edited_is_found(tmp_path, name):
    read, path = write_results(tmp_path), tmp_path / name
    text = path.read_text(encoding="utf-8")
    head, tail = text[:90], text[90:]
    place = re.search(r"\d", tail).start()
    digit = str(9 - int(tail[place]))
    path.write_text(head + tail[:place] + digit + tail[place + 1 :], encoding="utf-8")
    json.loads(path.read_text(encoding="utf-8"))
    with named(path, "its checksum does not match its text"):
        read[name](path)


@pytest.mark.parametrize("schema", TABLES)
def test_no_flipped_bit_changes_a_table_that_is_read(tmp_path, schema):
    path = tmp_path / "table.parquet"
    results.write_table(TABLES[schema], path, schema)
    content = path.read_bytes()
    whole = results.read_table(path, schema)
    places = range(4, len(content), 11)
    harmless = []
    for place in places:
        path.write_bytes(content)
        flip(path, place)
        with suppress(DamagedResult):
            harmless.append(results.read_table(path, schema))
    assert len(harmless) < len(places) / 2
    for read in harmless:
        for name, column in whole.items():
            np.testing.assert_array_equal(read[name], column)


def test_a_table_with_another_value_or_without_checksum_is_named(tmp_path):
    path = tmp_path / "kept.parquet"
    results.write_table(TABLES["kept"], path, "kept")
    table = pq.read_table(path)
    position = table.column_names.index("value")
    other = table.set_column(position, table.field("value"), [[0.5, 1.25]])
    pq.write_table(other, path)
    with named(path, "its checksum is that of other columns"):
        results.read_table(path, "kept")
    pq.write_table(table.replace_schema_metadata(None), path)
    with named(path, "it has no checksum"):
        results.read_table(path, "kept")


def test_a_table_of_another_schema_is_named(tmp_path):
    path = tmp_path / "kept.parquet"
    results.write_table(TABLES["kept"], path, "kept")
    with named(path, "truth: columns"):
        results.read_table(path, "truth")


@pytest.mark.parametrize(
    ("key", "word"),
    [("status", "likely"), ("consequence", "mood"), ("topic", "weather"), ("heading", "")],
)
def test_an_audit_with_an_unknown_word_is_named(tmp_path, key, word):
    """A verdict of an unknown status would be missing from all totals."""
    path = tmp_path / "claims" / "claims.json"
    path.parent.mkdir()
    write_document(path, small_audit({}, {key: word}))
    with named(path, rf"\$\.claims\[1\]\.{key}: '{word}'"):
        load_audit(tmp_path)


def test_evidence_of_another_schema_is_named(tmp_path):
    path = tmp_path / "a_paper.json"
    write_evidence(path, "a_paper", "study", 7, {}, schema_file("evidence"))
    write_document(path, read_document(path) | {"schema": 0})
    with named(path, r"\$\.schema: 1 was expected"):
        KeptEvidence({"a_paper": path})


@dataclass(frozen=True, eq=False)
class Games(Collection):
    """Games that are only their tables."""

    saved: ClassVar = ("name", "n_experiment")

    @property
    def n_players(self):
        return 2

    @property
    def n_games(self):
        return len(self.tables)

    def structured(self, explicand) -> RegressionGame:
        raise AssertionError("these games have no structure to be asked for")


def test_tables_of_games_are_checked(tmp_path):
    games = Games("games", None, 1, np.arange(8.0).reshape(2, 4))
    games.save(tmp_path)
    np.testing.assert_array_equal(Games.load(tmp_path, None).tables, games.tables)
    np.testing.assert_array_equal(read_tables(tmp_path), games.tables)
    flip(tmp_path / "tables.npy", -1)
    for read in (read_tables, lambda folder: Games.load(folder, None)):
        with named(tmp_path, "the checksum of tables.npy does not match its values"):
            read(tmp_path)
    truncate(tmp_path / "explicands.npz")
    with named(tmp_path, "explicands.npz cannot be read"):
        read_fields(tmp_path)
    replace(games, tables=None).save(tmp_path / "large")
    assert Games.load(tmp_path / "large", None).tables is None
