"""Train one model and report its score on the test rows."""

from pathlib import Path

from shapaudit import datasets, models
from shapaudit.seeding import derive_seed
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.games import ModelBlock
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.opened import opened_files, require_named
from shapaudit_audit.study.own import own_sources
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.model, snakemake.params.asked
block = record(ModelBlock, asked["model"])
dataset = datasets.read(snakemake.input.dataset)
seed = derive_seed(asked["seed"], "model", name) % 2**31
params = dict(block.params)
if block.trainer == "least-squares":  # which no result depends on
    params.setdefault("threads", snakemake.threads)
with opened_files() as opened:
    model = models.train(block.trainer, dataset, params, seed)
require_named(f"models.{name}", own_sources(block), opened)
model.save(Path(snakemake.output.model))

if isinstance(model, models.LeastSquares):  # it has seen the test rows, which need not exist
    score, remark, n_test = model.own_score(), "", model.n_test
else:
    rows, target = dataset.rows("test")
    (score, remark), n_test = models.held_out_score(model, rows, target), len(rows)
content = {"trainer": block.trainer, "dataset": block.dataset, "test_rows": n_test}
content |= {"score": score, "remark": remark}
write_document(snakemake.output.score, content, indent=2, sort_keys=True)
logger.info("%s: %s", name, score or "no score")
