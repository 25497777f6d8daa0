"""Studies that extend others: what is merged, what is refused, and that nothing is said twice."""

from copy import deepcopy

import pytest
from places import ROOT

from shapaudit_audit.study.config import check_keys
from shapaudit_audit.study.overlays import ConfigError, chain, load_study, merged, resolve

CONFIG = ROOT / "config"
OVERLAYS = [path for path in sorted(CONFIG.glob("*.yaml")) if len(chain(path)) > 1]
BASE = """
study: base
games:
  a: {explicands: 9, truth: {method: enumeration, check: tree}}
  b: {explicands: 3}
  c: {explicands: 4}
claims: {alpha: 0.05}
"""


@pytest.fixture
def write(tmp_path):
    """A function that writes a file and gives its path."""
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")

    def written(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_blocks_are_merged_key_by_key_in_the_order_of_the_extended_study(write):
    path = write(
        "own.yaml",
        "extends: base.yaml\nstudy: own\n"
        "games: {d: {explicands: 5}, c: {explicands: 2}, b: null, a: {truth: {check: null}}}\n",
    )
    study = load_study(path)
    assert study == {
        "study": "own",
        "games": {
            "a": {"explicands": 9, "truth": {"method": "enumeration"}},
            "c": {"explicands": 2},
            "d": {"explicands": 5},
        },
        "claims": {"alpha": 0.05},
    }
    assert list(study["games"]) == ["a", "c", "d"]


def test_lists_and_single_values_take_the_place_of_what_is_below():
    below = {"budgets": [1, 2, 3], "truth": {"method": "tree"}, "explicands": 3}
    above = {"budgets": [4], "truth": "none", "explicands": {"first": 1}}
    assert merged(below, above) == above
    assert below == {"budgets": [1, 2, 3], "truth": {"method": "tree"}, "explicands": 3}


def test_a_chain_is_relative_to_each_file(write):
    middle = write("folder/middle.yaml", "extends: ../base.yaml\nclaims: {alpha: 0.1}\n")
    last = write("last.json", '{"extends": "folder/middle.yaml",\n\t"study": "last"}')
    study = load_study(last)
    assert (study["study"], study["claims"], len(study["games"])) == ("last", {"alpha": 0.1}, 3)
    assert [path.name for path in chain(last)] == ["last.json", "middle.yaml", "base.yaml"]
    assert chain(last)[middle.parent / ".." / "base.yaml"]["study"] == "base"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: own.yaml", r"cannot extend itself: .*own\.yaml -> .*own\.yaml$"),
        ("extends: other.yaml", r"own\.yaml -> .*other\.yaml -> .*own\.yaml$"),
        ("extends: bass.yaml", r"own\.yaml extends 'bass\.yaml', and there is no file .*bass"),
        ("extends: tabs.yaml", r"tabs\.yaml cannot be read"),
        ("extends: empty.yaml", r"empty\.yaml holds no configuration"),
        ("extends: base.yaml\ngames: {d: null}", "^games.d: null removes an entry, and there is"),
    ],
)
def test_what_cannot_be_extended_is_named(write, text, message):
    write("other.yaml", "extends: own.yaml")
    write("tabs.yaml", "games:\n\ta: 1")
    write("empty.yaml", "")
    with pytest.raises(ConfigError, match=message):
        load_study(write("own.yaml", text))


def test_what_snakemake_has_read_is_resolved_in_place(write):
    """Several files, and values of the command line, which Snakemake has laid over them."""
    first = write("first.yaml", "extends: base.yaml\nclaims: {alpha: 0.1}\n")
    second = write("second.yaml", "games: {b: null, c: {explicands: 7}}\n")
    config = {
        "extends": "base.yaml",
        "claims": {"alpha": 0.2},
        "games": {"b": None, "c": {"explicands": 7}},
    }
    same = config
    resolve(config, [first, second])
    assert config is same
    assert list(config) == ["study", "games", "claims"]
    assert list(config["games"]) == ["a", "c"]
    assert (config["claims"]["alpha"], config["games"]["c"]["explicands"]) == (0.2, 7)
    before = deepcopy(config)
    resolve(config, [first, second])
    assert config == before


def test_the_command_line_extends_from_the_working_directory(write, monkeypatch):
    monkeypatch.chdir(write("own.yaml", "study: own").parent)
    config = {"study": "own", "extends": "base.yaml"}
    resolve(config, ["own.yaml"])
    assert (config["study"], config["claims"]) == ("own", {"alpha": 0.05})
    with pytest.raises(ConfigError, match="the command line extends 'nothing'"):
        resolve({"extends": "nothing"}, ["own.yaml"])


def test_a_key_twice_is_found_in_each_file(write):
    base = write("twice.yaml", "study: base\nstudy: again\n")
    path = write("own.yaml", "extends: twice.yaml\nseed: 1\nseed: 2\n")
    with pytest.raises(ConfigError) as raised:
        check_keys([path, base])
    assert str(raised.value).splitlines()[1:] == [
        f"  - {path}, line 3: the block has 'seed' already; rename one",
        f"  - {base}, line 2: the block has 'study' already; rename one",
    ]


def leaves(block, path=()):
    """Everything that is no block, by where it stands."""
    for key, value in block.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


@pytest.mark.parametrize("path", OVERLAYS, ids=lambda path: path.stem)
def test_an_overlay_repeats_nothing_of_what_it_extends(path):
    own, *_ = chain(path).values()
    below = dict(leaves(load_study(path.parent / own["extends"])))
    repeated = [where for where, value in leaves(own) if where in below and below[where] == value]
    assert repeated == []


@pytest.mark.parametrize("path", OVERLAYS, ids=lambda path: path.stem)
def test_a_resolved_study_has_every_block_and_no_trace_of_the_overlay(path):
    study, below = load_study(path), load_study(CONFIG / "config.yaml")
    assert "extends" not in study
    assert set(below) <= set(study)
    assert all(value is not None for _, value in leaves(study))
    for block in ("games", "experiments"):
        shared = [name for name in study[block] if name in below[block]]
        assert shared == [name for name in below[block] if name in study[block]]


def test_smoke_and_full_are_overlays_and_the_default_and_ones_own_stand_alone():
    assert [path.stem for path in OVERLAYS] == ["full", "smoke"]
