"""Checks that several papers share, and the exact cases and words that they are made of."""

from fractions import Fraction

import numpy as np
import pytest

from shapaudit_audit.audit import exact, numbers_in_words
from shapaudit_audit.audit.checks import check_uniform_sizes, compare_methods, judge_larger
from shapaudit_audit.audit.comparisons import count_words, limits_of, out_of, span
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_audit.audit.evidence import Case

METHODS = ["equal split", "old", "new"]


def errors_of(seed, games=14, budgets=2):
    """Errors (games, methods, budgets), the equal split's the same at every budget."""
    errors = np.random.default_rng(seed).lognormal(sigma=0.4, size=(games, len(METHODS), budgets))
    errors[:, 0] = errors[:, 0, :1]
    return errors


def compared(evidence, capped=False):
    return compare_methods(evidence, (4, 16), {"new": "old"}, 0.1, capped)


def test_methods_are_compared_by_medians_at_each_budget():
    cells = {("kind", 5): errors_of(0), ("other", 9): errors_of(1)}
    rows = compared({"methods": METHODS, "errors": cells})
    places = [(row["kind"], row["players"], row["evaluations"]) for row in rows]
    assert places == [("kind", 5, 20), ("kind", 5, 80), ("other", 9, 36), ("other", 9, 144)]
    for k, row in enumerate(rows):
        errors = cells[row["kind"], row["players"]][:, :, k % 2]
        split, old, new = errors.T
        assert row["ratio"] == pytest.approx(1 / np.median(old / new))
        assert row["median"] == pytest.approx(np.median(new / split))
        assert row["median_against"] == pytest.approx(np.median(old / split))
        assert (row["method"], row["against"], row["games"]) == ("new", "old", 14)


def test_limits_of_compared_methods_hold_together_and_one_holds_alone():
    cells = {("kind", 5): errors_of(0), ("other", 9): errors_of(1)}
    for k, row in enumerate(compared({"methods": METHODS, "errors": cells})):
        errors = cells[row["kind"], row["players"]][:, :, k % 2]
        ratios = np.sort(errors[:, 2] / errors[:, 1])
        # Of 14 games: P(Bin(14, 1/2) < 3) = 0.0065, below the share of one side of four ratios,
        # 0.0125, and P(Bin < 4) = 0.029 above it; alone, P(Bin < 5) = 0.090 and P(Bin < 6) = 0.21.
        assert (row["low"], row["high"]) == pytest.approx((ratios[2], ratios[-3]))
        assert row["low_alone"] == pytest.approx(ratios[4])
        assert row["low"] < row["low_alone"] < row["ratio"] < row["high"]


def test_runs_that_diverged_count_as_the_equal_split_when_capped():
    errors = errors_of(2)
    errors[:9, 2] = 1e6
    evidence = {"methods": METHODS, "errors": {("kind", 5): errors}}
    plain, capped = compared(evidence)[0], compared(evidence, capped=True)[0]
    assert plain["ratio"] > 1e4
    least = np.minimum(errors[:, 2, 0], errors[:, 0, 0])
    assert capped["ratio"] == pytest.approx(1 / np.median(errors[:, 1, 0] / least))
    assert capped["median"] == plain["median"]


def rows_of(*limits, players=(5, 7)):
    """Rows of one method; limits are low, the own lower limit, and high."""
    return [
        {
            "kind": f"kind {k}",
            "players": players[k % 2],
            "evaluations": 20,
            "games": 12 + k,
            "method": "1/sqrt(t), last",
            "against": "old",
            "ratio": (low * high) ** 0.5,
            "low": low,
            "high": high,
            "low_alone": alone,
            "error": "larger" if low > 1 else "smaller" if high < 1 else "undecided",
            "median": 0.5 + k,
            "median_against": 1.0,
        }
        for k, (low, alone, high) in enumerate(limits)
    ]


@pytest.mark.parametrize(
    ("limits", "status", "consequence"),
    [
        ([(1.1, 1.2, 4.4), (0.9, 1.05, 3.6)], "supported", None),
        ([(1.1, 1.2, 4.4), (0.9, 0.95, 3.6)], "inconclusive", None),
        ([(0.9, 1.2, 4.4), (0.2, 0.3, 0.8)], "refuted", None),
        ([(1.1, 1.2, 4.4), (0.2, 0.3, 0.8)], "refuted", "hypothesis"),
    ],
)
def test_larger_errors_are_judged_by_their_own_limits(limits, status, consequence):
    verdict = judge_larger(rows_of(*limits), 0.1)
    assert (verdict.status, verdict.consequence) == (status, consequence)
    assert len(verdict.limits) == len(verdict.rows) == 2
    assert all(limit.level == pytest.approx(0.9) for limit in verdict.limits)
    words = [row["error"] for row in verdict.rows]
    assert verdict.numbers["larger"] == words.count("larger")
    above, below = (out_of(words.count(word), 2) for word in ("larger", "smaller"))
    assert f"by simultaneous limits: {above}; below: {below}." in verdict.summary


