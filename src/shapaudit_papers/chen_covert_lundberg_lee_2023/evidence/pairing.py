"""Evidence on claim 3: antithetic sampling, predicted from a game's odd and even parts, and run."""

import numpy as np

from shapaudit.estimators import (
    AntitheticMonteCarlo,
    KernelSHAP,
    OptimisedMonteCarlo,
    PairedKernelSHAP,
)
from shapaudit.games import TabularGame
from shapaudit.samplers.random_games import KINDS, draw_varying
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory.allocation import by_variance, contribution_variances, two_stages
from shapaudit_papers.theory.pairing import draw_parts, walk_parts

from .common import PLAYERS as DATA_PLAYERS
from .common import SAMPLES, printed_errors, printed_explicands, published

METHODS = {
    "random order": (OptimisedMonteCarlo(), AntitheticMonteCarlo()),
    "least squares": (KernelSHAP(), PairedKernelSHAP()),
}
DATA = "diabetes"
VARIANTS = {"ANTI": ("ME", "MEF", "RO", "ROF", "LS"), "ADAPT": ("MEF", "ROF")}  # of the tables
PLAYERS = 9  # an odd number, so that a majority has no even part
BUDGET = 2 * PLAYERS * 30 + 2
RUNS = 100
CELLS = 1 << 22  # values of coalitions looked at together
# Squared errors below this, for games of size 1, are those of the arithmetic.
SQUARED_ERROR_ROUNDING = 1e-24


def squared_errors(values: np.ndarray, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Squared errors (runs, 4): walks, walks in pairs, KernelSHAP, paired KernelSHAP."""
    game, truth = TabularGame(values), shapley_from_table(values)
    errors = [
        np.square(estimator.estimate(game, BUDGET, rng).values - truth).sum()
        for _ in range(runs)
        for pair in METHODS.values()
        for estimator in pair
    ]
    return np.array(errors).reshape(runs, -1).clip(min=SQUARED_ERROR_ROUNDING)


@sampled
def gather_study(context: Context) -> Evidence:
    """Return exact ratios (explicands, 2) of the variance in pairs over the variance without.

    They are those of the study's games and of the paper's own models, whose first explicand is the
    one that the paper runs; for the latter also the factor of adaptive sampling at known
    variances. Beside them are the printed ratios.
    """
    adaptive = {
        name: two_stages(contribution_variances(values), by_variance)
        for name, values in printed_explicands(context).items()
    }
    table = published(context, "variance")
    printed = [
        table[DATA, f"{method}_ANTI", samples] / table[DATA, method, samples]
        for method in ("RO", "LS")
        for samples in SAMPLES
    ]
    return {
        "ratios": {study.name: exact_ratios(study) for study in context.study_games()},
        "own": {study.name: exact_ratios(study) for study in context.own},
        "adaptive": adaptive,
        "printed": printed,
        "tables": printed_variants(context),
    }


def exact_ratios(study: StudyGame) -> np.ndarray:
    """Return the ratios (explicands, 2) of a walk and of least squares."""
    ratios, block = [], max(1, CELLS >> study.n_players)
    for start in range(0, len(study.games), block):
        tables = np.array([game.values for game in study.games[start : start + block]])
        parts = walk_parts(tables), draw_parts(tables, fitted=True)
        ratios.append(np.column_stack([part.ratio() for part in parts]))
    return np.vstack(ratios)


def printed_variants(context: Context) -> list[Evidence]:
    """Return printed errors of antithetic and adaptive variants over those without, by cell."""
    errors = printed_errors(context)
    rows = []
    for data in DATA_PLAYERS:
        for kind, methods in VARIANTS.items():
            cells = [(data, name, n) for name in methods for n in SAMPLES]
            ratios = [
                errors[data, f"{name}_{kind}", n] / errors[data, name, n]
                for _, name, n in cells
                if (data, f"{name}_{kind}", n) in errors and (data, name, n) in errors
            ]
            row = {"data": data, "kind": kind, "cells": len(ratios)}
            row |= {"helped": sum(ratio < 1 for ratio in ratios)}
            rows.append(row | {"least": min(ratios), "median": float(np.median(ratios))})
            rows[-1]["largest"] = max(ratios)
    return rows


@sampled
def gather_kinds(context: Context) -> Evidence:
    """Return errors of runs and predicted ratios by kind of game, and the study's ratios.

    There is one game of each kind; the runs are the independent units.
    """
    runs = max(MINIMUM_UNITS, min(RUNS, context.settings.repetitions))
    errors, predicted = {}, {}
    for name, draw in KINDS.items():
        rng = context.generator("ccll23-03", name)
        values = draw_varying(draw, PLAYERS, rng)
        errors[name] = squared_errors(values, runs, rng)
        parts = walk_parts(values), draw_parts(values, fitted=True)
        predicted[name] = [float(part.ratio()) for part in parts]
    return context.once(gather_study) | {"errors": errors, "predicted": predicted}
