"""What the claims share: how a claim of this paper is made."""

from functools import partial

from shapaudit_audit.audit.base import Claim

from .. import PAPER

V2 = "arXiv v2"

claim = partial(Claim, paper=PAPER.key)
