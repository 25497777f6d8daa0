"""Gather the evidence for the claims of one paper; in a repetition, only what rests on samples."""

from pathlib import Path

from shapaudit_audit.audit.context import Context, Settings, StudyEstimates, StudyGame
from shapaudit_audit.audit.evidence import evidence_in, gather_all, is_sampled, write_evidence
from shapaudit_audit.study.collection_base import read_tables
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
paper, params = snakemake.wildcards.paper, snakemake.params


def tabulated(folders, explicands):
    """The games of some folders, with as many explicands each as evidence looks at."""
    return tuple(
        StudyGame.from_tables(Path(folder).name, read_tables(folder)[:count])
        for folder, count in zip(folders, explicands, strict=True)
    )


games = tabulated(snakemake.input.games, params.explicands)
results = Path(snakemake.output[0]).parents[1]
estimates = {
    experiment: StudyEstimates.load(results, experiment, block, params.players[experiment])
    for experiment, block in params.experiments.items()
}
published = {Path(path).stem: path for path in snakemake.input.published}
context = Context(
    params.study,
    params.seed,
    games,
    Settings(**params.settings),
    estimates,
    published,
    own=tabulated(snakemake.input.own, params.own_explicands),
)
functions = evidence_in(params.package)
if snakemake.wildcards.run:
    functions = {key: gather for key, gather in functions.items() if is_sampled(gather)}
pieces = gather_all(functions, context, paper)
path, schema = snakemake.output[0], snakemake.input.schema
write_evidence(path, paper, params.study, params.seed, pieces, schema)
logger.info("%s: %d pieces", paper, len(pieces))
