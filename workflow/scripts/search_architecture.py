"""Train perceptrons of random architectures, and rank them by their validation accuracy."""

from shapaudit.datasets import Dataset
from shapaudit.models.architectures import search
from shapaudit.seeding import derive_seed
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
name, spec = snakemake.wildcards.architecture, snakemake.params.spec
widths = range(spec["widths"]["from"], spec["widths"]["to"] + 1, spec["widths"]["step"])
seed = derive_seed(snakemake.params.seed, "architectures", name) % 2**31
ranking = search(
    Dataset.load(snakemake.input.dataset),
    spec["count"],
    spec["layers"],
    widths,
    seed,
    spec.get("params", {}),
)
content = {"dataset": spec["dataset"], "ranking": ranking}
write_document(snakemake.output[0], content, indent=2, sort_keys=True)
logger.info("%s: best %s", name, ranking[0])
