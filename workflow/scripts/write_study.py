"""Write the configuration that the results were made with, for notebooks and report to read."""

from pathlib import Path

import yaml

from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
text = yaml.safe_dump(dict(snakemake.params.study), sort_keys=False, allow_unicode=True)
Path(snakemake.output[0]).write_text(text, encoding="utf-8")
logger.info("study %s", snakemake.params.study["study"])
