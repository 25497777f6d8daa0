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


NAMES = {game: f"the paper's diabetes data with {told}" for game, told in TREES.items()} | {
    "diabetes": "diabetes with a model of ours"
}


def named(game: str) -> str:
    """A game in words, from its name in the configuration."""
    return NAMES.get(game, game)


def trees(game: str) -> str:
    """What tells a game of the paper's own experiments from the others, in words."""
    return TREES.get(game, game)
