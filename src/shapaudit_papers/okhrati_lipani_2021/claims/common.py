"""What the claims of this paper share: where they are printed, its loops, games, exact errors."""

from functools import partial

from shapaudit_audit.audit.base import Claim

from .. import PAPER

APPENDIX = "Appendix A"
TABLE = "Section VI, first paragraph; Table I"
SYMMETRY = "Section IV.C"

claim = partial(Claim, paper=PAPER.key)
