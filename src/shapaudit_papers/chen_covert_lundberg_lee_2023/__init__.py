"""Chen, Covert, Lundberg & Lee 2023."""

from shapaudit_audit.audit.paper import Paper, Role

PAPER = Paper(
    key="chen_covert_lundberg_lee_2023",
    name="Chen, Covert, Lundberg & Lee 2023",
    year=2023,
    prefix="ccll23",
    letter="C",
    title="Algorithms to estimate Shapley value feature attributions",
    link="https://doi.org/10.1038/s42256-023-00657-x",
    pdf="https://arxiv.org/pdf/2207.07605",
    code="https://github.com/suinleelab/shapley_algorithms",
    section="sec:replication-chen",
    roles=(
        Role("protocol"),
        Role("task", reference="paired-kernel-shap"),
        Role("best", reference="paired-kernel-shap"),
    ),
    published=True,
    evidence_from=("games", "own games"),
    reads=("chen_covert_lundberg_lee_2023",),
)
