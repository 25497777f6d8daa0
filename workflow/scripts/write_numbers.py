"""Write what the report's sources refer to: the values of the prose, and the tables."""

from itertools import chain
from pathlib import Path

import pandas as pd

from shapaudit import tables
from shapaudit.findings.whole import Findings
from shapaudit.statistics.summaries import load_study
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log[0])
published = Path(snakemake.input.published[0]).parent
results = Path(snakemake.params.results)
found = Findings(results, load_study(snakemake.input.study), published)

values, made = tables.values(found), tables.tables(found)
text = tables.verdict_colours() + tables.definitions(values) + tables.table_sources(made)
Path(snakemake.output.values).write_text(text, encoding="utf-8")
generated = dict(chain.from_iterable(texts.items() for texts in made.values()))
generated["sources"] = tables.sources_table(values, made)
for path in map(Path, snakemake.output.tables):
    path.write_text(generated[path.stem], encoding="utf-8")
rows = [
    (key, text, source.name, " ".join(source.rules), " ".join(source.files))
    for source in tables.SOURCES
    for key, text in values[source.name].items()
]
record = pd.DataFrame(rows, columns=["value", "text", "source", "rules", "files"])
record.to_csv(snakemake.output.record, index=False)
logger.info("%d values, %d tables", len(record), len(generated))
