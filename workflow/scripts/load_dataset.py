"""Load or generate one dataset."""

from pathlib import Path

from shapaudit import datasets
from shapaudit.seeding import generator
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
name, spec = snakemake.wildcards.dataset, snakemake.params.spec
rng = generator(snakemake.params.seed, "dataset", name)
dataset = datasets.load(spec["loader"], spec.get("params", {}), rng)
dataset.save(Path(snakemake.output[0]))
logger.info("%s: %d rows, %d features", name, dataset.n_rows, dataset.n_features)
