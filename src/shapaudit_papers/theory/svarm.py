"""The law of the coalitions of SVARM, exactly (Kolpaczki et al. 2024)."""

from fractions import Fraction
from math import comb


def harmonic(n: int) -> Fraction:
    """H_n = 1 + 1/2 + ... + 1/n."""
    return sum((Fraction(1, k) for k in range(1, n + 1)), Fraction(0))


def size_law(n_players: int) -> list[Fraction]:
    """Probability of the sizes 1, ..., d of a coalition that serves its members: 1 / (s H_d)."""
    total = harmonic(n_players)
    return [1 / (size * total) for size in range(1, n_players + 1)]


def mean_reciprocal(draws: int, chance: Fraction) -> Fraction:
    """E[1 / (1 + B)] for B binomial: (1 - (1 - p)^(m + 1)) / ((m + 1) p)."""
    return (1 - (1 - chance) ** (draws + 1)) / ((draws + 1) * chance)


def summed_reciprocal(draws: int, chance: Fraction) -> Fraction:
    """E[1 / (1 + B)] for B binomial, summed over the probabilities of its values."""
    terms = (
        Fraction(comb(draws, k), k + 1) * chance**k * (1 - chance) ** (draws - k)
        for k in range(draws + 1)
    )
    return sum(terms, Fraction(0))
