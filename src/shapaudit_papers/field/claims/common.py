"""Sources of the field's claims, and games shared by their checks."""

from functools import partial

from shapaudit_audit.audit.base import Claim

from .. import PAPER

COVERT = "Covert & Lee 2021"
LEVERAGE = "Musco & Witter 2025"
SVARM = "Kolpaczki, Bengs, Muschalik & Huellermeier 2024"
POLYSHAP = "Fumagalli, Witter & Musco 2026"

claim = partial(Claim, paper=PAPER.key)
