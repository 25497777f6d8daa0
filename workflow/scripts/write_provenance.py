"""Write where the results come from: commit, versions, machine, seed, configuration."""

import json
from pathlib import Path

from shapaudit.study.logs import log_to
from shapaudit.study.provenance import collect

logger = log_to(snakemake.log[0])
record = collect(snakemake.params.study, snakemake.params.git)
text = json.dumps(record, indent=2, sort_keys=True)
Path(snakemake.output[0]).write_text(text + "\n", encoding="utf-8")
logger.info("commit %s", record["git"]["commit"])
