"""Load or generate one dataset."""

from pathlib import Path

from shapaudit import datasets
from shapaudit.seeding import generator
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.games import DatasetBlock
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.dataset, snakemake.params.asked
block = record(DatasetBlock, asked["dataset"])
rng = generator(asked["seed"], "dataset", name)
dataset = datasets.load(block.loader, block.params, rng)
dataset.save(Path(snakemake.output[0]))
logger.info("%s: %d rows, %d features", name, dataset.n_rows, dataset.n_features)
