"""Evidence on claim 5: the variance bound of SVARM."""

from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_papers.theory.pairing import predecessor_weights
from shapaudit_papers.theory.svarm import harmonic, mean_reciprocal, size_law, summed_reciprocal

FEWEST = (2, 4)  # evaluations after the warm-up
PER_PLAYER = (2, 4, 10, 40, 100)


def gather_bound(context: Context, law: Callable[[int], list[Fraction]] = size_law) -> Evidence:
    """Laws of a served coalition; exact factors of the variance beside the bound's 2 H_d / T."""
    cases, rows = [], []
    settings = context.settings
    for d in range(2, settings.max_exact_dimension + 1):
        sizes = law(d)
        total = harmonic(d)
        terms = (p * Fraction(size, d) for size, p in enumerate(sizes, start=1))
        chance = sum(terms, Fraction(0))
        cases.append(Case(f"d = {d}, chance to be served", chance, 1 / total))
        for size, p in enumerate(sizes, start=1):
            # Given that a player is served, its coalition's others are a set before the player.
            probability = p * Fraction(size, d) / chance / comb(d - 1, size - 1)
            wanted = Fraction(factorial(size - 1) * factorial(d - size), factorial(d))
            cases.append(Case(f"d = {d}, size {size}", probability, wanted))
        counts = sorted({*FEWEST, *(d * n for n in PER_PLAYER)})
        rows += [_row(d, count, chance, total) for count in counts]
    for d in range(2, settings.brute_force_dimension + 1):
        weight = predecessor_weights(d).sum()
        cases.append(Case(f"d = {d}, all sets before a player", weight, Fraction(1)))
        for draws in range(1, 2 * d):
            sides = (
                summed_reciprocal(draws, 1 / Fraction(d)),
                mean_reciprocal(draws, Fraction(1, d)),
            )
            cases.append(Case(f"d = {d}, mean of 1/(1 + B), {draws} draws", *sides))
    return {"cases": cases, "rows": rows}


def _row(d, evaluations, chance, total):
    """T evaluations after the warm-up: T/2 coalitions for their members, T/2 for the others."""
    exact = mean_reciprocal(evaluations // 2, chance)
    bound = 2 * total / evaluations
    return {
        "players": d,
        "evaluations": evaluations,
        "exact": float(exact),
        "bound": float(bound),
        "share": float(exact / bound),
        "holds": exact <= bound,
    }
