"""Generated tables that resemble the larger ones of Chen, Covert, Lundberg and Lee (2023).

They stand in for data that cannot be had (NHANES I with 79 features) or need a download (blog posts
with 280). Everything is drawn from the generator: loadings and coefficients, then rows.
"""

import numpy as np

from ..parameters import check_count, listed
from ..registers import loader
from .base import Dataset, DatasetError, random_split

MINIMUM_FEATURES = 8  # as many carry the signal by name


@loader("generated", generated=True)
def load(rng: np.random.Generator, *, kind: str, n_rows: int, n_features: int) -> Dataset:
    """A table of one of two kinds.

    "survey", like a health survey: features correlated through common factors, a third of them
    rounded and a third cut to 0 or 1, and a rare binary outcome. "counts", like blog posts:
    non-negative integers, most of them 0, a tenth of the columns usually active and the others on
    few rows, so that two rows share most values, and a count with a heavy tail for target. In both,
    the target depends on few features and on interactions among them.

    Raises
    ------
    DatasetError
        For another kind, fewer than two rows, or fewer than eight features.
    """
    if kind not in _KINDS:
        raise DatasetError(
            f"dataset loader 'generated': unknown kind {kind!r}; the known ones are "
            f"{listed(_KINDS)}"
        )
    check_count("dataset loader 'generated': n_rows", n_rows, 2, DatasetError)
    check_count(
        "dataset loader 'generated': n_features", n_features, MINIMUM_FEATURES, DatasetError
    )
    features, target = _KINDS[kind](rng, n_rows, n_features)
    return Dataset(
        name=f"generated-{kind}",
        features=features,
        target=target,
        feature_names=tuple(f"x{j + 1}" for j in range(n_features)),
        split=random_split(n_rows, rng),
        provenance="generated",
    )


def _survey(rng: np.random.Generator, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    factors = max(d // 10, 1)
    loadings = rng.standard_normal((factors, d)) / np.sqrt(factors)
    latent = rng.standard_normal((n, factors)) @ loadings + rng.standard_normal((n, d))
    column = np.arange(d) % 3
    features = np.select([column == 1, column == 2], [np.round(latent), latent > 0], latent)
    signal = rng.permutation(d)[: max(d // 5, MINIMUM_FEATURES)]
    z = features[:, signal]
    effects = rng.choice([-1.0, 1.0], size=len(signal)) / np.sqrt(1 + np.arange(len(signal)))
    together = (z[:, 3] > 0) & (z[:, 4] > 0) & (z[:, 5] > 0)
    score = z @ effects + z[:, 0] * z[:, 1] + 2.0 * together - np.abs(z[:, 6] * z[:, 7]) - 3.0
    return features, rng.random(n) < 1.0 / (1.0 + np.exp(-score))


def _counts(rng: np.random.Generator, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    popularity = rng.standard_normal((n, 1))
    common = max(d // 10, 4)
    share = np.append(np.full(common, 0.75), 10.0 ** rng.uniform(-3.5, -0.7, size=d - common))
    active = rng.random((n, d)) < share * np.exp(0.5 * popularity - 0.125)
    features = active * (1 + rng.poisson(np.exp(0.5 + 0.8 * popularity), size=(n, d)))
    rate = np.log1p(features[:, :4])
    words = common + np.argsort(-share[common:])[: max((d - common) // 8, 4)]  # the frequent ones
    effects = rng.choice([-0.5, 0.5], size=len(words))
    bursts = active[:, words] @ effects
    log_mean = 1.2 * rate[:, 0] + 0.4 * rate[:, 1] * rate[:, 2] + 0.3 * bursts * rate[:, 3] - 2.0
    return features, rng.poisson(np.exp(6.0 * np.tanh(log_mean / 6.0)))


_KINDS = {"survey": _survey, "counts": _counts}
