"""Grah & Thouvenot 2020, in the HAL (proceedings) and the earlier arXiv version."""

from shapaudit.audit.paper import Paper, Role

# Experiments of which the text, a figure or a bound is about one by its name.
SPOKEN_OF = ("classification", "regression", "classification-large", "diabetes")

PAPER = Paper(
    key="grah_thouvenot_2020",
    name="Grah & Thouvenot 2020",
    year=2020,
    prefix="gt20",
    letter="GT",
    roles=(
        Role("comparison", experiments=SPOKEN_OF),
        Role("collapsed", alone=True),
    ),
    published=True,
    reads=("chen_covert_lundberg_lee_2023", "grah_thouvenot_2020"),
    evidence_from=("games", "estimates"),
)
