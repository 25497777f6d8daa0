"""Estimators of this project and of other packages, under one signature.

Each maps a counted game, a budget and a generator to estimated Shapley values (d,). The knob of a
peer (distinct coalitions, passes, samples per feature) is set to the most that keeps within the
budget; the counted game refuses to go beyond it.
"""

import contextlib
import importlib.util
import io
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import shap
import shapiq
from shapkit.monte_carlo_shapley import MonteCarloShapley
from shapkit.sgd_shapley import SGDshapley

from shapaudit.estimators import create
from shapaudit.games import CountedGame

Contestant = Callable[[CountedGame, int, np.random.Generator], np.ndarray]

OURS: dict[str, tuple[str, dict]] = {
    "Plain Monte Carlo": ("plain-monte-carlo", {}),
    "Permutations": ("optimised-monte-carlo", {}),
    "Antithetic permutations": ("antithetic-monte-carlo", {}),
    "Cyclic permutations": ("random-order", {"permutations": "cyclic"}),
    "Williams squares": ("random-order", {"permutations": "williams"}),
    "Orthogonal permutations": ("random-order", {"permutations": "orthogonal"}),
    "Sobol walks": ("quasi-random-order", {"permutations": "sobol"}),
    "Permutohedron walks": ("quasi-random-order", {"permutations": "permutohedron"}),
    "Permutations by feature, antithetic": ("featurewise-order", {}),
    "Stratified sampling": ("stratified-sampling", {}),
    "SVARM": ("svarm", {}),
    "Stratified SVARM": ("stratified-svarm", {}),
    "Complementary contributions": ("complementary-contributions", {}),
    "Complementary contributions, Neyman": ("neyman-complementary", {}),
    "Multilinear": ("multilinear", {}),
    "Multilinear, halved": ("multilinear", {"halved": True}),
    "Multilinear, Gauss-Legendre": ("multilinear", {"grid": "gauss-legendre"}),
    "Multilinear, random q": ("random-multilinear", {}),
    "Multilinear by feature": ("featurewise-multilinear", {}),
    "PSGD, constant step as published": (
        "projected-sgd",
        {"step": "constant", "scale": 0.005, "average": "uniform"},
    ),
    "PSGD, 1/sqrt(t) step as published": (
        "projected-sgd",
        {"step": "inverse-sqrt", "scale": 0.05, "average": "uniform"},
    ),
    "PSGD, nothing to tune": (
        "projected-sgd",
        {"sampling": "projected", "step": "contracting", "average": "last", "paired": True},
    ),
    "KernelSHAP": ("kernel-shap", {}),
    "Paired KernelSHAP": ("paired-kernel-shap", {}),
    "Unbiased KernelSHAP": ("unbiased-kernel-shap", {}),
    "Unbiased KernelSHAP, pairs": ("unbiased-kernel-shap", {"paired": True}),
    "KernelSHAP, outer sizes in full": (
        "stratified-least-squares",
        {"sizes": "kernel", "distinct": False},
    ),
    "Leverage SHAP": ("stratified-least-squares", {}),
    "Polynomial, order 2": ("polynomial-least-squares", {"order": 2, "paired": False}),
    "Polynomial, order 3, pairs": ("polynomial-least-squares", {"order": 3}),
    "Odd Fourier": ("odd-fourier", {}),
    "Odd Fourier, trees": ("odd-fourier", {"support": "trees"}),
    "Regression-adjusted, trees": ("regression-adjusted", {}),
    "Auto": ("auto", {}),
}


def ours(name: str, params: dict) -> Contestant:
    """An estimator of this project."""
    estimator = create(name, params)
    return lambda game, budget, rng: estimator.estimate(game, budget, rng).values


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


@contextlib.contextmanager
def _global_state(rng: np.random.Generator):
    """Seed the global state that a peer draws from; keep its bars and warnings to itself."""
    np.random.seed(_seed(rng))  # noqa: NPY002
    with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def on_rows(game: CountedGame) -> Callable[[np.ndarray], np.ndarray]:
    """The game as a model of d features that are 1 for the explicand and 0 for the baseline."""
    return lambda rows: game(np.atleast_2d(np.asarray(rows)) > 0.5)


