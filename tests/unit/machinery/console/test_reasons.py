"""Why jobs run again, in words."""

from pathlib import Path

import pytest
from made_events import job_info
from snakemake.jobs import Reason
from snakemake.persistence import ParamsChange

from shapaudit_audit.console.reasons import LONG, MANY, found_in, in_words, reasons_of

CODE = {
    "shapaudit.estimators.auto": "0a1b2c3d",
    "shapaudit.bits": "11111111",
    "src/own.py": "2" * 8,
}
ASKED = {"experiment": {"budgets": [100, 200], "pairs": 20}, "seed": 1}


def because(old=(), new=(), **facts):
    """Snakemake's own text of a reason, with parameters that have changed from these to those."""
    reason = Reason()
    if old or new:
        reason.params_changed = ParamsChange({*map(repr, old)}, {*map(repr, new)}, {"a.parquet"})
    for name, value in facts.items():
        setattr(reason, name, value)
    return str(reason)


def words(*arguments, **facts):
    return in_words(found_in(because(*arguments, **facts)))


def test_a_changed_module_is_named_and_so_is_a_changed_file():
    new = CODE | {"shapaudit.estimators.auto": "ffffffff", "src/own.py": "33333333"}
    told = words([CODE], [new])
    assert told == "module shapaudit.estimators.auto changed; file src/own.py changed"


def test_modules_come_and_go():
    new = CODE | {"shapaudit.sums": "44444444"}
    del new["shapaudit.bits"]
    told = words([CODE], [new])
    assert told == "module shapaudit.sums is new; module shapaudit.bits is no longer used"


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ({"budgets": [100, 400]}, "experiment.budgets was [100, 200] and is [100, 400]"),
        ({"pairs": 20.0}, "experiment.pairs was 20 and is 20.0"),
        ({"keep": {"pairs": 2}}, "experiment.keep is new: {'pairs': 2}"),
    ],
)
def test_a_changed_key_is_told_with_both_values(new, told):
    assert words([ASKED], [ASKED | {"experiment": ASKED["experiment"] | new}]) == told


def test_a_key_that_is_gone_is_told():
    assert words([ASKED], [{"experiment": ASKED["experiment"]}]) == "seed is gone, and was 1"


def test_of_long_lists_what_differs_is_told():
    names = [f"estimator-{number}" for number in range(20)]
    more = words([{"estimators": names}], [{"estimators": [*names, "own"]}])
    assert more == "estimators now has 'own'"
    other = words([{"estimators": names}], [{"estimators": [*names[:3], "own", *names[4:]]}])
    assert other == "estimators[3] was 'estimator-3' and is 'own'"
    fewer = words([{"estimators": names}], [{"estimators": names[:2]}])
    assert fewer.startswith("estimators no longer has 'estimator-2', 'estimator-3', ")
    assert fewer.endswith(" and 15 more")


def test_code_and_what_is_asked_are_told_apart_whatever_their_order():
    new = {**ASKED, "seed": 2}, CODE | {"shapaudit.bits": "55555555"}
    assert words([CODE, ASKED], new) == "module shapaudit.bits changed; seed was 1 and is 2"


def test_texts_that_look_like_the_marks_of_a_reason_are_read():
    old, new = {"label": "a now: b; before: c, d"}, {"label": "a now: b; now: e"}
    assert words([old], [new]) == "label was 'a now: b; before: c, d' and is 'a now: b; now: e'"


def test_three_changes_are_told_and_the_others_counted():
    new = dict.fromkeys(CODE, "abcdef")
    told = words([CODE, ASKED], [new, {"experiment": {"budgets": [], "pairs": 0}, "seed": 0}])
    assert told.count("; ") == 2
    assert told.endswith(" and 3 more")


def test_what_has_no_counterpart_is_given_as_it_is_and_shortened():
    assert words(["abc"], [5]) == "parameters were 'abc' and are 5"
    assert words([], [ASKED]).startswith("parameters were nothing and are {'experiment': ")
    told = words([Path("x" * 9000)], [float("inf")])
    assert told.startswith("parameters were ")
    assert len(told) < 6 * LONG


def test_files_are_named():
    told = because(_missing_output={"b.json", "a.parquet"})
    assert in_words(found_in(told)) == "output is missing: a.parquet, b.json"
    assert in_words(found_in(told, ("a.parquet", "b.json"))) == "output is missing"
    assert words(_updated_input={"a"}) == "input is newer than the output: a"
    anew = because(_updated_input_run={"a", "b", "c", "d", "e"})
    told = in_words(found_in(anew, made_by={"b": "train_model"}))
    assert told == "input is made anew: a, b (train_model), c and 2 more"


def test_new_input_is_told_of_jobs_without_a_reason_of_their_own():
    assert words(_updated_input_run={"a"}, code_changed=True) == "the rule or its script was edited"


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"forced": True}, "it is forced"),
        ({"input_changed": True}, "the list of input files has changed"),
        ({"_incomplete_output": {"a"}}, "output is incomplete, because a run was interrupted: a"),
        ({"software_stack_changed": True}, "the software environment has changed"),
        ({"noio": True}, "Rules with neither input nor output files are always executed."),
    ],
)
def test_other_reasons_are_told_too(facts, told):
    assert words(**facts) == told
    both = words([{"seed": 1}], [{"seed": 2}], **facts)
    assert both == (told if {"forced", "noio"} & {*facts} else f"{told}; seed was 1 and is 2")


def test_a_reason_that_nobody_knows_is_given_as_it_is():
    assert in_words(found_in("The moon is full")) == "The moon is full"


def job(rule, number, reason):
    return job_info(number, rule, f"Doing {number}", reason=reason)


def test_many_jobs_of_a_rule_for_the_same_reason_share_a_line():
    edited = because([CODE], [CODE | {"shapaudit.bits": "55555555"}])
    lines = reasons_of(
        [job("run_estimators", number, edited) for number in range(MANY + 1)]
        + [job("train_model", number, edited) for number in range(20, 20 + MANY)]
        + [job("run_estimators", 50, because(forced=True))]
        + [
            job_info(
                0, "all", "All is made", output=[], reason=because(_updated_input_run={"3.out"})
            )
        ]
    )
    assert lines[0] == f"run_estimators, {MANY + 1} jobs: module shapaudit.bits changed"
    assert lines[1] == "Doing 20: module shapaudit.bits changed"
    assert lines[MANY + 1 :] == [
        "Doing 50: it is forced",
        "all: input is made anew: 3.out (run_estimators)",
    ]


def test_files_of_many_jobs_are_named_together():
    jobs = [
        job("judge", number, because(_updated_input_run={f"{number % 2}.in"}))
        for number in range(30)
    ]
    assert reasons_of(jobs) == ["judge, 30 jobs: input is made anew: 0.in, 1.in"]
