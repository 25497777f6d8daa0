"""Build the study's page."""

from pathlib import Path

from shapaudit import site
from shapaudit.findings.benchmark import own_benchmark
from shapaudit.findings.whole import Findings
from shapaudit.statistics import summaries
from shapaudit.study.layout import reported
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log[0])
results = snakemake.params.results
study = summaries.load_study(snakemake.input.study)
found = Findings(Path(results), study, Path(snakemake.input.published).parent)
page = site.render(
    study,
    found.audit if reported(study) else None,
    found.benchmark if reported(study) else own_benchmark(results, study),
    found.provenance,
    [Path(path) for path in snakemake.input.figures],
    Path("workflow", "report"),
)
Path(snakemake.output[0]).write_text(page, encoding="utf-8")
logger.info("%d characters", len(page))
