"""The schema and the table of keys that follow from the records of a configuration."""

import json

import pytest
from jsonschema import Draft202012Validator
from msgspec import to_builtins
from places import ROOT

from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.claims import ClaimsBlock, Settings
from shapaudit_audit.study.blocks.schema import keys, schema, table
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.overlays import ConfigError, load_study

LABELLED = ("games", "estimators", "removal_studies", "explainers", "explanation_studies")


def smoke():
    return load_study(ROOT / "config" / "smoke.yaml")


def parts(schema):
    """All parts of a schema."""
    if isinstance(schema, list):
        for part in schema:
            yield from parts(part)
    elif isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from parts(part)


def refused(config):
    with pytest.raises(ConfigError) as raised:
        validate(config, ROLES)
    return str(raised.value)


def test_the_schema_is_one_and_can_be_written():
    Draft202012Validator.check_schema(schema())
    assert json.loads(json.dumps(schema())) == schema()


def test_its_references_lead_somewhere_and_all_definitions_are_used():
    named = {part["$ref"].removeprefix("#/$defs/") for part in parts(schema()) if "$ref" in part}
    assert named == set(schema()["$defs"])


def test_no_block_takes_keys_that_it_does_not_know():
    blocks = [part for part in parts(schema()) if "properties" in part and "type" in part]
    assert len(blocks) == 1 + len(schema()["$defs"])
    assert all(block["additionalProperties"] is False for block in blocks)


def test_nothing_may_be_null():
    assert {"type": "null"} not in list(parts(schema()))
    assert not [part for part in parts(schema()) if part.get("default", 0) is None]


@pytest.mark.parametrize(
    "path",
    [
        ("peers",),
        ("repetition",),
        ("experiments", "diabetes", "keep"),
        ("experiments", "diabetes", "paper"),
        ("games", "diabetes", "selection"),
        ("games", "diabetes", "truth", "check"),
        ("estimators", "plain-mc", "params"),
        ("claims", "random_games"),
    ],
    ids=".".join,
)
def test_what_may_be_left_out_is_left_out_and_not_null(path):
    config = smoke()
    block = config
    for key in path[:-1]:
        block = block[key]
    block[path[-1]] = None
    assert f"{'.'.join(path)}: None is not of type" in refused(config)


@pytest.mark.parametrize("block", LABELLED)
def test_a_configuration_says_what_figures_and_tables_call_its_entries(block):
    config = smoke()
    name = next(iter(config[block]))
    del config[block][name]["label"]
    assert f"{block}.{name}: 'label' is a required property" in refused(config)
    assert record(Study, config)  # a job needs none


@pytest.mark.parametrize("block", ["models", "removals", "explanation_studies"])
def test_keys_are_texts(block):
    config = smoke()
    config[block][5] = next(iter(config[block].values()))
    assert f"{block}: 5 is not of type 'string'" in refused(config)


def test_keys_of_parameters_are_texts():
    config = smoke()
    config["estimators"]["plain-mc"]["params"] = {5: 1}
    assert "estimators.plain-mc.params: 5 is not of type 'string'" in refused(config)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("experiments", "many-cancer", "costly", "auto"), {}),
        (("removal_studies", "gaussian", "fewer"), {"gaussian": {}}),
    ],
)
def test_a_block_of_limits_says_something(path, value):
    config = smoke()
    block = config
    for key in path[:-1]:
        block = block[key]
    block[path[-1]] = value
    assert "{} should be non-empty" in refused(config)


@pytest.mark.parametrize("name", ["config", "smoke", "full", "my_study"])
def test_records_lose_nothing_of_the_studies_of_the_project(name):
    config = load_study(ROOT / "config" / f"{name}.yaml")
    assert record(Study, to_builtins(record(Study, config))) == record(Study, config)
    kept = to_builtins(record(Study, config))
    assert dict(said(kept)).items() <= dict(said(config)).items()


def said(block, path=()):
    """All single values and lists of a configuration by their places, in words."""
    for key, value in block.items():
        if isinstance(value, dict):
            yield from said(value, (*path, key))
        else:
            yield (*path, key), repr(value)


def test_every_key_is_explained():
    rows = list(keys())
    names = [key for key, *_ in rows]
    assert names[:2] == ["extends", "study"]
    assert len(set(names)) == len(names)
    for key, kind, default, meaning in rows:
        assert kind, key
        assert default == "required" or default == "none" or default[0] == default[-1] == "`"
        assert meaning.endswith("."), key
        assert "|" not in kind + default + meaning


@pytest.mark.parametrize(
    ("key", "kind", "default"),
    [
        ("most_evaluations", "integer", "`100000000000`"),
        ("datasets", "object", "required"),
        ("games.<game>.label", "string", "required"),
        ("games.<game>.removal", "string", "none"),
        ("games.<game>.baseline", "one of drawn, zero", '`"drawn"`'),
        ("experiments.<experiment>.costly.<costly>.explicands", "integer", "none"),
        ("removal_studies.<study>.fewer.<removal>.rows", "array", "none"),
        ("architectures.<architecture>.widths.from", "integer", "required"),
        (
            "explanation_studies.<study>.background",
            "integer, or one of mean, zero",
            "required",
        ),
        ("claims.alpha", "number", "required"),
    ],
)
def test_a_row_has_the_type_and_the_default_of_its_key(key, kind, default):
    (row,) = (row for row in keys() if row[0] == key)
    assert row[1:3] == (kind, default)
    assert f"| `{key}` | {kind} | {default} | {row[3]} |\n" in table()


def test_settings_of_the_audit_have_their_defaults_in_the_table():
    rows = {key: default for key, _, default, _ in keys()}
    for name in Settings.__struct_fields__:
        assert rows[f"claims.{name}"] == f"`{getattr(Settings(), name)}`"


def test_gathering_evidence_does_not_know_the_error_rate():
    block = ClaimsBlock(alpha=0.05, random_games=7)
    assert block.settings == Settings(random_games=7)
    assert "alpha" not in Settings.__struct_fields__
