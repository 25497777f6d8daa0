"""How evidence decides: a rule for each kind of claim, apart from the words of any verdict.

`identity` compares exact numbers, `ratios` errors with limits, for all of them together or each on
its own, `bound` limits with what they must not exceed, `coverage` shares with a nominal level. Each
says what would refute a claim and what would support it; `tell` puts the decision into the words
that a claim has for it.
"""

from .bound import by_bound
from .coverage import by_coverage
from .identity import by_identity
from .ratios import by_own_limits, by_ratios
from .telling import tell

__all__ = ["by_bound", "by_coverage", "by_identity", "by_own_limits", "by_ratios", "tell"]
