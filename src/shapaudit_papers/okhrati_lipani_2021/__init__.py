"""Okhrati & Lipani 2021."""

from shapaudit_audit.audit.paper import Paper, Role

PAPER = Paper(
    key="okhrati_lipani_2021",
    name="Okhrati & Lipani 2021",
    year=2021,
    prefix="ol21",
    letter="O",
    title="A Multilinear Sampling Algorithm to Estimate Shapley Values",
    link="https://doi.org/10.1109/ICPR48806.2021.9412511",
    pdf="https://arxiv.org/pdf/2010.12082",
    code="https://github.com/aldolipani/OwenShap",
    section="sec:replication-okhrati",
    roles=(
        Role("samples", estimators=("optimised-mc", "owen", "halved-owen")),
        Role("suite", estimators=("optimised-mc",)),
        Role("maps", estimators=("optimised-mc", "halved-owen")),
    ),
    published=True,
    evidence_from=("games", "own games"),
    reads=("okhrati_lipani_2021",),
)
