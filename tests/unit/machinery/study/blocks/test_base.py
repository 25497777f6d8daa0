"""Records of blocks: what they take, what they leave out, and what they name."""

from typing import Annotated

import msgspec
import pytest
from msgspec import field

from shapaudit_audit.study.blocks.base import (
    Block,
    Files,
    Label,
    Params,
    Positive,
    asked,
    marked,
    named,
    record,
    records,
    references,
)
from shapaudit_audit.study.blocks.games import GameBlock, SelectionBlock, TruthBlock
from shapaudit_audit.study.blocks.runs import CostlyBlock, EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.blocks.studies import ExplanationStudyBlock, RemovalStudyBlock

GAME = {
    **{"label": "Game", "model": "m", "reward": "prediction", "players": 4, "explicands": 3},
    "truth": {"method": "enumeration"},
}
EXPERIMENT = {"game": "g", "budgets": [9], "repetitions": 1, "estimators": ["a", "b"]}


class Inner(Block, frozen=True, kw_only=True):
    """A block in a block."""

    label: Label = ""
    size: Positive = 3


class Outer(Block, frozen=True, kw_only=True, rename={"smallest": "from"}):
    """A block with a field of each kind."""

    label: Label = ""
    inner: Inner
    several: dict[str, Inner] = field(default_factory=dict)
    smallest: int = 0
    params: Params = field(default_factory=dict)
    files: Files = field(default_factory=list)
    model: Annotated[str, named("models")] = "m"
    games: Annotated[list[str], named("games")] = field(default_factory=list)
    removal: Annotated[str | None, named("removals")] = None


def test_what_is_left_out_has_its_default():
    game = record(GameBlock, GAME)
    assert (game.tuning_explicands, game.baseline, game.selection) == (0, "drawn", None)
    assert (game.removal, game.truth.params, game.truth.check) == (None, {}, None)
    experiment = record(ExperimentBlock, EXPERIMENT)
    assert (experiment.per_job, experiment.costly, experiment.audit) == (1, {}, True)


def test_records_share_no_default():
    first, second = (record(EstimatorBlock, {"estimator": "auto"}) for _ in range(2))
    first.params["seed"] = 1
    assert second.params == {}


def test_a_record_cannot_be_changed():
    with pytest.raises(AttributeError):
        record(GameBlock, GAME).players = 5


@pytest.mark.parametrize(
    ("block", "content", "message"),
    [
        (GameBlock, GAME | {"pairs": 3}, "unknown field `pairs`"),
        (GameBlock, GAME | {"players": 0}, r"`int` >= 1 - at `\$.players`"),
        (GameBlock, GAME | {"players": 4.0}, r"Expected `int`.*\$.players"),
        (GameBlock, GAME | {"players": True}, "Expected `int`, got `bool`"),
        (GameBlock, GAME | {"players": None}, "Expected `int`, got `null`"),
        (GameBlock, GAME | {"reward": "profit"}, "Invalid enum value 'profit'"),
        (GameBlock, GAME | {"truth": {}}, "missing required field `method`"),
        (ExperimentBlock, EXPERIMENT | {"budgets": []}, "length >= 1"),
        (ExperimentBlock, EXPERIMENT | {"role": "A role"}, "matching regex"),
        (ExperimentBlock, EXPERIMENT | {"costly": {"a": {"explicands": 0}}}, "`int` >= 1"),
    ],
)
def test_what_a_block_does_not_take_is_refused(block, content, message):
    with pytest.raises(msgspec.ValidationError, match=message):
        record(block, content)


def test_blocks_are_read_by_name():
    read = records(EstimatorBlock, {"a": {"estimator": "auto"}, "b": {"estimator": "multilinear"}})
    assert {name: block.estimator for name, block in read.items()} == {
        "a": "auto",
        "b": "multilinear",
    }


def test_fields_with_an_alias_are_said_by_it():
    outer = record(Outer, {"inner": {}, "from": 4})
    assert outer.smallest == 4
    assert asked(outer) == {"inner": {}, "from": 4}


def test_what_is_asked_has_no_defaults_and_no_labels():
    inner = Inner(label="A label", size=5)
    outer = Outer(
        label="Another", inner=inner, several={"x": inner, "y": Inner()}, params={"label": 1}
    )
    assert asked(outer) == {
        "inner": {"size": 5},
        "several": {"x": {"size": 5}, "y": {}},
        "params": {"label": 1},
    }
    said = Outer(inner=Inner(), smallest=0, params={}, files=[], several={})
    assert asked(said) == {"inner": {}}
    assert asked({"a": [inner, (inner,)], "b": None}) == {
        "a": [{"size": 5}, [{"size": 5}]],
        "b": None,
    }


def test_what_is_asked_can_be_read_again():
    game = record(GameBlock, GAME | {"selection": {"explicands": [0], "baselines": ["largest-2"]}})
    again = record(GameBlock, asked(game))
    assert again == msgspec.structs.replace(game, label="")
    assert isinstance(again.selection, SelectionBlock)
    assert isinstance(again.truth, TruthBlock)


@pytest.mark.parametrize(
    ("block", "names"),
    [
        (GameBlock, {"label"}),
        (EstimatorBlock, {"label"}),
        (ExperimentBlock, {"paper", "role", "data", "reference", "per_job", "audit"}),
        (RemovalStudyBlock, {"paper", "label", "per_job"}),
        (ExplanationStudyBlock, {"paper", "label", "per_job"}),
        (CostlyBlock, set()),
    ],
)
def test_no_result_depends_on_what_is_only_shown(block, names):
    assert set(marked(block, "report_only")) == names


def test_a_label_is_required_of_a_configuration_alone():
    assert marked(GameBlock, "required") == {"label": True}
    unnamed = {key: value for key, value in GAME.items() if key != "label"}
    assert record(GameBlock, unnamed).label == ""


def test_names_are_told_with_the_blocks_that_have_them():
    outer = Outer(inner=Inner(), games=["g", "h"])
    assert list(references(outer)) == [("models", "m"), ("games", "g"), ("games", "h")]
    removed = msgspec.structs.replace(outer, removal="r")
    assert list(references(removed))[-1] == ("removals", "r")
    experiment = record(ExperimentBlock, EXPERIMENT)
    assert list(references(experiment)) == [
        ("games", "g"),
        ("estimators", "a"),
        ("estimators", "b"),
    ]
