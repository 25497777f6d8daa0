"""Evidence on claim 1: sampling in pairs, exactly."""

from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import integer_games, small_dimensions, vector_cases
from shapaudit_papers.theory.pairing import Parts, draw_parts, walk_parts
from shapaudit_papers.theory.random_order import listed_variances

from .common import ENUMERATED, majority, parity_of_three


def gather_always(context: Context, parts=walk_parts) -> Evidence:
    """Exact ratios by game, and the variances of all permutations beside those of the parts."""
    cases, ratios = [], {}
    dimensions = small_dimensions(context, ENUMERATED)
    for label, _, values in integer_games(context, "field26-01", dimensions=dimensions):
        plain, paired = listed_variances(values)
        variances = parts(values)
        cases += vector_cases(f"{label}, walk", plain, variances.plain)
        cases += vector_cases(f"{label}, pair", paired, variances.odd)
        if len(values) > 4:
            ratios[label] = _ratios(values, variances)
    odd = [d for d in range(3, context.settings.brute_force_dimension + 1) if d % 2]
    for d in odd:
        for name, values in (("majority", majority(d)), ("parity of 3", parity_of_three(d))):
            variances = walk_parts(values)
            if d <= ENUMERATED:
                cases += vector_cases(
                    f"{name}, d = {d}", listed_variances(values)[1], variances.odd
                )
            ratios[f"{name}, d = {d}"] = _ratios(values, variances)
    return {"cases": cases, "ratios": ratios}


def _ratios(values, walked: Parts) -> tuple[Fraction, Fraction, Fraction]:
    single, fitted = draw_parts(values), draw_parts(values, fitted=True)
    walk_ratio, single_ratio, fitted_ratio = (
        Fraction(part.ratio().item()) for part in (walked, single, fitted)
    )
    return walk_ratio, single_ratio, fitted_ratio
