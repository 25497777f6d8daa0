"""Build the bank of games that the library carries, from the recipes of the suite.

It has the games to develop on of at most 13 players; those that methods are judged by at the end
stay out of it. Models that another processor fits differ in the last digits, and so do the tables.
"""

import json

import numpy as np

from shapaudit.games import tabulate
from shapaudit.games.bank import INDEX, TABLES, digest
from solved_games import PARTS, Entry, entries

PLAYERS = 13  # a table of more would be as large as a third of the bank
SCIKIT_LEARN = "as scikit-learn carries them (UCI Machine Learning Repository, CC BY 4.0)"
SOURCES = {
    "diabetes": "442 patients of Efron, Hastie, Johnstone and Tibshirani (2004), as scikit-learn "
    "carries them",
    "wine": f"178 wines, {SCIKIT_LEARN}",
    "cancer": f"569 tumours, {SCIKIT_LEARN}",
    "patches": f"1,797 digits, {SCIKIT_LEARN}",
}
GENERATED = "generated (licence of this package)"


def chosen() -> list[Entry]:
    """Entries of the suite whose games are in the bank."""
    return [e for e in entries() if e.part == PARTS[0] and e.n_players <= PLAYERS]


def main() -> None:
    """Write the tables and the index of the bank."""
    index, arrays = {}, {}
    for entry in chosen():
        table, values = tabulate(entry.solved.game).values, entry.solved.values
        arrays |= {entry.name: table, f"{entry.name} values": values}
        index[entry.name] = {
            "kind": entry.kind,
            "players": entry.n_players,
            "source": SOURCES.get(entry.name.partition("-")[0], GENERATED),
            "sha256": digest(table, values),
        }
    TABLES.parent.mkdir(exist_ok=True)
    np.savez_compressed(TABLES, **arrays)
    INDEX.write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
