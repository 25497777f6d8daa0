"""Games of sentences: players are words, and a classifier says which table a text describes.

The texts are scikit-learn's descriptions of the tables that it carries, line by line.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from shapaudit.games import all_coalitions

from .base import Entry, Solved, tabulated

Rng = np.random.Generator
DESCRIBED = ("breast_cancer", "diabetes", "digits", "iris", "linnerud", "wine")
TOGETHER = 3  # lines that make a text


def _linear():
    from sklearn.linear_model import LogisticRegression  # only where it is used

    return LogisticRegression(C=30.0, max_iter=300)


def _trees():
    from sklearn.ensemble import RandomForestClassifier  # only where it is used

    return RandomForestClassifier(40, random_state=0)


def _bayes():
    from sklearn.naive_bayes import MultinomialNB  # only where it is used

    return MultinomialNB(alpha=0.1)


MODELS: dict[str, Callable] = {"linear": _linear, "trees": _trees, "bayes": _bayes}


@cache
def texts() -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Texts of some lines, and the places in `DESCRIBED` of the tables that they are about."""
    from sklearn import datasets  # half a second, only where it is used
    from sklearn.feature_extraction.text import CountVectorizer

    words, found, labels = CountVectorizer().build_tokenizer(), [], []
    for label, name in enumerate(DESCRIBED):
        lines = getattr(datasets, f"load_{name}")().DESCR.lower().splitlines()
        lines = [line for line in lines if len(words(line)) > 1]
        for place in range(0, len(lines), TOGETHER):
            found.append(" ".join(words(" ".join(lines[place : place + TOGETHER]))))
            labels.append(label)
    return tuple(found), tuple(labels)


@cache
def _fitted(model: str):
    """The model of words weighted by their rarity, of unit length together."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # only where it is used
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfVectorizer(), MODELS[model]()).fit(*texts())


def _sentence(model: str, d: int, rng: Rng) -> Solved:
    """The chance of the table that the first d words of a text are about."""
    long = [
        (words, label)
        for text, label in zip(*texts(), strict=True)
        if len(words := list(dict.fromkeys(text.split()))) >= d
    ]
    words, label = long[rng.integers(len(long))]
    kept = [" ".join(np.array(words[:d])[row]) for row in all_coalitions(d)]
    return tabulated(_fitted(model).predict_proba(kept)[:, label])


def entries() -> Iterator[Entry]:
    """Texts of 10 to 14 words under three models."""
    for model, d in (("linear", 12), ("trees", 10), ("bayes", 13), ("linear", 14), ("trees", 12)):
        made = partial(_sentence, model, d)
        yield Entry(f"words-{model}-{d}", "words", d, made, wider=True)
