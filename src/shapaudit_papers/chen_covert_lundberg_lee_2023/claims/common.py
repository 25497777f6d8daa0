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
    """What tells a game of the paper's own experiments from the others, in words."""
    return TREES.get(game, game)


def ratio_rows(
    pairs: Mapping[str, tuple[np.ndarray, np.ndarray]], alpha: float
) -> dict[str, Evidence]:
    """Rows by case: error over error on a typical unit, from squared errors (n,) of both.

    The limits hold for all cases together; ``high_alone`` is a limit of the case alone.
    """
    exponents = np.array([[0.5, -0.5]])
    groups = [Group(np.column_stack(columns), exponents) for columns in pairs.values()]
    return {
        name: {"case": name, "worlds": len(group.units), **found.row(), "error": found.word}
        for (name, group), (found,) in zip(
            zip(pairs, groups, strict=True), typical_limits(groups, alpha), strict=True
        )
    }
