"""Numbers and words as LaTeX, and what the text of the report tells of verdicts and claims."""

import json
import math
import re

import pytest
from msgspec.structs import replace
from small_site import own_study

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit_audit.audit.ids import by_paper
from shapaudit_audit.audit.reading import load_verified
from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report import audit, latex, topics
from shapaudit_audit.report.latex import number
from shapaudit_audit.report.values import (
    checker_values,
    claim_values,
    on_fixed_data,
    repetition_values,
)
from shapaudit_audit.study.blocks.games import DatasetBlock, ModelBlock
from shapaudit_papers.grah_thouvenot_2020.tables import values as prose


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12000, r"12\,000"),
        (0.0234567, "0.0235"),
        (0.09996, "0.100"),
        (1234.5, r"1\,234"),
        (0.0, "0"),
        (-0.5, r"\ensuremath{-}0.500"),
        (3.72e8, r"\ensuremath{3.72\times10^{8}}"),
        (2e-13, r"\ensuremath{2.00\times10^{-13}}"),
        (float("nan"), "--"),
        ("15/16", "15/16"),
    ],
)
def test_numbers(value, text):
    assert latex.number(value) == text


def test_limits_have_the_decimals_of_their_value():
    assert latex.with_limits(0.02345, 0.0199, 0.031) == ("0.0234", "[0.0199, 0.0310]")
    assert latex.ratio_with_limits(1.0, 0.94321, 1.1) == ("1.00", "[0.94, 1.10]")
    assert latex.ratio_with_limits(1.25, math.nan, math.nan) == ("1.25", "no limits")
    assert latex.ratio_with_limits(1.0, 0.0, UNBOUNDED)[1] == r"[0.00, \ensuremath{\infty}]"
    assert latex.number(-UNBOUNDED) == r"\ensuremath{-\infty}"
    shown, interval = latex.with_limits(1.8e35, 7e33, 6e35)
    assert r"10^{35}" in shown
    assert r"10^{33}" in interval
    assert latex.number(33_143.2) == r"33\,100"
    large = (r"33\,100", r"[8\,530, 188\,000]")
    assert latex.with_limits(33_143.0, 8_530.4, 188_025.0) == large
    assert latex.with_limits(1.2, 1.0, 89_873_501.6)[1] == r"[1.0, \ensuremath{9.0\times10^{7}}]"
    assert latex.ratio_with_limits(280.0, 53.0, UNBOUNDED)[1].startswith("[53, ")


@pytest.mark.parametrize(
    ("limits", "bold"),
    [((1.01, 2.0), True), ((1.0, 2.0), False), ((0.2, 1.0), False), ((0.2, 0.99), True)],
)
def test_a_ratio_is_bold_where_its_limits_leave_one_out(limits, bold):
    cell = latex.ratio_cell(1.0, *limits)
    assert cell.startswith(r"\stacked{\textbf{1.00}}{[" if bold else r"\stacked{1.00}{[")
    assert latex.ratio_cell(1.0, math.nan, math.nan) == "1.00"


def test_numbers_in_prose_look_like_those_of_tables():
    text = latex.prose("1.64e+04 of 25,000 runs, 2560000 in all; d = 1000, 0.12345, 3e-05.")
    assert text == (
        r"\ensuremath{1.64\times10^{4}} of 25\,000 runs, 2\,560\,000 in all; d = 1000, 0.12345, "
        r"\ensuremath{3\times10^{-5}}."
    )
    assert latex.prose("below 1e-06, by 2.4e-410") == (
        r"below \ensuremath{10^{-6}}, by \ensuremath{2.4\times10^{-410}}"
    )


def test_text_is_escaped_and_unknown_characters_are_named():
    assert latex.escape("50 % of a_b & c") == r"50 \% of a\_b \& c"
    assert latex.escape("1/√t, μ") == r"1/\ensuremath{\surd}t, \ensuremath{\mu}"
    assert latex.escape("a ♞") == "a [black chess knight]"


def test_formulas_in_text_are_left_and_the_rest_is_escaped():
    assert latex.with_formulas(r"50% of $\frac{a_1}{2}$ & b") == r"50\% of $\frac{a_1}{2}$ \& b"
    assert latex.with_formulas("a_b") == r"a\_b"


def test_equal_cases_are_merged():
    said = [("smaller", "a"), ("larger", "b"), ("smaller", "c")]
    assert latex.by_case(said) == "smaller on a and c, and larger on b"
    assert latex.by_case([("smaller", "a")]) == "smaller on a"
    assert latex.by_case([]) == latex.NOT_RUN


def test_lists_of_words():
    assert latex.listing([]) == "none"
    assert latex.listing(["a"]) == "a"
    assert latex.listing(["a", "b", "c"]) == "a, b and c"


def test_values_are_defined_under_plain_names_only():
    assert r"\defvalue{a.b-1}{x}{claims}" in latex.definitions({"claims": {"a.b-1": "x"}})
    with pytest.raises(ValueError, match="a b"):
        latex.definitions({"claims": {"a b": "x"}})


