"""Chen, Covert, Lundberg & Lee 2023."""

from shapaudit.audit.paper import Paper

PAPER = Paper(
    key="chen_covert_lundberg_lee_2023",
    name="Chen, Covert, Lundberg & Lee 2023",
    year=2023,
    prefix="ccll23",
    letter="C",
    roles=("protocol", "task", "best"),
    published=True,
    reads=("chen_covert_lundberg_lee_2023",),
)
