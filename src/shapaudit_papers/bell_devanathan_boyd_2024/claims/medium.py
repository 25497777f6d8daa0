"""Results of the paper's medium experiment for two kinds of permutations."""

from shapaudit.statistics.limits import UNBOUNDED, Limit
from shapaudit.statistics.ranks import factor_limits, least_units
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_ratios
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling

SETTING = (
    "the medium experiment: 100 features, 100,000 training and test rows, up to 8,192 feature "
    "chains"
)
DIFFERS = "on one new draw of its data, with Sobol points in four independent sequences"

Drawn = tuple[str, int]  # permutations and number of chains


def factor(evidence: Evidence, first: Drawn, second: Drawn, alpha: float) -> Limit | None:
    """Return the error of the first runs over that of the second, or None for too few runs."""
    runs = {(row["permutations"], row["chains"]): row["errors"] for row in evidence["medium"]}
    above, below = (runs.get(drawn, ()) for drawn in (first, second))
    if min(len(above), len(below)) < least_units(alpha):
        return None
    kinds = [f"{kind}, {chains} chains" for kind, chains in (first, second)]
    name = f"error of {kinds[0]}, over {kinds[1]}, 100 features"
    ratio = factor_limits(above, below, alpha)
    return Limit(name, ratio.estimate, ratio.low, ratio.high, 1 - alpha)


def at_most_chains(
    evidence: Evidence, first: str, second: str, alpha: float
) -> tuple[int, Limit | None]:
    """Return the largest number of chains with enough runs, and `factor` there.

    The result is 0 and None where there is none.
    """
    for chains in sorted({row["chains"] for row in evidence["medium"]}, reverse=True):
        limit = factor(evidence, (first, chains), (second, chains), alpha)
        if limit is not None:
            return chains, limit
    return 0, None


def between(limit: Limit) -> str:
    """Return a ratio and its limits in words."""
    if limit.high == UNBOUNDED:
        return f"{show(limit.estimate)} (too few units for limits)"
    return f"{show(limit.estimate)} (limits {show(limit.low)} to {show(limit.high)})"


def ruling(limit: Limit | None, opening: str, below: float) -> Ruling:
    """Return whether a ratio is below a bound in the setting; ``opening`` begins the sentence."""
    if limit is None:
        return Ruling(
            "inconclusive", "The study has too few runs with 100 features for confidence limits."
        )
    return Ruling(by_ratios([limit], below), f"{opening} {between(limit)}, {DIFFERS}.")
