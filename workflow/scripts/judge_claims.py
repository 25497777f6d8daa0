"""Judge every claim by the evidence; in a repetition, those that rest on samples."""

from pathlib import Path

from shapaudit_audit.audit.audit import audit, document, write_json
from shapaudit_audit.audit.evidence import KeptEvidence, is_sampled
from shapaudit_audit.papers import select
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
kept, fixed = (
    KeptEvidence({Path(path).stem: path for path in paths})
    for paths in (snakemake.input.evidence, snakemake.input.fixed)
)


def evidence_of(gather):
    """Evidence of the run; in a repetition, the study's where it rests on no sample."""
    own = is_sampled(gather) or not snakemake.wildcards.run
    return (kept if own else fixed).of(gather)


claims = [claim for claim in select() if claim.statistical or not snakemake.wildcards.run]
asked = snakemake.params.asked
records = audit(claims, evidence_of, asked["alpha"])
audited = document(asked["study"], asked["alpha"], records)
write_json(snakemake.output[0], audited, snakemake.input.schema)
for record in records:
    logger.info("%s: %s", record["id"], record["status"])
