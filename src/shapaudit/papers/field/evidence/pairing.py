"""Evidence on claims 1 and 3: sampling in pairs, exactly."""

from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Case, Evidence
from shapaudit.audit.exact import integer_games, small_dimensions, vector_cases
from shapaudit.theory.least_squares import rationals, shapley_values
from shapaudit.theory.pairing import (
    Parts,
    draw_parts,
    split,
    walk_parts,
)

from .common import ENUMERATED, majority, parity_of_three


def listed_variances(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Variances (d,) of a walk and of its mean with its reverse, all permutations listed."""
    d = len(values).bit_length() - 1
    orders = list(permutations(range(d)))
    walks = np.array([_contributions(values, order) for order in orders])
    pairs = [(a + _contributions(values, o[::-1])) / 2 for a, o in zip(walks, orders, strict=True)]
    return _variance(walks), _variance(np.array(pairs))


def _contributions(values, order):
    contributions = rationals([0] * len(order))
    members = 0
    for player in order:
        contributions[player] = values[members | 1 << player] - values[members]
        members |= 1 << player
    return contributions


def _variance(rows):
    count = Fraction(len(rows))
    return (rows**2).sum(axis=0) / count - (rows.sum(axis=0) / count) ** 2


def gather_always(context: Context, parts=walk_parts) -> Evidence:
    """Exact ratios by game, and the variances of all permutations beside those of the parts."""
    cases, ratios = [], {}
    dimensions = small_dimensions(context, ENUMERATED)
    for label, _, values in integer_games(context, "field26-01", dimensions=dimensions):
        plain, paired = listed_variances(values)
        found = parts(values)
        cases += vector_cases(f"{label}, walk", plain, found.plain)
        cases += vector_cases(f"{label}, pair", paired, found.odd)
        if len(values) > 4:
            ratios[label] = _ratios(values, found)
    odd = [d for d in range(3, context.settings.brute_force_dimension + 1) if d % 2]
    for d in odd:
        for name, values in (("majority", majority(d)), ("parity of 3", parity_of_three(d))):
            if d <= ENUMERATED:
                cases += vector_cases(f"{name}, d = {d}", listed_variances(values)[1], _odd(values))
            ratios[f"{name}, d = {d}"] = _ratios(values, walk_parts(values))
    return {"cases": cases, "ratios": ratios}


def _odd(values):
    return walk_parts(values).odd


def _ratios(values, walked: Parts) -> tuple[Fraction, Fraction, Fraction]:
    draws = draw_parts(values), draw_parts(values, fitted=True)
    return tuple(Fraction(part.ratio().item()) for part in (walked, *draws))


def pair_mean(values: np.ndarray) -> np.ndarray:
    """Expectation (d,) of the unbiased KernelSHAP in pairs, over all coalitions.

    Half of d / (l (d - l) q_l) (v(S) - v(complement)) Px, with S from the kernel (Covert & Lee
    2021, Sections 3.3 and 4.2), q_l / C(d, l) its probability.
    """
    d = len(values).bit_length() - 1
    odd = split(values)[0]
    mean = rationals([Fraction(values[-1] - values[0], d)] * d)
    for index in range(1, len(values) - 1):
        size = index.bit_count()
        # The probability q cancels against the weight.
        share = Fraction(d, size * (d - size) * comb(d, size)) * odd[index]
        direction = [Fraction(index >> j & 1) - Fraction(size, d) for j in range(d)]
        mean = mean + share * rationals(direction)
    return mean


def gather_unbiased(context: Context, mean=pair_mean) -> Evidence:
    """Expectations of the estimates and Shapley values of random games, entry by entry."""
    cases: list[Case] = []
    games = 0
    dimensions = small_dimensions(context, ENUMERATED)
    for label, _, values in integer_games(context, "field26-03", dimensions=dimensions):
        cases += vector_cases(label, mean(values), shapley_values(values))
        games += 1
    return {"cases": cases, "games": games}
