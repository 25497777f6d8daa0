"""Write what the report's sources refer to: the values of the prose, and the tables."""

from itertools import chain
from pathlib import Path

import pandas as pd

from shapaudit.report import audit, latex, sources
from shapaudit.report.findings import Findings
from shapaudit.study.logs import log_to
from shapaudit.study.reading import load_study

logger = log_to(snakemake.log[0])
results = Path(snakemake.params.results)
found = Findings(results, load_study(snakemake.input.study), Path(snakemake.params.published))

values, made = sources.values(found), sources.tables(found)
text = audit.verdict_colours() + latex.definitions(values) + sources.table_sources(made)
Path(snakemake.output.values).write_text(text, encoding="utf-8")
generated = dict(chain.from_iterable(texts.items() for texts in made.values()))
generated["sources"] = sources.sources_table(values, made)
folder = Path(snakemake.output.tables)
folder.mkdir()
for name, text in generated.items():
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
rows = [
    (key, text, source.name, " ".join(source.rules), " ".join(source.files))
    for source in sources.SOURCES
    for key, text in values[source.name].items()
]
record = pd.DataFrame(rows, columns=["value", "text", "source", "rules", "files"])
record.to_csv(snakemake.output.record, index=False)
logger.info("%d values, %d tables", len(record), len(generated))
