"""Write the page of where the judged estimators stand."""

from pathlib import Path

from shapaudit.judging.judgement import read
from shapaudit.judging.page import page
from shapaudit.judging.standing import checked_names, places
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
judgements = checked_names([read(path) for path in snakemake.input])
Path(snakemake.output[0]).write_text(page(judgements, places(judgements)), encoding="utf-8")
logger.info("%d estimators", len(judgements))
