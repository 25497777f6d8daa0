"""Claim 6c: SGD-Shapley on the explicand of the printed tables."""

import numpy as np
import pytest
from synthetic import PUBLISHED

from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import sgd
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import sgd as evidence

ALPHA = 0.05


def made_up(ratio, trials=100):
    """Errors with a given typical ratio, after four numbers of samples."""
    rng = np.random.default_rng(0)
    levels = np.array([50.0, 1.0, ratio])[:, None]
    errors = levels * np.exp(0.2 * rng.normal(size=(trials, 3, 4)))
    printed = {evidence.KERNEL: [1.0] * 4, evidence.DEFAULT: [2.0, 4.0, 8.0, 16.0]}
    return {
        "errors": {(evidence.PRINTED, 10): errors},
        "methods": [evidence.EQUAL, *evidence.METHODS],
        "samples": [500, 1_000, 5_000, 10_000],
        "printed": printed,
    }


@pytest.mark.parametrize(
    ("ratio", "status"), [(3.0, "supported"), (0.3, "refuted"), (1.0, "inconclusive")]
)
def test_the_ratio_decides(ratio, status):
    assert sgd.check_printed(made_up(ratio), ALPHA).status == status


def test_the_printed_errors_stand_beside():
    made = made_up(3.0)
    verdict = sgd.check_printed(made, ALPHA)
    (errors,) = made["errors"].values()
    means = (errors[:, 2] ** 2).mean(axis=0)
    assert [row["squared"] for row in verdict.rows] == pytest.approx(means)
    assert [row["squared_printed"] for row in verdict.rows] == [2.0, 4.0, 8.0, 16.0]
    assert verdict.numbers["over_printed_max"] == pytest.approx(means[0] / 2)
    assert [row["samples"] for row in verdict.rows] == [500, 1_000, 5_000, 10_000]
    assert {row["trials"] for row in verdict.rows} == {100}
    assert not any("games" in row for row in verdict.rows)


def test_the_sentence_names_the_ratios_after_the_fewest_and_the_most_samples():
    made = made_up(3.0)
    (errors,) = made["errors"].values()
    errors[:, 2, 0] *= 10  # the default step after the fewest samples
    verdict = sgd.check_printed(made, ALPHA)
    assert verdict.rows[0]["ratio"] > 5 * verdict.rows[-1]["ratio"]
    for place, samples in ((0, "500 samples"), (-1, "10,000")):
        ratio = show(verdict.rows[place]["ratio"])
        assert f"{ratio} times" in verdict.summary.split(f"after {samples}")[0][-60:]
    assert "In 100 runs on the explicand" in verdict.summary


def test_without_the_game_nothing_is_decided():
    tables = np.random.default_rng(3).normal(size=(1, 2**4))
    context = Context("tiny", 3, (StudyGame.from_tables("other", tables),), published=PUBLISHED)
    verdict = sgd.check_printed(evidence.gather_printed(context), ALPHA)
    assert verdict.status == "inconclusive"
    assert len(verdict.limits) == 4


def test_the_runs_are_of_the_first_explicand():
    rng = np.random.default_rng(3)
    tables = rng.normal(size=(2, 2**10))
    context = Context(
        "tiny",
        3,
        own=(StudyGame.from_tables(evidence.GAME, tables),),
        published=PUBLISHED,
    )
    gathered = evidence.gather_printed(context)
    ((key, errors),) = gathered["errors"].items()
    truth = context.own[0].truths[0]
    assert key == (evidence.PRINTED, 10)
    assert errors.shape == (100, 3, 4)
    assert errors[:, 0] == pytest.approx(np.linalg.norm(truth - truth.mean()))
    assert (np.diff(np.median(errors[:, 1:], axis=0), axis=1) < 0).all()
    assert gathered["printed"][evidence.DEFAULT][0] == pytest.approx(43.17269 + 41.51592)