def with_shapiq(approximator: type, **params) -> Contestant:
    """An approximator of shapiq, whose budget counts the (distinct) coalitions it evaluates."""

    def estimate(game, budget, rng):
        def value(coalitions):
            return game(np.atleast_2d(np.asarray(coalitions, dtype=bool)))

        with _global_state(rng):
            peer = approximator(n=game.n_players, random_state=_seed(rng), **params)
            result = peer.approximate(budget, value)
        return np.array([result[(player,)] for player in range(game.n_players)])

    return estimate


def with_pairs_of_all_sizes(game, budget, rng):
    """KernelSHAP of shapiq with the pairs and the sizes of Leverage SHAP (Musco & Witter 2025)."""
    sizes = np.ones(game.n_players + 1)
    peer = with_shapiq(shapiq.KernelSHAP, pairing_trick=True, sampling_weights=sizes)
    return peer(game, budget, rng)


def _ones_and_zeros(game) -> np.ndarray:
    return np.stack([np.ones(game.n_players), np.zeros(game.n_players)])[:, None]


def with_kernel_explainer(game, budget, rng):
    """All d features are kept, where shap keeps ten; the end points are counted beside nsamples."""
    ones, zeros = _ones_and_zeros(game)
    with _global_state(rng):
        peer = shap.KernelExplainer(on_rows(game), zeros)
        return peer.shap_values(ones, nsamples=budget - 2, l1_reg=False, silent=True)[0]


def with_permutation_explainer(game, budget, rng):
    """Passes of a permutation forwards and backwards."""
    ones, zeros = _ones_and_zeros(game)
    masker = shap.maskers.Independent(zeros)
    with _global_state(rng):
        peer = shap.PermutationExplainer(on_rows(game), masker, seed=_seed(rng))
        return peer(ones, max_evals=budget, silent=True).values[0]


def with_sampling_explainer(game, budget, rng):
    """A sample is two evaluations.

    Beyond 100 samples per feature there is a second stage, whose rounding may take a sample more
    for each feature.
    """
    ones, zeros = _ones_and_zeros(game)
    samples, d = (budget - 2) // 2, game.n_players
    samples -= d if samples > 100 * d else 0
    with _global_state(rng):
        peer = shap.SamplingExplainer(on_rows(game), zeros)
        return peer.shap_values(ones, nsamples=samples, silent=True)[0]


def _series(game) -> tuple[pd.Series, pd.Series]:
    names = [f"x{player}" for player in range(game.n_players)]
    return tuple(pd.Series(row[0], index=names) for row in _ones_and_zeros(game))


def with_shapkit_walks(game, budget, rng):
    """Permutations of d evaluations each, and the baseline once."""
    explicand, baseline = _series(game)
    value = on_rows(game)
    with _global_state(rng):
        return MonteCarloShapley(
            explicand,
            lambda row: float(value(row)[0]),
            baseline,
            n_iter=(budget - 1) // game.n_players,
            seed=_seed(rng),
        ).to_numpy()


def with_shapkit_sgd(game, budget, rng, step_type: str, step: float):
    """One evaluation a step, and the end points."""
    explicand, baseline = _series(game)
    value = on_rows(game)
    with _global_state(rng):
        peer = SGDshapley(game.n_players, C=1)
        return peer.sgd(
            explicand,
            lambda row: float(value(row)[0]),
            baseline,
            n_iter=budget - 2,
            step=step,
            step_type=step_type,
        ).to_numpy()


# Approximators that older versions of shapiq, those for Python 3.11, do not have.
NEWER: dict[str, tuple[str, dict]] = {
    "LeverageSHAP": ("LeverageSHAP", {}),
    "PolySHAP, order 2": ("PolySHAP", {"max_order": 2}),
    "PolySHAP, order 3, pairs": ("PolySHAP", {"max_order": 3, "pairing_trick": True}),
    "OddSHAP": ("OddSHAP", {}),
    "RegressionMSR": ("RegressionMSR", {"index": "SV"}),
    "ProxySHAP": ("ProxySHAP", {"index": "SV", "max_order": 1, "adjustment": True}),
    "ProxySHAP, 5 folds": (
        "ProxySHAP",
        {"index": "SV", "max_order": 1, "adjustment": True, "k_folds": 5},
    ),
}
# Those that need an extra of shapiq, and a package that only the extra brings.
EXTRA: dict[str, tuple[str, dict]] = {"ShaplEIG": ("gpytorch", {"show_progress": False})}


