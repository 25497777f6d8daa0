"""Build the study's page."""

import json
from pathlib import Path

from shapaudit import site
from shapaudit.findings import reporting
from shapaudit.findings.benchmark import load_benchmark, own_benchmark
from shapaudit.statistics import summaries
from shapaudit.study.layout import reported
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log[0])
results = snakemake.params.results
study = summaries.load_study(snakemake.input.study)
if reported(study):
    audit = reporting.load_audit(results)
    benchmark = load_benchmark(results, study, snakemake.input.published)
else:
    audit, benchmark = None, own_benchmark(results, study)
page = site.render(
    study,
    audit,
    benchmark,
    json.loads(Path(snakemake.input.provenance).read_text(encoding="utf-8")),
    [Path(path) for path in snakemake.input.figures],
    Path("workflow", "report"),
)
Path(snakemake.output[0]).write_text(page, encoding="utf-8")
logger.info("%d characters", len(page))
