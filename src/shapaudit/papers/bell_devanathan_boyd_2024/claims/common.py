"""What the claims share: published values, rational problems, games with exact values."""

from functools import partial

from shapaudit.audit.base import Claim
from shapaudit.theory.least_squares import rationals

from .. import PAPER
from ..evidence.common import (
    FEATURES,
    ROWS,
    exact_games,
    integer_part,
    integer_problems,
    published,
    quick,
)

V2 = "arXiv v2"

claim = partial(Claim, paper=PAPER.key)


__all__ = [
    "FEATURES",
    "ROWS",
    "V2",
    "claim",
    "exact_games",
    "integer_part",
    "integer_problems",
    "published",
    "quick",
    "rationals",
]
