"""Okhrati & Lipani 2021."""

from shapaudit.audit.paper import Paper, Role

PAPER = Paper(
    key="okhrati_lipani_2021",
    name="Okhrati & Lipani 2021",
    year=2021,
    prefix="ol21",
    letter="O",
    roles=(
        Role("samples", estimators=("optimised-mc", "owen", "halved-owen")),
        Role("suite", estimators=("optimised-mc",)),
        Role("maps", estimators=("optimised-mc", "halved-owen")),
    ),
    published=True,
    evidence_from=("games", "own games"),
    reads=("okhrati_lipani_2021",),
)
