"""Grah & Thouvenot 2020, in the HAL (proceedings) and the earlier arXiv version."""

from shapaudit_audit.audit.paper import Paper, Role

# Experiments of which the text, a figure or a bound is about one by its name.
SPOKEN_OF = ("classification", "regression", "classification-large", "diabetes")

PAPER = Paper(
    key="grah_thouvenot_2020",
    name="Grah & Thouvenot 2020",
    year=2020,
    prefix="gt20",
    letter="GT",
    title="A Projected Stochastic Gradient Algorithm for Estimating Shapley Value Applied in "
    "Attribute Importance",
    link="https://doi.org/10.1007/978-3-030-57321-8_6",
    pdf="https://hal.science/hal-03414720v1",
    code="https://github.com/ThalesGroup/shapkit",
    section="sec:replication-gt",
    roles=(
        Role("comparison", experiments=SPOKEN_OF),
        Role("collapsed", alone=True),
    ),
    published=True,
    reads=("chen_covert_lundberg_lee_2023", "grah_thouvenot_2020"),
    evidence_from=("games", "estimates"),
)
