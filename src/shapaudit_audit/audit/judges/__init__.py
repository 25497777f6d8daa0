"""Rules that turn evidence into a status, one for each kind of claim, without the words.

`identity` compares exact numbers; `ratios` compares errors by simultaneous or individual limits;
`bound` compares limits with a bound; `coverage` compares shares with a nominal level. Each rule
states what refutes a claim and what supports it. `tell` builds the verdict with its summary.
"""

from .bound import by_bound
from .coverage import by_coverage
from .identity import by_identity
from .ratios import by_own_limits, by_ratios
from .telling import tell

__all__ = ["by_bound", "by_coverage", "by_identity", "by_own_limits", "by_ratios", "tell"]
