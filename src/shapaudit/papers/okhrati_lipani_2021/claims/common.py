"""What the claims of this paper share: where they are printed, its loops, games, exact errors."""

from functools import partial

from shapaudit.audit.base import Claim

from .. import PAPER

ALGORITHMS = "Algorithms 1 and 2"
APPENDIX = "Appendix A"
TABLE = "Table I and Section VI"
SYMMETRY = "Section IV.C"

claim = partial(Claim, paper=PAPER.key)