def newer_of_shapiq() -> dict[tuple[str, str], Contestant]:
    """Those of NEWER that the installed shapiq has, and those of EXTRA whose extra is installed."""
    with_extra = {
        name: (name, params)
        for name, (package, params) in EXTRA.items()
        if importlib.util.find_spec(package)
    }
    return {
        ("shapiq", label): with_shapiq(getattr(shapiq.approximator, name), **params)
        for label, (name, params) in (NEWER | with_extra).items()
        if hasattr(shapiq.approximator, name)
    }


PEERS: dict[tuple[str, str], Contestant] = {
    ("shap", "KernelExplainer, all features"): with_kernel_explainer,
    ("shap", "PermutationExplainer"): with_permutation_explainer,
    ("shap", "SamplingExplainer"): with_sampling_explainer,
    ("shapiq", "KernelSHAP"): with_shapiq(shapiq.KernelSHAP),
    ("shapiq", "KernelSHAP, pairs"): with_shapiq(shapiq.KernelSHAP, pairing_trick=True),
    ("shapiq", "KernelSHAP, pairs, leverage sizes"): with_pairs_of_all_sizes,
    ("shapiq", "kADDSHAP, order 2"): with_shapiq(shapiq.kADDSHAP, max_order=2),
    ("shapiq", "kADDSHAP, order 2, pairs"): with_shapiq(
        shapiq.kADDSHAP, max_order=2, pairing_trick=True
    ),
    ("shapiq", "kADDSHAP, order 3, pairs"): with_shapiq(
        shapiq.kADDSHAP, max_order=3, pairing_trick=True
    ),
    ("shapiq", "PermutationSamplingSV"): with_shapiq(shapiq.PermutationSamplingSV),
    ("shapiq", "StratifiedSamplingSV"): with_shapiq(shapiq.StratifiedSamplingSV),
    ("shapiq", "OwenSamplingSV"): with_shapiq(shapiq.OwenSamplingSV),
    ("shapiq", "SVARM (stratified)"): with_shapiq(shapiq.SVARM),
    ("shapiq", "SVARM (stratified), pairs"): with_shapiq(shapiq.SVARM, pairing_trick=True),
    ("shapiq", "UnbiasedKernelSHAP"): with_shapiq(shapiq.UnbiasedKernelSHAP),
    ("shapiq", "UnbiasedKernelSHAP, pairs"): with_shapiq(
        shapiq.UnbiasedKernelSHAP, pairing_trick=True
    ),
    **newer_of_shapiq(),
    ("shapiq", "SPEX"): with_shapiq(shapiq.SPEX, index="SV", max_order=1),
    ("shapiq", "ProxySPEX"): with_shapiq(shapiq.ProxySPEX, index="SV", max_order=1),
    ("shapkit", "MonteCarloShapley"): with_shapkit_walks,
    ("shapkit", "SGDshapley, constant step"): partial(
        with_shapkit_sgd, step_type="constant", step=0.01
    ),
    ("shapkit", "SGDshapley, 1/sqrt(t) step"): partial(
        with_shapkit_sgd, step_type="sqrt", step=0.1
    ),
}


def contestants() -> dict[tuple[str, str], Contestant]:
    """All of them by package and name."""
    own = {("shapaudit", label): ours(*spec) for label, spec in OURS.items()}
    return {**own, **PEERS}


OF_THE_SUITE = {
    "shapaudit": (
        "Auto",
        "Antithetic permutations",
        "Paired KernelSHAP",
        "Leverage SHAP",
        "Polynomial, order 2",
        "Polynomial, order 3, pairs",
        "Odd Fourier",
        "Odd Fourier, trees",
        "Regression-adjusted, trees",
    ),
    "shap": ("KernelExplainer, all features", "PermutationExplainer"),
    "shapiq": (
        "KernelSHAP, pairs",
        "PermutationSamplingSV",
        "SVARM (stratified)",
        "LeverageSHAP",
        "PolySHAP, order 2",
        "PolySHAP, order 3, pairs",
        "OddSHAP",
        "RegressionMSR",
        "ProxySHAP, 5 folds",
        *EXTRA,
    ),
}


def suite_contestants() -> dict[tuple[str, str], Contestant]:
    """The best of every kind, and what people run today; of EXTRA those that are installed."""
    every = contestants()
    return {
        (package, name): every[package, name]
        for package, names in OF_THE_SUITE.items()
        for name in names
        if name not in EXTRA or (package, name) in every
    }
