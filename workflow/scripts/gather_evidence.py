"""Gather the evidence for the claims of one paper; in a repetition, only what rests on samples."""

from pathlib import Path

from shapaudit_audit.audit.context import Context, StudyEstimates, StudyGame
from shapaudit_audit.audit.evidence import evidence_in, gather_all, is_sampled, write_evidence
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.claims import Settings
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.collection_base import read_tables
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
paper, asked = snakemake.wildcards.paper, snakemake.params.asked


def tabulated(folders, explicands):
    """The games of some folders, with as many explicands each as evidence looks at."""
    return tuple(
        StudyGame.from_tables(Path(folder).name, read_tables(folder)[:count])
        for folder, count in zip(folders, explicands, strict=True)
    )


games = tabulated(snakemake.input.games, asked["explicands"])
results = Path(snakemake.output[0]).parents[1]
estimates = {
    name: StudyEstimates.load(results, name, block, asked["players"][name])
    for name, block in records(ExperimentBlock, asked["experiments"]).items()
}
published = {Path(path).stem: path for path in snakemake.input.published}
context = Context(
    asked["study"],
    asked["seed"],
    games,
    record(Settings, asked["settings"]),
    estimates,
    published,
    own=tabulated(snakemake.input.own, asked["own_explicands"]),
)
functions = evidence_in(asked["package"])
if snakemake.wildcards.run:
    functions = {key: gather for key, gather in functions.items() if is_sampled(gather)}
pieces = gather_all(functions, context, paper)
path, schema = snakemake.output[0], snakemake.input.schema
write_evidence(path, paper, asked["study"], asked["seed"], pieces, schema)
logger.info("%s: %d pieces", paper, len(pieces))
