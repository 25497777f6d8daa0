"""Check every registered claim against exact theory and the study's games."""

from pathlib import Path

import numpy as np

from shapaudit.claims import (
    Context,
    Settings,
    StudyEstimates,
    StudyGame,
    audit,
    document,
    select,
    write_json,
)
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log[0])
names = [Path(directory).name for directory in snakemake.input.games]
games = tuple(
    StudyGame.from_tables(name, np.load(Path(directory) / "tables.npy")[:count])
    for name, directory, count in zip(
        names, snakemake.input.games, snakemake.params.pairs, strict=True
    )
)
settings = Settings(**snakemake.params.settings)
results = Path(snakemake.output[0]).parents[1]
estimates = {
    experiment: StudyEstimates.load(results, experiment, block)
    for experiment, block in snakemake.params.experiments.items()
}
context = Context(snakemake.params.study, snakemake.params.seed, games, settings, estimates)
records = audit(select(), context)
write_json(snakemake.output[0], document(context, records), snakemake.input.schema)
for record in records:
    logger.info("%s: %s", record["id"], record["status"])
