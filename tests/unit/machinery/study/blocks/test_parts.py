"""Which estimators share a job, what the claims look at, and what a repetition runs."""

import pytest
from msgspec.structs import replace
from small_site import own_study
from synthetic import study

from shapaudit_audit.study.blocks.games import TABULATED_PLAYERS
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.blocks.study import RepetitionBlock, part_of

ESTIMATORS = {"plain-mc", "optimised-mc"}  # that the claims look at
BLOCK = ExperimentBlock(game="g", budgets=[9], repetitions=1, estimators=["a", "b", "c"])


def with_experiments(config, change, *names):
    """A study some of whose experiments are changed, or all of them."""
    changed = {
        name: change(block) if name in names or not names else block
        for name, block in config.experiments.items()
    }
    return replace(config, experiments=changed)


@pytest.fixture
def smoke():
    """The smoke study, all its experiments audited, repeated with `ESTIMATORS`."""
    config = with_experiments(study("smoke"), lambda block: replace(block, audit=True))
    repetition = RepetitionBlock(seeds=[5], estimators=sorted(ESTIMATORS))
    return replace(config, repetition=repetition)


def test_one_job_each_by_default():
    assert BLOCK.batches() == {"a": ["a"], "b": ["b"], "c": ["c"]}


def test_an_estimator_added_at_the_end_changes_the_last_job_only():
    few = replace(BLOCK, per_job=2)
    more = replace(few, estimators=["a", "b", "c", "d", "e"])
    assert few.batches() == {"a": ["a", "b"], "c": ["c"]}
    assert more.batches() == {"a": ["a", "b"], "c": ["c", "d"], "e": ["e"]}


def test_claims_do_not_see_what_is_left_out_of_the_audit():
    config = own_study("seen", "unseen", "unseen-too")
    game = config.games["g"]
    config = replace(config, games={"shared": game, "alone": game, "idle": game})
    seen, unseen, alone = (
        replace(BLOCK, game=name, audit=audit)
        for name, audit in (("shared", True), ("shared", False), ("alone", False))
    )
    experiments = {"seen": seen, "unseen": unseen, "unseen-too": alone}
    left, kept = replace(config, experiments=experiments).audited()
    assert list(left) == ["seen"]
    assert list(kept) == ["shared", "idle"]


def test_a_repetition_runs_the_listed_estimators_once_per_explicand(smoke):
    left = smoke.repeated()
    listed = {
        name: [key for key in block.estimators if key in ESTIMATORS]
        for name, block in smoke.experiments.items()
    }
    runs = {name: block.estimators for name, block in left.experiments.items()}
    assert runs == {name: keys for name, keys in listed.items() if keys}
    assert runs
    assert {block.repetitions for block in left.experiments.values()} == {1}
    assert set(left.estimators) == ESTIMATORS


def test_a_repetition_has_its_games_and_all_that_have_tables(smoke):
    left = smoke.repeated()
    small = {key for key, game in smoke.games.items() if game.players <= TABULATED_PLAYERS}
    assert set(left.games) == small | {block.game for block in left.experiments.values()}
    assert set(left.models) == {game.model for game in left.games.values()}
    assert set(left.datasets) == {model.dataset for model in left.models.values()}


def test_a_study_without_a_repetition_repeats_no_experiment(smoke):
    assert replace(smoke, repetition=None).repeated().experiments == {}


def test_an_estimator_that_the_claims_do_not_look_at_is_no_reason_to_repeat(smoke):
    def more(block):
        return replace(block, estimators=[*block.estimators, "own"])

    own = EstimatorBlock(label="Own", estimator="my_estimator.EqualSplit")
    changed = replace(smoke, estimators=smoke.estimators | {"own": own})
    assert with_experiments(changed, more, "classification").repeated() == smoke.repeated()


@pytest.mark.parametrize(
    ("key", "value", "same"), [("repetitions", 7, True), ("budgets", [9], False)]
)
def test_budgets_are_a_reason_to_repeat_and_seeds_per_explicand_are_none(smoke, key, value, same):
    changed = with_experiments(
        smoke, lambda block: replace(block, **{key: value}), "classification"
    )
    assert (changed.repeated() == smoke.repeated()) == same


def test_an_experiment_left_out_of_the_audit_is_not_repeated(smoke):
    game = smoke.experiments["regression"].game
    config = with_experiments(smoke, lambda block: replace(block, audit=block.game != game))
    left = config.repeated()
    assert "regression" not in left.experiments
    assert game not in left.games


def test_the_site_compares_tasks_or_all_of_ones_own(smoke):
    assert {block.role for block in smoke.compared().values()} == {"task"}
    assert {block.role for block in smoke.on_games_of_papers().values()} == {"best"}
    mine = own_study("a", "b")
    assert not mine.reported
    assert mine.compared() == mine.experiments
    assert mine.models_of(mine.experiments) == ["m"]


def test_explicands_are_those_of_the_game_unless_an_experiment_says_fewer():
    config = own_study("a")
    assert config.explicands_of(config.experiments["a"]) == config.games["g"].explicands == 12
    assert config.explicands_of(replace(config.experiments["a"], explicands=5)) == 5


def test_a_paper_has_its_own_part(smoke):
    own = part_of(smoke.experiments, "okhrati_lipani_2021")
    assert {block.paper for block in own.values()} == {"okhrati_lipani_2021"}
    assert part_of(own_study("a").experiments, "okhrati_lipani_2021") == {}


@pytest.mark.parametrize("name", ["config", "smoke", "full"])
def test_every_study_repeats_what_its_claims_look_at(name):
    config = study(name)
    listed = set(config.repetition.estimators)
    looked_at = {
        key
        for key, spec in config.estimators.items()
        if key.endswith("-mc") or spec.label.endswith(("as published", "step tuned"))
    } - {"antithetic-mc"}
    used = {key for experiment in config.experiments.values() for key in experiment.estimators}
    assert looked_at & used <= listed
