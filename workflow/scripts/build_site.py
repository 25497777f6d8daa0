"""Build the study's site: its pages, and copies of its figures."""

import shutil
from pathlib import Path

from shapaudit_audit.conformance.record import read_record
from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report import headlines
from shapaudit_audit.report.contributions import advice, originals, situations, surveys
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.overhead import seconds_beside
from shapaudit_audit.report.removals import removal_studies
from shapaudit_audit.report.site import content
from shapaudit_audit.report.site.models import scored
from shapaudit_audit.report.site.page import Contents, render
from shapaudit_audit.report.tasks import compare_tasks
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.reading import load_scores, read_study

logger = log_to(snakemake.log[0])
asked = snakemake.params.asked
study = read_study(snakemake.input.study)
findings = Findings(asked["results"], study, asked["published"])
tasks, earlier = study.compared(), study.on_games_of_papers()
figures = content.figures([Path(path) for path in snakemake.input.figures], asked["declared"])
contents = Contents(
    study=study,
    provenance=findings.provenance,
    compared=compare_tasks(findings, tasks),
    earlier=compare_tasks(findings, earlier) if earlier else None,
    audit=findings.audit if study.reported else None,
    papers=content.papers(findings.audit, PAPERS, registry(), findings.verified)
    if study.reported
    else (),
    figures=figures,
    originals=content.originals(findings, originals(), figures) if study.reported else {},
    models=scored(study, load_scores(findings.results, study.models_of(tasks | earlier))),
    advice=advice(),
    situations=situations() if study.reported else (),
    removals=removal_studies(findings.results, study, study.removal_studies),
    surveys=surveys(findings.audit) if study.reported else (),
    conformance=read_record() if study.reported else None,
    overhead=seconds_beside(snakemake.input.overhead) if study.reported else {},
    documents=asked["documents"],
)
lines = headlines.findings(contents.comparisons, contents.audit)
text = "".join(f"{line}\n" for line in lines)
Path(snakemake.output.findings).write_text(text, encoding="utf-8")
folder = Path(snakemake.output.pages[0]).parent
for name, text in render(contents).items():
    (folder / name).write_text(text, encoding="utf-8")
    logger.info("%s: %d characters", name, len(text))
for source, copy in zip(snakemake.input.figures, snakemake.output.figures, strict=True):
    shutil.copyfile(source, copy)
