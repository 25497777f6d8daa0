"""Fit one removal to the training rows of a model's dataset."""

from shapaudit import datasets
from shapaudit.models import load_model
from shapaudit.removals import create
from shapaudit.seeding import generator
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.games import RemovalBlock
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
names, asked = snakemake.wildcards, snakemake.params.asked
block = record(RemovalBlock, asked["removal"])
removal = create(block.removal, block.params)
rng = generator(asked["seed"], "removal", names.model, names.removal)
model = load_model(snakemake.input.model)
fitted = removal.fit(model, datasets.read(snakemake.input.dataset), rng)
fitted.save(snakemake.output[0])
logger.info(
    "%s: %d rows of %s, %d of its own model",
    names.removal,
    fitted.fit_rows,
    names.model,
    fitted.auxiliary_fit_rows,
)
