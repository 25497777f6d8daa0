"""Write where the results come from: commit, versions, machine, seed, configuration."""

from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.provenance import collect
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
record = collect(snakemake.params.study, snakemake.params.git)
write_document(snakemake.output[0], record, indent=2, sort_keys=True)
logger.info("commit %s", record["git"]["commit"])
