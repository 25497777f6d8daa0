"""Ask one package about all cases."""

from collections import Counter
from pathlib import Path

from shapaudit_audit.conformance.run import ask, rows_of, write
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
adapter = Path(snakemake.input.adapter)
python = f"{snakemake.input.environment}/bin/python"
rows = rows_of(adapter, ask(adapter, python, Path(snakemake.input.enumerated)))
logger.info("%s", dict(Counter(row["verdict"] for row in rows)))
write(Path(snakemake.output[0]), rows)
