"""Evidence on claim 6: how many evaluations it takes to be exact on additive games."""

from fractions import Fraction

from shapaudit.estimators import Estimator, OptimisedMonteCarlo
from shapaudit.games import AdditiveGame
from shapaudit.samplers import sample_sizes, uniform_subsets
from shapaudit.samplers.sizes import kernel_sizes
from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, vector_cases
from shapaudit_papers.theory.recovery import full_rank_probability, rank_of

WALK = OptimisedMonteCarlo()
LISTED = (3, 4)  # players for whom all samples are listed
SAMPLED = (10, 16)
SHARES = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))  # pairs per player


def walk_cases(context: Context, estimator: Estimator) -> list[Case]:
    """Estimates at d + 1 evaluations and weights of additive games, integers throughout."""
    cases: list[Case] = []
    for d in range(1, context.settings.max_exact_dimension + 1):
        weights = random_integers(context, "field26-06", d, count=d).astype(float)
        rng = context.generator("field26-06", "walk", d)
        values = estimator.estimate(AdditiveGame(weights, offset=1.0), d + 1, rng).values
        # Sums of small integers are exact in floating point.
        cases += vector_cases(f"d = {d}", rationals(values), rationals(weights))
    return cases


def gather_ranks(context: Context, rank=rank_of, estimator: Estimator = WALK) -> Evidence:
    """Estimates of one walk, and chances of full rank: exact for few players, or by sampling."""
    exact = {d: full_rank_probability(d, d) for d in LISTED}
    counts = []
    trials = context.settings.repetitions
    for d in SAMPLED:
        rng = context.generator("field26-06", "ranks", d)
        for share in SHARES:
            draws = int(share * d)
            sizes = sample_sizes(kernel_sizes(d), trials * draws, rng)
            members = uniform_subsets(sizes, d, rng).reshape(trials, draws, d)
            full = int((rank(members.astype(float)) == d - 1).sum())
            counts.append({"players": d, "pairs": draws, "full": full, "trials": trials})
    return {"exact": exact, "counts": counts, "walks": walk_cases(context, estimator)}
