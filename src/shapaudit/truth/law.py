"""Shapley values of conditional games under a known law: closed forms, a second way, draws.

Up to 14 players all coalitions are enumerated; beyond, random orders are walked.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..games import ConditionalGame, GameError, all_coalitions
from ..games.conditional import closed_form
from ..games.expectations.numerical import numerical_expectation
from ..samplers import uniform_permutations
from ..statistics.moments import RunningMoments
from .base import Truth, TruthError
from .enumeration import shapley_from_table

MOST_PLAYERS = 14
BLOCK_ROWS = 1 << 17  # rows that the model gets at a time, about


def population_of(game: object, most: int | None = MOST_PLAYERS) -> ConditionalGame:
    """The conditional game of the population: the game itself, or what it names ``population``.

    Raises `TruthError` for another game, and beyond so many players, where there is a limit.
    """
    population = getattr(game, "population", game)
    if not isinstance(population, ConditionalGame):
        raise TruthError(
            f"the truth by a law needs data that were drawn from one, which game "
            f"{getattr(game, 'name', type(game).__name__)} ({type(game).__name__}) lacks; choose a "
            "dataset loader whose name ends in '-law', or another method"
        )
    if most is not None and population.n_players > most:
        raise TruthError(
            f"the truth by a law enumerates coalitions: {most} players at most, not "
            f"{population.n_players}"
        )
    return population


def law_shapley(game: object, rng: np.random.Generator, draws: int = 1000) -> Truth:
    """Exact values of a closed form; without one a reference from ``draws`` pairs of draws.

    Beyond 14 players it is a reference from ``draws`` random orders. Raises `TruthError` for a game
    without a law, or below two draws.
    """
    population = population_of(game, None)
    if population.n_players > MOST_PLAYERS:
        return walked_shapley(population, rng, draws)
    if population.expectation is None:
        return drawn_shapley(population, rng, draws)
    values = population(all_coalitions(population.n_players))
    return Truth(shapley_from_table(values), "exact", "law")


def numerical_shapley(game: object) -> Truth:
    """The closed form's values a second way, see `games.expectations.numerical`.

    Raises `GameError` where there is no closed form.
    """
    population = population_of(game)
    closed_form(population)
    expectation = numerical_expectation(population.law, population.model)
    if expectation is None:
        raise GameError("the closed form of this law and model has no second way")
    table = expectation.values(population.explicand[None], all_coalitions(population.n_players))
    return Truth(shapley_from_table(table[0]), "exact", "law, numerically")


def drawn_shapley(game: ConditionalGame, rng: np.random.Generator, draws: int) -> Truth:
    """Mean Shapley values of games of one antithetic pair of exact conditional draws each.

    Every pair of every game is independent, so the game is the unit of the standard errors. Each
    value is unbiased, the Shapley values are linear in them. Any law, any model; raises
    `TruthError` below two games.
    """
    if draws < 2:
        raise TruthError(f"standard errors need at least 2 draws, not {draws}.")
    d = game.n_players
    coalitions = all_coalitions(d)
    laws = [game.law.given(own, game.explicand[own]) for own in coalitions]
    moments = RunningMoments(d)
    block = max(BLOCK_ROWS // (2 << d), 1)
    for start in range(0, draws, block):
        tables = _tables(game, coalitions, laws, rng, min(block, draws - start))
        moments.update(np.stack([shapley_from_table(table) for table in tables]))
    return Truth(moments.mean, "reference", "law, by draws", moments.standard_errors())


def walked_shapley(game: ConditionalGame, rng: np.random.Generator, orders: int) -> Truth:
    """Mean contributions along random orders, each value from one antithetic pair of exact draws.

    Every pair is independent and every value unbiased, the model's output on the explicand itself
    at the end of each order; the order is the unit of the standard errors. Any law, any model and
    any number of players; raises `TruthError` below two orders.
    """
    if orders < 2:
        raise TruthError(f"standard errors need at least 2 orders, not {orders}.")
    d = game.n_players
    moments = RunningMoments(d)
    block = max(BLOCK_ROWS // (2 * d), 1)
    for start in range(0, orders, block):
        permutations = uniform_permutations(min(block, orders - start), d, rng)
        places = np.argsort(permutations, axis=1)
        prefixes = places[:, None] < np.arange(d + 1)[:, None]
        steps = np.diff(_drawn_values(game, prefixes.reshape(-1, d), rng).reshape(-1, d + 1))
        moments.update(np.take_along_axis(steps, places, axis=1))
    return Truth(moments.mean, "reference", "law, along orders", moments.standard_errors())


def _drawn_values(
    game: ConditionalGame, coalitions: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Values (m,) of coalitions (m, d), each the mean over one antithetic pair of draws."""
    rows = np.tile(game.explicand, (len(coalitions), 2, 1))
    for own, pair in zip(coalitions, rows, strict=True):
        law = game.law.given(own, game.explicand[own])
        uniforms = rng.random(law.n_uniforms)
        pair[:, ~own] = law.from_uniforms(np.stack([uniforms, 1 - uniforms]))
    outputs = game.model.predict(rows.reshape(-1, game.n_players))
    return outputs.reshape(-1, 2).mean(axis=1)


def _tables(
    game: ConditionalGame,
    coalitions: np.ndarray,
    laws: Sequence[Any],
    rng: np.random.Generator,
    count: int,
) -> np.ndarray:
    """Values (count, 2^d) of games of one antithetic pair each."""
    rows = np.tile(game.explicand, (len(laws), 2, count, 1))
    for own, law, part in zip(coalitions, laws, rows, strict=True):
        uniforms = rng.random((count, law.n_uniforms))
        part[0][:, ~own] = law.from_uniforms(uniforms)
        part[1][:, ~own] = law.from_uniforms(1 - uniforms)
    outputs = game.model.predict(rows.reshape(-1, game.n_players))
    return outputs.reshape(len(laws), 2, count).mean(axis=1).T
