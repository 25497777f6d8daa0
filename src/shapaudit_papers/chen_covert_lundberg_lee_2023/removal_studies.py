"""What the notebook and the report read of the studies of removals."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.removals import RemovalStudy, removal_studies
from shapaudit_audit.study.blocks.study import part_of

from . import PAPER


def load(findings: Findings) -> list[RemovalStudy]:
    """The studies of removals that name this paper; none where the configuration has none."""
    names = list(part_of(findings.study.removal_studies, PAPER.key))
    return removal_studies(findings.results, findings.study, names)
