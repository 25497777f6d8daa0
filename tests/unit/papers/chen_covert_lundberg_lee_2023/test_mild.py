"""Antithetic sampling on the explicand of the tables, on others, and in the tables."""

import numpy as np
import pytest
from synthetic import PUBLISHED

from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import mild
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import pairing as pairing_claims
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import pairing

ALPHA = 0.05
CHECKS = {claim.id[7:]: claim.judge for claim in mild.CLAIMS}
TABLES = [
    {"data": "diabetes", "kind": kind, "cells": 10, "helped": 9} for kind in ("ANTI", "ADAPT")
]


def world(first=0.9, others=0.8, study=0.8, tables=TABLES):
    """Ratios around the given ones on the printed explicand, others and the study's games."""
    rng = np.random.default_rng(0)
    own = np.vstack([[first, first], others + 0.01 * rng.normal(size=(30, 2))])
    ratios = {"diabetes": study + 0.01 * rng.normal(size=(30, 2))}
    evidence = {"ratios": ratios, "own": {"chen-diabetes": own}, "tables": tables}
    return evidence | {"adaptive": {"chen-diabetes": 0.9}, "printed": [0.7, 0.95]}


@pytest.mark.parametrize(
    ("ratios", "general", "setting", "consequence"),
    [
        ({}, "supported", "exact", "stands"),
        ({"others": 0.2}, "refuted", "exact", "setting"),
        ({"others": 1.5}, "refuted", "exact", "setting"),
        ({"first": 0.2}, "supported", "refuted", "stands"),
        ({"first": 1.5}, "supported", "refuted", "stands"),
        ({"study": 0.2}, "refuted", "exact", "setting"),
    ],
)
def test_mild_on_the_explicand_and_on_others(ratios, general, setting, consequence):
    verdict = CHECKS["03a"](world(**ratios), ALPHA)
    outcome = (verdict.status, verdict.setting.status, verdict.consequence)
    assert outcome == (general, setting, consequence)
    larger = [which for which in ("others", "study") if ratios.get(which, 0) > 1]
    assert ("Pairs hurt." in verdict.summary) == bool(larger)
    assert ("complements remove it" in verdict.summary) == (general == "refuted" and not larger)


def test_without_the_paper_s_models_its_setting_is_open():
    evidence = world() | {"own": {}, "adaptive": {}}
    assert CHECKS["03a"](evidence, ALPHA).setting.status == "inconclusive"
    assert CHECKS["03a"](evidence | {"ratios": {}}, ALPHA).status == "inconclusive"


@pytest.mark.parametrize(
    ("ratios", "general", "setting"),
    [
        ({}, "exact", "supported"),
        ({"study": 1.5}, "refuted", "supported"),
        ({"others": 1.5}, "refuted", "supported"),
        ({"first": 1.5}, "exact", "refuted"),
        ({"tables": [row | {"helped": 4} for row in TABLES]}, "exact", "refuted"),
    ],
)
def test_largely_is_more_often_than_not(ratios, general, setting):
    verdict = CHECKS["03b"](world(**ratios), ALPHA)
    assert (verdict.status, verdict.setting.status) == (general, setting)


def test_the_printed_explicand_is_told_apart_from_those_that_were_drawn():
    tables = np.random.default_rng(2).normal(size=(4, 1 << 10))
    own, games = (StudyGame.from_tables(name, tables) for name in ("chen-diabetes", "diabetes"))
    context = Context("tiny", 3, (games,), published=PUBLISHED, own=(own,))
    drawn = mild.drawn(pairing.gather_study(context))
    assert {name: len(units) for name, units in drawn.items()} == {
        "chen-diabetes": 3,
        "diabetes": 4,
    }


def test_printed_variants_are_those_of_the_tables():
    rows = pairing.printed_variants(Context("tiny", 3, published=PUBLISHED))
    by_kind = {(row["data"], row["kind"]): row for row in rows}
    assert by_kind["diabetes", "ANTI"]["cells"] == 5 * 6
    # Tables 4 and 7 at 100,000 samples: MEF and ROF, with adaptive sampling and without.
    ratios = (
        (0.71839 + 40.68452) / (4.95535 + 264.14241),
        (0.94973 + 57.75736) / (2.99248 + 534.06821),
    )
    assert by_kind["blog", "ADAPT"]["least"] <= min(ratios)
    assert by_kind["blog", "ADAPT"]["largest"] >= max(ratios)


@pytest.mark.parametrize(
    ("walk", "fit", "text"),
    [(0, 0, "none of 50"), (13, 14, "13 of 50 and 14 of 50"), (50, 50, "all 50")],
)
def test_explicands_on_which_both_lose_are_counted_once(walk, fit, text):
    assert pairing_claims._lost(walk, fit, 50) == text


def test_games_with_pairs_that_help_are_named_in_words():
    told = CHECKS["03b"](world(), ALPHA).summary
    assert "all 30 on the paper's diabetes data with 10 trees (random order)" in told
