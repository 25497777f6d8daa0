"""Try to install packages, each in an environment of its own, and record what stops them."""

import json
import sys
from pathlib import Path

from shapaudit_audit.conformance.absent import tried
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
found = tried(Path(snakemake.input[0]), [sys.executable, "-m", "uv"], snakemake.params.python)
Path(snakemake.output[0]).write_text(json.dumps(found, indent=1), encoding="utf-8")
