"""What the claims of this paper share: where they are printed, the published tables."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.base import Claim
from shapaudit_audit.audit.evidence import Evidence

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
    """Return a game of the paper's own experiments in words, by the size of its model."""
    return TREES.get(game, game)


def ratio_rows(
    pairs: Mapping[str, tuple[np.ndarray, np.ndarray]], alpha: float
) -> dict[str, Evidence]:
    """Return rows with the ratio of two errors on a typical unit, from squared errors (n,).

    The limits hold for all cases together; ``high_alone`` is the upper limit of one case alone.
    """
    exponents = np.array([[0.5, -0.5]])
    groups = [Group(np.column_stack(columns), exponents) for columns in pairs.values()]
    return {
        name: {"case": name, "worlds": len(group.units), **ratio.row(), "error": ratio.word}
        for (name, group), (ratio,) in zip(
            zip(pairs, groups, strict=True), typical_limits(groups, alpha), strict=True
        )
    }
