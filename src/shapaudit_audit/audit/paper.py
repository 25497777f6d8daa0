"""Papers, as the project describes them before it reads any result."""

from dataclasses import dataclass

from ..study.roles import Role

__all__ = ["OURS", "Paper", "Role"]

OURS = "this project"


@dataclass(frozen=True)
class Paper:
    """A source of claims; one key names it everywhere.

    Attributes
    ----------
    key : name of its package, of its experiments' ``paper`` in a configuration, of its notebook,
        figures and evidence in the results, of its printed values in ``config/published``, and of
        its entry in the bibliography
    name : authors and year, for people
    year : of publication; papers are listed by it
    prefix : beginning of its claims' ids
    letter : short sign of its claims in the report
    title : as printed; "" for a source that is no single paper
    link, pdf, code : addresses of the paper, of a version of it that is free to read, and of its
        authors' public code
    section : label of the report under which its experiments are repeated
    roles : of its experiments; a study with a report has at least one experiment for each role
    published : whether ``config/published`` has its printed values, which its findings read
    reads : keys of the papers whose printed values its evidence reads
    evidence_from : the inputs of its evidence: "games" with tables, "own games" of its experiments
        that are not audited, "estimates" of the audited experiments that name the paper or none,
        "own estimates" of its experiments that are not audited
    findings_from : further inputs of its findings, beside the results of its experiments:
        "verdicts"
    """

    key: str
    name: str
    year: int
    prefix: str
    letter: str
    roles: tuple[Role, ...] = ()
    published: bool = False
    reads: tuple[str, ...] = ()
    evidence_from: tuple[str, ...] = ("games",)
    findings_from: tuple[str, ...] = ()
    title: str = ""
    link: str = ""
    pdf: str = ""
    code: str = ""
    section: str = ""
