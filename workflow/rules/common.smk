"""What all rules share: the validated configuration, the planned jobs, and places of files."""

from functools import partial

from shapaudit_audit import jobs
from shapaudit_audit.papers import PAPERS, ROLES
from shapaudit_audit.report.labels import check_labels
from shapaudit_audit.study.config import check_keys, validate
from shapaudit_audit.study.dependencies import forget_stale_kernels
from shapaudit_audit.study.outside import check_outside
from shapaudit_audit.study.overlays import ConfigError, resolve
from shapaudit_audit.study.places import REMOVAL_TABLES, Places
from snakemake.exceptions import WorkflowError


# Snakemake documents no way to learn these two; nothing else here that it does not document is used.
def configuration_files():
    """Files that the configuration was read from, the later over the earlier."""
    return workflow.configfiles


def planned_jobs():
    """Jobs of the run, by the names of their rules and their wildcards."""
    return [(job.rule.name, dict(job.wildcards.items())) for job in workflow.dag.needrun_jobs()]


try:
    check_keys(configuration_files())
    resolve(config, configuration_files())
    study = validate(config, ROLES)
    check_labels(study)
    check_outside(study)
except ConfigError as error:
    raise WorkflowError(str(error)) from error

forget_stale_kernels()

PLAN = jobs.Plan(config, str(PROJECT))
STUDY = PLAN.study
ask = partial(jobs.ask, PLAN)  # functions of wildcards, by a class of jobs

RESULTS = STUDY.results
LOGS = RESULTS.replace("results", "logs", 1)
BENCHMARKS = f"{LOGS}/benchmarks"

# Files of the study. The base seed is a wildcard: {run} is empty for that of the study, and
# "repetitions/<seed>/" for another one, under which what the claims look at is there once more.
FILES = Places(RESULTS)
OF_RUN = Places(RESULTS, "{run}")


def one_of(names):
    """Constraint of a wildcard to some names."""
    return "|".join(names) or "none"


wildcard_constraints:
    run=r"(repetitions/\d+/)?",
    paper=one_of(PAPERS),
    dataset=one_of(STUDY.datasets),
    model=one_of(STUDY.models),
    removal=one_of(STUDY.removals),
    game=one_of(STUDY.games),
    experiment=one_of(STUDY.experiments),
    batch=one_of(STUDY.estimators),
    removal_study=one_of(STUDY.removal_studies),
    path=one_of(STUDY.paths),
    architecture=one_of(STUDY.architectures),
    explanation=one_of(STUDY.explanation_studies),
    first=one_of(name for study in STUDY.explanation_studies.values() for name in study.models),
