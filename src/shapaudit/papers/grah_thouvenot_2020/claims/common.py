"""Defaults shared by the claims of this paper."""

from functools import partial

from shapaudit.audit.base import Claim

from .. import PAPER

BOTH = "HAL and arXiv versions"

claim = partial(Claim, paper=PAPER.key)
