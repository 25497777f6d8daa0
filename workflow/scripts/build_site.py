"""Build the study's page."""

from pathlib import Path

from shapaudit.papers import PAPERS, registry
from shapaudit.report import site
from shapaudit.report.findings import Findings
from shapaudit.report.site import content
from shapaudit.report.site.models import scored
from shapaudit.report.tasks import compare_tasks
from shapaudit.study.layout import compared, models_of, reported
from shapaudit.study.logs import log_to
from shapaudit.study.reading import load_scores, load_study

logger = log_to(snakemake.log[0])
study = load_study(snakemake.input.study)
found = Findings(snakemake.params.results, study, snakemake.params.published)
page = site.render(
    study,
    found.provenance,
    compare_tasks(found, compared(study)),
    content.papers(found.audit, PAPERS, registry(), found.verified) if reported(study) else [],
    content.counts(found.audit, PAPERS) if reported(study) else [],
    [Path(path) for path in snakemake.input.figures],
    scored(study, load_scores(snakemake.params.results, models_of(study, compared(study)))),
)
Path(snakemake.output[0]).write_text(page, encoding="utf-8")
logger.info("%d characters", len(page))
