"""Papers and roles that a configuration names, and the roles that a report requires."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shapaudit.parameters import hint

from .blocks.base import OfPaper
from .blocks.runs import ExperimentBlock
from .blocks.study import Study, part_of


@dataclass(frozen=True)
class Role:
    """The purpose for which the findings on a paper use experiments.

    Attributes
    ----------
    name : as a configuration has it
    alone : whether it is for a single experiment
    experiments : names of experiments that the text and figures of the report require
    estimators : names of estimators that each of its experiments has to run
    reference : name of the reference estimator in the text of the report, if any
    """

    name: str
    alone: bool = False
    experiments: tuple[str, ...] = ()
    estimators: tuple[str, ...] = ()
    reference: str | None = None


Roles = Mapping[str, Mapping[str, Role]]  # by paper and name


def role_faults(config: Study, roles: Roles) -> list[str]:
    """Faults of a study's papers and roles; ``roles`` are the known roles by paper.

    A study with a report has an experiment for every role of every paper, and a single one for
    roles that stand ``alone``. These run the estimators that the report discusses.
    """
    faults = [
        fault
        for where, block in config.entries()
        if isinstance(block, OfPaper)
        for fault in _faults_of_one(where, block, roles)
    ]
    return faults or [*_lacking(config, roles), *_unfit(config, roles)]


def _faults_of_one(where: str, block: OfPaper, roles: Roles) -> Iterator[str]:
    paper, role = block.paper, getattr(block, "role", None)
    if paper is None:
        if role is not None:
            yield f"{where}: role {role!r} needs paper, the key of the paper that it is a role for"
    elif paper not in roles:
        yield f"{where}: unknown paper {paper!r}{hint(paper, roles)}; known: {', '.join(roles)}"
    elif role is not None and role not in roles[paper]:
        known = ", ".join(roles[paper]) or "none"
        yield f"{where}: unknown role {role!r}{hint(role, roles[paper])}; {paper} has: {known}"


def _lacking(config: Study, roles: Roles) -> Iterator[str]:
    if not config.reported:
        return
    there = {(experiment.paper, experiment.role) for experiment in config.experiments.values()}
    for paper, wanted in roles.items():
        if lacking := [role for role in wanted if (paper, role) not in there]:
            yield (
                f"experiments: the report needs one with paper: {paper} for each role of "
                f"{', '.join(wanted)}; there is none for {', '.join(lacking)}; add "
                f"one, as the paper's page says; a study of your own names no paper"
            )


def _unfit(config: Study, roles: Roles) -> Iterator[str]:
    """Faults of the experiments of the roles: too many of them, or missing parts."""
    for paper, wanted in roles.items():
        own = part_of(config.experiments, paper)
        for role in wanted.values():
            named = {
                name: experiment for name, experiment in own.items() if experiment.role == role.name
            }
            if named:
                yield from _unfit_for(role, paper, named)


def _unfit_for(role: Role, paper: str, named: Mapping[str, ExperimentBlock]) -> Iterator[str]:
    what = f"role {role.name!r} of {paper}"
    if role.alone and len(named) > 1:
        yield (
            f"experiments: {', '.join(named)} have the {what}, which one experiment has; leave it "
            "out of the others"
        )
    if missing := [name for name in role.experiments if name not in named]:
        yield (
            f"experiments: the report speaks of {', '.join(missing)} with the {what}; change what "
            "it runs, but keep its name and role"
        )
    for name, experiment in named.items():
        where = f"experiments.{name}"
        if missing := [key for key in role.estimators if key not in experiment.estimators]:
            yield (
                f"{where}: the {what} needs the estimator {', '.join(missing)}, by this name; add "
                "it to estimators and to the experiment"
            )
        elif role.reference not in (None, experiment.compared_with):
            yield (
                f"{where}: the report compares the experiments of the {what} with "
                f"{role.reference}; say reference: {role.reference}"
            )
