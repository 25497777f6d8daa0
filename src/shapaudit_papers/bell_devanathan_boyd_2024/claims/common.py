"""What the claims share: published values, rational problems, games with exact values."""

from functools import partial

from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.base import Claim

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
