"""Okhrati & Lipani 2021."""

from shapaudit.audit.paper import Paper

PAPER = Paper(
    key="okhrati_lipani_2021",
    name="Okhrati & Lipani 2021",
    year=2021,
    prefix="ol21",
    letter="O",
    roles=("samples", "suite", "maps"),
    published=True,
    evidence_from=("games", "own games"),
)
