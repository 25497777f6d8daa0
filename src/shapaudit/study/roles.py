"""Papers and roles that a configuration names: which there are, and which a report cannot lack."""

from collections.abc import Collection, Iterator, Mapping

from ..parameters import hint
from .layout import reported

BLOCKS = ("experiments", "paths", "architectures")  # whose entries may name a paper


def role_faults(config: Mapping, roles: Mapping[str, Collection[str]]) -> list[str]:
    """Faults of a study's papers and roles; ``roles`` are those that there are, by paper.

    A study that a report is about has an experiment for every role of every paper.
    """
    named = [
        (f"{block}.{name}", spec)
        for block in BLOCKS
        for name, spec in config.get(block, {}).items()
    ]
    faults = [fault for where, spec in named for fault in _faults_of_one(where, spec, roles)]
    return faults or list(_lacking(config, roles))


def _faults_of_one(
    where: str, spec: Mapping, roles: Mapping[str, Collection[str]]
) -> Iterator[str]:
    paper, role = spec.get("paper"), spec.get("role")
    if paper is None:
        if role is not None:
            yield f"{where}: role {role!r} needs paper, the key of the paper that it is a role for"
    elif paper not in roles:
        yield f"{where}: unknown paper {paper!r}{hint(paper, roles)}; known: {', '.join(roles)}"
    elif role is not None and role not in roles[paper]:
        known = ", ".join(roles[paper]) or "none"
        yield f"{where}: unknown role {role!r}{hint(role, roles[paper])}; {paper} has: {known}"


def _lacking(config: Mapping, roles: Mapping[str, Collection[str]]) -> Iterator[str]:
    if not reported(config):
        return
    there = {(one.get("paper"), one.get("role")) for one in config["experiments"].values()}
    for paper, wanted in roles.items():
        if lacking := [role for role in wanted if (paper, role) not in there]:
            yield (
                f"experiments: the report needs one with paper: {paper} for each role of "
                f"{', '.join(wanted)}; there is none for {', '.join(lacking)}; a study of your "
                f"own names no paper"
            )
