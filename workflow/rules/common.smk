"""What all rules share: the validated configuration, folders, and who depends on which code."""

import re
import shutil

from shapaudit.papers import PAPERS, ROLES
from shapaudit.report.labels import check_labels
from shapaudit.study.config import check_keys, estimator_files, estimators_of, validate
from shapaudit.study.dependencies import code_digest, forget_stale_kernels, outside_files
from shapaudit.study.layout import TABULATED_PLAYERS, audited, batches, repeated, reported
from shapaudit.study.outside import check_outside
from shapaudit.study.overlays import ConfigError, resolve
from snakemake.exceptions import WorkflowError

try:
    check_keys(workflow.configfiles)
    resolve(config, workflow.configfiles)
    validate(config, ROLES)
    check_labels(config)
    if workflow.is_main_process:  # not again in every job
        check_outside(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from error

forget_stale_kernels()

RESULTS = config["results"]
LOGS = RESULTS.replace("results", "logs", 1)
BENCHMARKS = f"{LOGS}/benchmarks"

# The base seed is a wildcard: {run} is empty for that of the study, and "repetitions/<seed>/" for
# another one, under which the part of the study that the claims look at is there once more.
REPEATED = repeated(config) if "repetition" in config else {}
REPETITIONS = [f"repetitions/{seed}/" for seed in config.get("repetition", {}).get("seeds", [])]

# What the evidence waits for goes before what it does not look at.
FIRST = 1

# Where the estimators say on their cards what tables, figures and the site tell of them.
CARDS = estimator_files(config["estimators"])

HAS_LATEX = shutil.which("latexmk") is not None and shutil.which("pdflatex") is not None


wildcard_constraints:
    run=r"(repetitions/\d+/)?",
    paper="|".join(PAPERS),
    dataset="|".join(config["datasets"]),
    model="|".join(config["models"]),
    game="|".join(config["games"]),
    experiment="|".join(config["experiments"]),
    batch="|".join(config["estimators"]),
    path="|".join(config.get("paths", {})) or "none",
    architecture="|".join(config.get("architectures", {})) or "none",
    seed=r"\d+",


def code(script, *sources):
    """Digest of what a script or notebook runs of the package: editing that reruns its rule.

    ``sources`` are folders of the package and files that it imports without an import statement.
    Names follow the digest, so that it can be told what it is of.
    """
    digest = code_digest(Path(workflow.basedir, script), *sources)
    return " ".join([digest, script, *sources])


def study_of(wildcards):
    """The configuration, or the part of it that a repetition runs."""
    return REPEATED if wildcards.run else config


def seed_of(wildcards):
    """The base seed."""
    return int(re.search(r"\d+", wildcards.run)[0]) if wildcards.run else config["seed"]


def experiment_of(wildcards):
    return study_of(wildcards)["experiments"][wildcards.experiment]


def setting_of(wildcards):
    """What an experiment asks of every estimator: adding one to it reruns no other."""
    others = ("estimators", "per_job", "reference", "audit", "keep")
    return {key: value for key, value in experiment_of(wildcards).items() if key not in others}


def batch_of(wildcards):
    """Blocks of the estimators that share a job, by name."""
    names = batches(experiment_of(wildcards))[wildcards.batch]
    return {name: config["estimators"][name] for name in names}


def specs_of(block):
    """Blocks of the estimators that an experiment or a path names, by name."""
    return {name: config["estimators"][name] for name in block["estimators"]}


def own_files(block):
    """Files of one's own that a dataset or model is made of, given with its block."""
    params = block.get("params", {})
    function = outside_files(params["function"]) if "function" in params else []
    return [params["path"]] if "path" in params else [str(path) for path in function]


def own_code(specs):
    """Files of the estimators of these blocks that live outside the package."""
    names = [name for spec in specs.values() for name in estimators_of(spec)]
    return [str(path) for name in names for path in outside_files(name)]
