"""Write what the report's sources refer to: the values of the prose, and the tables."""

import json
from pathlib import Path

from shapaudit import reporting, summaries, tables
from shapaudit.benchmark import load_benchmark
from shapaudit.logs import log_to

logger = log_to(snakemake.log[0])
results = snakemake.params.results
study = summaries.load_study(snakemake.input.study)
experiments = reporting.load_experiments(results, study, snakemake.input.published)
collapsed = reporting.load_collapsed(results, study, snakemake.input.published)
benchmark = load_benchmark(results, study, snakemake.input.benchmark)
audit = reporting.load_audit(results)
repetitions = reporting.load_repetitions(results, study)
scores = reporting.load_scores(results, study)
provenance = json.loads(Path(snakemake.input.provenance).read_text(encoding="utf-8"))

comparisons = tables.comparisons_of(study, experiments)
values = tables.values(
    study, experiments, comparisons, audit, scores, repetitions, collapsed, benchmark
)
text = tables.verdict_colours() + tables.definitions(values)
Path(snakemake.output.values).write_text(text, encoding="utf-8")
generated = tables.tables(experiments, comparisons, audit, provenance, collapsed, benchmark)
for path in map(Path, snakemake.output.tables):
    path.write_text(generated[path.stem], encoding="utf-8")
logger.info("%d values, %d tables, %d comparisons", len(values), len(generated), len(comparisons))
