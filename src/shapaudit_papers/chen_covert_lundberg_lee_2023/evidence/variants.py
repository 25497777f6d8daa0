"""Evidence on claim 22: antithetic against adaptive sampling, as printed and on exact games."""

from collections.abc import Callable

import numpy as np

from shapaudit.games import all_coalitions
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.allocation import by_variance, contribution_variances, two_stages
from shapaudit_papers.theory.pairing import walk_parts

from .common import PLAYERS as DATA_PLAYERS
from .common import SAMPLES, printed_errors

PLAYERS = (4, 8, 12, 16)


def star(n_players: int) -> np.ndarray:
    """Return values (2^d,) of a game where the first player earns 1 with each other player."""
    members = all_coalitions(n_players)
    return members[:, 0] * members[:, 1:].sum(axis=1).astype(float)


def gather_variants(context: Context, game: Callable[[int], np.ndarray] = star) -> Evidence:
    """Return printed errors of antithetic over adaptive variants, and exact factors of both."""
    errors = printed_errors(context)
    printed = []
    for data in DATA_PLAYERS:
        ratios = [
            errors[data, f"{name}_ANTI", n] / errors[data, f"{name}_ADAPT", n]
            for name in ("MEF", "ROF")
            for n in SAMPLES
            if all((data, f"{name}_{kind}", n) in errors for kind in ("ANTI", "ADAPT"))
        ]
        row = {"data": data, "cells": len(ratios), "antithetic": sum(x < 1 for x in ratios)}
        printed.append(row | {"least": min(ratios), "largest": max(ratios)})
    rows = []
    for d in PLAYERS:
        values = game(d)
        row = {"players": d, "antithetic": float(walk_parts(values).ratio())}
        rows.append(row | {"adaptive": two_stages(contribution_variances(values), by_variance)})
    return {"printed": printed, "rows": rows}
