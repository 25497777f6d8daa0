"""Evidence on claim 21: what the exact values cost."""

from shapaudit.games import CountedGame, TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

COUNTED = (2, 5, 10)  # players of the games whose evaluations are counted
PER_COALITION = 2  # evaluations, as printed
PRINTED = 30  # players of the paper's example


def gather_enumeration(context: Context, rounds: int = 1) -> Evidence:
    """Return the evaluations of v that all Shapley values take.

    Every coalition is evaluated ``rounds`` times.
    """
    rows = []
    for d in COUNTED:
        values = context.generator("gt20-21", d).integers(-9, 10, size=1 << d)
        game = CountedGame(TabularGame(values.astype(float)))
        for _ in range(rounds):
            table = game(all_coalitions(d))
        difference = shapley_from_table(table) - shapley_values(values.tolist()).astype(float)
        rows.append(
            {"players": d, "coalitions": 1 << d, "evaluations": game.evaluations}
            | {"largest_difference": float(abs(difference).max())}
        )
    return {"rows": rows, "per_coalition": PER_COALITION, "printed_players": PRINTED}
