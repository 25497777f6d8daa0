"""Write where the results come from: commit, versions, machine, seed, configuration."""

from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.provenance import collect
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
asked = snakemake.params.asked
told = collect(record(Study, asked["study"]), asked["git"])
write_document(snakemake.output[0], told, indent=2, sort_keys=True)
logger.info("commit %s", told["git"]["commit"])
