"""Schemas are read, and reading them does not wait for a library that nobody asked for."""

import ast
import json
import os
import subprocess
import sys

import pytest
from places import ROOT

from shapaudit_audit.schemas.validation import ADDRESSES, best_match, validator_of


def test_a_document_is_held_against_the_file(tmp_path):
    schema = tmp_path / "schema.yaml"
    schema.write_text("{type: object, properties: {explicands: {type: integer}}}", encoding="utf-8")
    validator = validator_of(schema)
    assert best_match(validator.iter_errors({"explicands": 3})) is None
    fault = best_match(validator.iter_errors({"explicands": "three"}))
    assert fault.json_path == "$.explicands"
    assert best_match(validator.iter_errors({"explicands": 3.0})).json_path == "$.explicands"


@pytest.mark.parametrize(
    ("pattern", "value", "fits"),
    [
        ("^[a-z]+$", "name", True),
        ("^[a-z]+$", "name\n", False),
        ("^[^$]+$", "name", True),
        ("^[^$]+$", "na$me", False),
        ("[$]", "a$b", True),
        (r"\$", "a$b", True),
        ("^a", "abc\n", True),
    ],
)
def test_the_end_of_a_pattern_is_that_of_the_text(tmp_path, pattern, value, fits):
    schema = tmp_path / "schema.yaml"
    schema.write_text(json.dumps({"type": "string", "pattern": pattern}), encoding="utf-8")
    assert validator_of(schema).is_valid(value) == fits


@pytest.fixture
def imported(tmp_path):
    """What the interpreter answers to an import where the slow package says that it was there."""
    (tmp_path / f"{ADDRESSES}.py").write_text("raise SystemExit('slow')", encoding="utf-8")

    def run(code):
        path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
        return subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        ).stderr.strip()

    return run


def test_address_grammars_are_left_alone(imported):
    assert imported("import jsonschema") == "slow"
    assert imported("import shapaudit_audit.schemas.validation, jsonschema") == ""


def test_a_job_that_renders_a_notebook_leaves_them_alone(imported):
    script = (ROOT / "workflow" / "scripts" / "render_notebook.py").read_text(encoding="utf-8")
    kinds = ast.Import | ast.ImportFrom | ast.With
    imports = [node for node in ast.parse(script).body if isinstance(node, kinds)]
    assert any("papermill" in ast.unparse(node) for node in imports)
    assert imported("\n".join(map(ast.unparse, imports))) == ""


def test_the_package_can_be_had_afterwards(imported):
    assert imported(f"import shapaudit_audit.schemas.validation, {ADDRESSES}") == "slow"
