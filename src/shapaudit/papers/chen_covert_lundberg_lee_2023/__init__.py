"""Chen, Covert, Lundberg & Lee 2023."""

from shapaudit.audit.paper import Paper, Role

PAPER = Paper(
    key="chen_covert_lundberg_lee_2023",
    name="Chen, Covert, Lundberg & Lee 2023",
    year=2023,
    prefix="ccll23",
    letter="C",
    roles=(
        Role("protocol"),
        Role("task", reference="paired-kernel-shap"),
        Role("best", reference="paired-kernel-shap"),
    ),
    published=True,
    evidence_from=("games", "own games"),
    reads=("chen_covert_lundberg_lee_2023",),
)
