"""What the claims of this paper share: where they are printed, the published tables."""

from functools import partial

from shapaudit.audit.base import Claim

from .. import PAPER

TABLE_1 = "Table 1, caption"
AGNOSTIC = "Section 5.2.1"
BENCHMARK = "Section 5.2.2"
APPENDIX = "Appendix A.2"

claim = partial(Claim, paper=PAPER.key)

TREES = {"chen-diabetes": "10 trees", "chen-diabetes-hundred": "100 trees"}


def trees(game: str) -> str:
    """What tells a game of the paper's own experiments from the others, in words."""
    return TREES.get(game, game)
