"""Build the study's page."""

from pathlib import Path

from shapaudit.papers.chen_covert_lundberg_lee_2023.findings import own_benchmark
from shapaudit.report import site
from shapaudit.report.findings import Findings
from shapaudit.study import reading
from shapaudit.study.layout import reported
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log[0])
results = snakemake.params.results
study = reading.load_study(snakemake.input.study)
found = Findings(Path(results), study, Path(snakemake.params.published))
page = site.render(
    study,
    found.audit if reported(study) else None,
    found.benchmark if reported(study) else own_benchmark(results, study),
    found.provenance,
    [Path(path) for path in snakemake.input.figures],
)
Path(snakemake.output[0]).write_text(page, encoding="utf-8")
logger.info("%d characters", len(page))