def test_the_text_tells_what_became_of_the_verdicts(made_up):
    audited = made_up["audit"]
    same = repetition_values(audited, {5: audited})["repetition.sentence"]
    assert "base seed 5" in same
    sampled = [claim for claim in audited["claims"] if claim["statistical"]]
    assert f"{len(sampled)} on newly generated data, and 0 partly on fixed data" in same
    part = repetition_values(audited, {5: audited}, {"diabetes"})["repetition.sentence"]
    shared = sum("diabetes" in str(claim["rows"]) for claim in sampled)
    assert f"{len(sampled) - shared} on newly generated data, and {shared} partly" in part
    assert 0 < shared < len(sampled)
    assert "No verdict changed." in same
    claims = [dict(claim) for claim in audited["claims"]]
    k = next(
        k
        for k, claim in enumerate(claims)
        if claim["statistical"] and claim["status"] != "inconclusive"
    )
    before = claims[k]["status"]
    claims[k]["status"] = after = "refuted" if before != "refuted" else "proved"
    other = repetition_values(audited, {5: {"claims": claims}})["repetition.sentence"]
    assert rf"\cl{{{claims[k]['id']}}} went from {before} to {after}" in other
    assert "The decision differs in 1 of these changes." in other
    claims[k]["status"] = "inconclusive"
    weaker = repetition_values(audited, {5: {"claims": claims}})["repetition.sentence"]
    assert "All changes are to or from inconclusive." in weaker


def test_what_the_checker_says_is_counted(tmp_path):
    (tmp_path / "claims").mkdir()
    words = ["confirmed", "rests on samples", "confirmed", "confirmed in part"]
    claims = [{"id": f"gt20-0{k}", "found": word} for k, word in enumerate(words)]
    text = json.dumps({"study": "s", "claims": claims})
    (tmp_path / "claims" / "verified.json").write_text(text, encoding="utf-8")
    assert checker_values(load_verified(tmp_path)) == {
        "checker.confirmed": "2",
        "checker.confirmed-in-part": "1",
        "checker.rests-on-samples": "1",
        "checker.not-re-derived": "0",
    }


def test_games_on_fixed_data_are_those_whose_rows_no_seed_draws():
    study = own_study("one")
    game = study.games["g"]
    study = replace(
        study,
        datasets={"a": DatasetBlock(loader="gaussian"), "b": DatasetBlock(loader="csv")},
        models={
            "m": ModelBlock(dataset="a", trainer="xgboost"),
            "n": ModelBlock(dataset="b", trainer="xgboost"),
        },
        games={"g": replace(game, model="m"), "h": replace(game, model="n")},
    )
    assert on_fixed_data(study) == {"h"}


def test_evidence_is_a_place_of_the_report():
    assert audit.place("prop:wls") == "Proposition"
    with pytest.raises(ValueError, match="nowhere:x"):
        audit.place("nowhere:x")


def test_words_follow_the_direction():
    row = {"ratio": 1.0, "low": 0.9, "high": 1.1, "verdict": "undecided"}
    row |= {"speed_up": 2.0, "speed_low": 1.9, "speed_high": 2.1}
    assert prose._contrast_values(row)["words"] == "not significantly different"
    assert prose._contrast_values(row)["speed-two"] == "consistent with"
    faster = {**row, "verdict": "smaller", "speed_low": 2.05}
    assert prose._contrast_values(faster)["words"] == "smaller"
    assert prose._contrast_values(faster)["speed-two"] == "above"


def test_what_is_the_same_on_two_games_is_said_once():
    key = "{}.compare.optimised-mc.plain-mc.{}"
    defined = {key.format(game, "words"): "smaller" for game in ("classification", "regression")}
    defined |= {key.format("classification", "speed-two"): "above"}
    defined |= {key.format("regression", "speed-two"): "consistent with"}
    told = prose.walk_values(defined)
    assert told["walks.words"] == "smaller on classification and regression"
    both = "above two on classification, and consistent with two on regression"
    assert told["walks.speed-two"] == both


def test_evidence_labels_exist_in_the_sources(made_up, sources):
    labels = set(re.findall(r"\\label\{([^}]*)\}", "\n".join(sources.values())))
    assert audit.evidence_labels(made_up["audit"]["claims"]) <= labels


def test_lists_of_claims_name_every_source_that_has_claims_and_no_other(sources):
    text = "\n".join(sources.values())
    for topic, members in topics.by_topic([vars(claim) for claim in registry().values()]).items():
        own = by_paper(members)
        for paper in PAPERS:
            listed = rf"\val{{claims.{topic}.{paper}}}" in text
            assert listed == bool(own.get(paper)), (topic, paper)


def test_the_numbers_of_a_claim_are_values_of_the_text(made_up):
    defined = claim_values(made_up["audit"])
    claim = next(record for record in made_up["audit"]["claims"] if record["id"] == "gt20-08d")
    step = claim["numbers"]["diabetes_step_over_limit"]
    assert defined["gt20-08d.diabetes-step-over-limit"] == number(step)
    assert defined["gt20-08d.sample.data"] == number(claim["sample"]["data"])
    for entry in made_up["audit"]["claims"]:
        names = [key for key in defined if key.startswith(f"{entry['id']}.")]
        assert len(names) == len(entry["numbers"]) + len(entry["sample"])
