"""Write what the report's sources refer to: the values of the prose, and the tables."""

import json
from pathlib import Path

from shapaudit import tables
from shapaudit.findings import okhrati_lipani, reporting
from shapaudit.findings.benchmark import best_of_suite, load_benchmark
from shapaudit.findings.ls_spa import load_ls_spa
from shapaudit.statistics import summaries
from shapaudit.study.logs import log_to
from shapaudit.tables import regression

logger = log_to(snakemake.log[0])
results = snakemake.params.results
study = summaries.load_study(snakemake.input.study)
experiments = reporting.load_experiments(results, study, snakemake.input.published)
collapsed = reporting.load_collapsed(results, study, snakemake.input.published)
benchmark = load_benchmark(results, study, snakemake.input.benchmark)
replication = okhrati_lipani.load_replication(results, study, snakemake.input.okhrati)
audit = reporting.load_audit(results)
repetitions = reporting.load_repetitions(results, study)
scores = reporting.load_scores(results, study)
provenance = json.loads(Path(snakemake.input.provenance).read_text(encoding="utf-8"))

comparisons = tables.comparisons_of(study, experiments)
values = tables.values(
    study, experiments, comparisons, audit, scores, repetitions, collapsed, benchmark
)
ls_spa = load_ls_spa(results, study, audit)
values |= regression.values(ls_spa)
searches = reporting.load_architectures(results, study)
values |= tables.replication_values(replication, searches)
best = best_of_suite(results, study)
values |= tables.best_values(best)
text = tables.verdict_colours() + tables.definitions(values)
Path(snakemake.output.values).write_text(text, encoding="utf-8")
generated = tables.tables(experiments, comparisons, audit, provenance, collapsed, benchmark)
generated["benchmark_best"] = tables.best_table(best)
generated |= regression.tables(ls_spa)
generated |= tables.replication_tables(replication)
for path in map(Path, snakemake.output.tables):
    path.write_text(generated[path.stem], encoding="utf-8")
logger.info("%d values, %d tables, %d comparisons", len(values), len(generated), len(comparisons))
