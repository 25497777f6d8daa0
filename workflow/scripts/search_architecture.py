"""Train perceptrons of random architectures, and rank them by their validation accuracy."""

from shapaudit.datasets import Dataset
from shapaudit.models.architectures import search
from shapaudit.seeding import derive_seed
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.studies import ArchitectureBlock
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.architecture, snakemake.params.asked
block = record(ArchitectureBlock, asked["architecture"])
widths = range(block.widths.smallest, block.widths.largest + 1, block.widths.step)
seed = derive_seed(asked["seed"], "architectures", name) % 2**31
ranking = search(
    Dataset.load(snakemake.input.dataset),
    block.count,
    block.layers,
    widths,
    seed,
    block.params,
)
content = {"dataset": block.dataset, "ranking": ranking}
write_document(snakemake.output[0], content, indent=2, sort_keys=True)
logger.info("%s: best %s", name, ranking[0])
