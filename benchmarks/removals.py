"""Processor time of removals beside shapiq's imputers and shap's maskers.

All coalitions of one explicand of d = 10 features with 100 rows each, on a model that costs next to
nothing, so that the time is that of the removal; games are made anew each time, as for another
explicand. A second measure says how far a value of the same coalition is off when it is asked for
in another batch.
"""

import sys
import warnings
from pathlib import Path
from time import process_time

import numpy as np
import shap
import shapiq
from shapiq.imputer import (
    BaselineImputer,
    GaussianCopulaImputer,
    GaussianImputer,
    GenerativeConditionalImputer,
    MarginalImputer,
)

from pages import machine, markdown
from shapaudit.datasets import Dataset
from shapaudit.games import all_coalitions
from shapaudit.removals import create
from timing import alternate

D, ROWS, DRAWS, ROUNDS = 10, 1000, 100, 3
warnings.filterwarnings("ignore")
HEADER = ("Removal", "Package", "Seconds", "Times ours", "Same value in another batch")


class Linear:
    """f(x) = sum of x."""

    def predict(self, rows):
        return rows.sum(axis=1)


def ours(name: str, params: dict, dataset: Dataset, explicand: np.ndarray):
    """A function that plays all coalitions of a game of a fitted removal."""
    fitted = create(name, params).fit(Linear(), dataset, np.random.default_rng(0))

    def play(coalitions):
        return fitted.game(explicand, np.random.default_rng(1))(coalitions)

    return play


def theirs(kind, rows: np.ndarray, explicand: np.ndarray, **params):
    """The same of an imputer of shapiq."""
    imputer = kind(Linear().predict, rows, x=explicand, random_state=0, **params)
    return lambda coalitions: imputer(coalitions)


def masked(rows: np.ndarray, explicand: np.ndarray):
    """The same of shap's masker of whole rows, as its explainers call it."""
    masker = shap.maskers.Independent(rows[:DRAWS], max_samples=DRAWS)
    model = shap.utils.MaskedModel(Linear().predict, masker, shap.links.identity, True, explicand)
    return lambda coalitions: model(coalitions)


def contestants(dataset: Dataset, explicand: np.ndarray) -> dict[str, dict]:
    """Functions of coalitions by removal and package, ours first."""
    rows = dataset.features
    few = dataset.features[:DRAWS]
    sample = {"sample_size": DRAWS}
    return {
        "baseline": {
            "shapaudit": ours("baseline", {}, dataset, explicand),
            "shapiq": theirs(BaselineImputer, rows, explicand),
        },
        "marginal, 100 rows": {
            "shapaudit": ours("marginal", {"rows": DRAWS}, dataset, explicand),
            "shapiq": theirs(MarginalImputer, few, explicand, **sample),
            "shap": masked(few, explicand),
        },
        "Gaussian, 100 draws": {
            "shapaudit": ours("gaussian", {"draws": DRAWS}, dataset, explicand),
            "shapiq": theirs(GaussianImputer, rows, explicand, **sample),
        },
        "copula, 100 draws": {
            "shapaudit": ours("copula", {"draws": DRAWS}, dataset, explicand),
            "shapiq": theirs(GaussianCopulaImputer, rows, explicand, **sample),
        },
        "generative, 100 draws": {
            "shapaudit, mixture": ours("mixture", {"draws": DRAWS}, dataset, explicand),
            "shapiq": theirs(GenerativeConditionalImputer, rows, explicand, **sample),
        },
        "kernel, 1000 rows": {
            "shapaudit": ours("kernel", {"bandwidth": 0.3}, dataset, explicand),
        },
        "exact match, 1000 rows": {
            "shapaudit": ours("exact-match", {"own_row": True}, dataset, explicand),
        },
    }


def measure(plays: dict[str, dict]) -> list[list[str]]:
    """Rows of the table."""
    coalitions = all_coalitions(D)
    table = []
    for removal, each in plays.items():
        seconds = alternate(
            {name: lambda play=play: play(coalitions) for name, play in each.items()},
            ROUNDS,
            process_time,
        )
        own = next(iter(seconds.values()))
        for name, play in each.items():
            spent = seconds[name]
            table.append([removal, name, f"{spent:.4f}", f"{spent / own:.1f}", _same(play)])
    return table


def _same(play) -> str:
    """Whether values are those of a batch in another order."""
    coalitions = all_coalitions(D)
    order = np.random.default_rng(0).permutation(len(coalitions))
    difference = np.abs(play(coalitions[order]) - play(coalitions)[order]).max()
    return "yes" if difference < 1e-9 else f"no, off by up to {difference:.2g}"


def main(folder: Path) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(ROWS, D)) @ (np.eye(D) + 0.3)
    names = tuple(f"x{j}" for j in range(D))
    split = {"train": np.arange(ROWS), "test": np.arange(0)}
    dataset = Dataset("drawn", rows, None, names, split, "generated")
    table = measure(contestants(dataset, rows.mean(axis=0) + 0.5))
    text = (
        "# Removals\n\n"
        f"Processor seconds for all {2**D:,} coalitions of one explicand, d = {D}, the model "
        "next to free; values are off in units of its output, which is the sum of the features. "
        f"{machine()} shap {shap.__version__}, shapiq {shapiq.__version__}. Written "
        "by `benchmarks/removals.py`.\n\n" + markdown(HEADER, table, names=2) + "\n"
    )
    (folder / "removals.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
