"""Train perceptrons of random architectures, and rank them by their validation accuracy."""

import json
from pathlib import Path

from shapaudit.datasets import Dataset
from shapaudit.models.architectures import search
from shapaudit.seeding import derive_seed
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log[0])
name, spec = snakemake.wildcards.architecture, snakemake.params.spec
widths = range(spec["widths"]["from"], spec["widths"]["to"] + 1, spec["widths"]["step"])
seed = derive_seed(snakemake.params.seed, "architectures", name) % 2**31
found = search(
    Dataset.load(snakemake.input.dataset),
    spec["count"],
    spec["layers"],
    widths,
    seed,
    spec.get("params", {}),
)
text = json.dumps({"dataset": spec["dataset"], "ranking": found}, indent=2, sort_keys=True)
Path(snakemake.output[0]).write_text(text + "\n", encoding="utf-8")
logger.info("%s: best %s", name, found[0])
