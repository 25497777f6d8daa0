"""Defaults shared by the claims of this paper."""

from functools import partial

from ..base import Claim

BOTH = "HAL and arXiv versions"

claim = partial(Claim, paper="grah-thouvenot-2020")
