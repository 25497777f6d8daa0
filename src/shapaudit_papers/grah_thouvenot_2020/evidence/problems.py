"""Least-squares problems of random games, shared by several functions that gather evidence."""

from collections.abc import Iterator

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.exact import integer_games, small_dimensions
from shapaudit_papers.theory.least_squares import LeastSquaresProblem, Weight


def random_problems(
    context: Context, weight: Weight, *names: str | int
) -> Iterator[tuple[str, LeastSquaresProblem]]:
    """Least-squares problems of random integer games, for each d of the brute-force range."""
    dimensions = small_dimensions(context, context.settings.brute_force_dimension)
    for label, _, values in integer_games(context, *names, dimensions=dimensions):
        yield label, LeastSquaresProblem(values, weight)