@pytest.mark.parametrize(("count", "text"), [(0, "none of 50"), (1, "1 of 50"), (50, "all 50")])
def test_counts_are_told_in_words_that_suit_them(count, text):
    assert out_of(count, 50) == text


def test_the_numbers_of_larger_errors_are_those_of_each_method():
    verdict = judge_larger(rows_of((1.1, 1.2, 4.4), (1.2, 1.3, 2.7), (1.0, 1.1, 9.0)), 0.1)
    assert verdict.numbers["root_last_min"] == pytest.approx((1.2 * 2.7) ** 0.5)
    assert verdict.numbers["root_last_max"] == pytest.approx(3.0)
    assert verdict.numbers["root_last_median_largest"] == 1.5  # of the row with seven players
    assert verdict.sample == {"kinds": 3, "games": 12, "dimensions": 2}
    assert "at d = 7 up to 1.5" in verdict.summary
    assert verdict.limits[1].name == "kind 1, d = 7, 1/sqrt(t), last, 20 evaluations"


@pytest.mark.parametrize(("right", "status"), [("1/3", "proved"), ("1/4", "refuted")])
def test_uniform_sizes_are_an_identity(right, status):
    cases = [Case("d = 3, s = 1", Fraction(1, 3), Fraction(right))]
    verdict = check_uniform_sizes({"cases": cases, "max_dimension": 3}, 0.05)
    assert (verdict.status, verdict.numbers) == (status, {"max_dimension": 3})
    assert status == "proved" or "weight 1/3, not 1/4" in verdict.summary


def test_words_and_limits_of_rows():
    rows = rows_of((1.1, 1.2, 4.4), (0.2, 0.3, 0.8), (0.9, 1.0, 1.6))
    assert count_words(rows) == {"smaller": 1, "larger": 1, "undecided": 1}
    assert count_words(rows, ("larger",)) == {"larger": 1}
    limits = limits_of(rows, lambda row: row["kind"], 0.2)
    assert [(limit.name, limit.low, limit.high, limit.level) for limit in limits] == [
        ("kind 0", 1.1, 4.4, 0.8),
        ("kind 1", 0.2, 0.8, 0.8),
        ("kind 2", 0.9, 1.6, 0.8),
    ]
    assert (span([2.0, 0.5, 1.0]), span([0.5001, 0.5002])) == ("0.5 to 2", "0.5")


CONTEXT = Context(
    "made-up",
    3,
    settings=Settings(max_exact_dimension=7, brute_force_dimension=4, random_games=2),
)


def test_dimensions_are_those_of_the_settings():
    assert list(exact.exact_dimensions(CONTEXT)) == [2, 3, 4, 5, 6, 7]
    assert list(exact.small_dimensions(CONTEXT, 9)) == [2, 3, 4]
    assert list(exact.small_dimensions(CONTEXT, 3)) == [2, 3]


def test_random_integers_have_their_range_and_the_seed_of_their_names():
    values = exact.random_integers(CONTEXT, "a", 1, count=2000)
    assert {type(value) for value in values} == {Fraction}
    assert (values.min(), values.max()) == (-9, 9)
    drawn = CONTEXT.generator("a", 1).integers(-9, 10, size=2000)
    assert values.tolist() == drawn.tolist()


def test_integer_games_are_told_apart_by_dimension_and_number():
    games = list(exact.integer_games(CONTEXT, "a", dimensions=(2, 3)))
    assert [(label, d, len(values)) for label, d, values in games] == [
        ("d = 2, game 1", 2, 4),
        ("d = 2, game 2", 2, 4),
        ("d = 3, game 1", 3, 8),
        ("d = 3, game 2", 3, 8),
    ]
    again = exact.random_integers(CONTEXT, "a", "game", 3, 1, count=8)
    assert games[3][2].tolist() == again.tolist()
    assert games[0][2].tolist() != games[1][2].tolist()


def test_entries_of_vectors_are_cases():
    assert exact.vector_cases("x", [1, 2], [1, 3]) == [
        Case("x, entry 1", 1, 1),
        Case("x, entry 2", 2, 3),
    ]


def test_numbers_are_shown_in_three_digits_and_fractions_in_full():
    assert [numbers_in_words.show(x) for x in (1234, Fraction(1, 3), 0.12345, np.float64(2))] == [
        "1234",
        "1/3",
        "0.123",
        "2",
    ]
