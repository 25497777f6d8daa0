"""Write what the report's sources refer to: the values of the prose, and the tables."""

from itertools import chain
from pathlib import Path

import pandas as pd

from shapaudit_audit.papers import PAPERS
from shapaudit_audit.report import audit, latex
from shapaudit_audit.report.artifact import artifact_table
from shapaudit_audit.report.contributions import guest_bibliographies, guest_sections, sources
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.sources import sources_table, table_sources, tables, values
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.reading import read_study

logger = log_to(snakemake.log[0])
asked = snakemake.params.asked
findings = Findings(asked["results"], read_study(snakemake.input.study), asked["published"])

known = sources()
texts, made = values(findings, known), tables(findings, known)
parts = (
    audit.consequence_macros(),
    audit.letters(PAPERS.values()),
    latex.definitions(texts),
    table_sources(made, known),
    guest_bibliographies(),
)
Path(snakemake.output.values).write_text("".join(parts), encoding="utf-8")
generated = dict(chain.from_iterable(own.items() for own in made.values()))
generated["sources"] = sources_table(texts, made, known)
article, minutes = Path(snakemake.input.article[0]), Path(snakemake.input.minutes)
generated["artifact"] = artifact_table(texts, known, article, minutes)
generated["guests"] = guest_sections()
folder = Path(snakemake.output.tables)
folder.mkdir()
for name, text in generated.items():
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
rows = [
    (key, text, source.name, " ".join(source.rules), " ".join(source.files))
    for source in known
    for key, text in texts[source.name].items()
]
record = pd.DataFrame(rows, columns=["value", "text", "source", "rules", "files"])
record.to_csv(snakemake.output.record, index=False)
logger.info("%d values, %d tables", len(record), len(generated))
