"""What all rules share: the validated configuration, folders, and who depends on which code."""

import re
import shutil
from functools import cache

from shapaudit_audit.papers import PAPERS, ROLES, file_of, folder_of, package_of, sections, sources
from shapaudit_audit.report.labels import check_labels
from shapaudit_audit.study.config import check_keys, validate
from shapaudit_audit.study.dependencies import code_digest, forget_stale_kernels
from shapaudit_audit.study.fresh_seeds import repetition_seeds
from shapaudit_audit.study.layout import (
    REMOVAL_TABLES,
    TABULATED_PLAYERS,
    audited,
    batches,
    explanation_batches,
    repeated,
    reported,
)
from shapaudit_audit.study.outside import check_outside
from shapaudit_audit.study.overlays import ConfigError, resolve
from shapaudit_audit.study.own import data_files, own_sources
from shapaudit_audit.study.own_estimators import estimator_files
from shapaudit_audit.study.own_explainers import explainer_files
from shapaudit_audit.study.own_removals import removal_files
from snakemake.exceptions import WorkflowError

CHECKING = workflow.is_main_process  # on a cluster each job plans anew, but need not check anew

try:
    if CHECKING:
        check_keys(workflow.configfiles)
    resolve(config, workflow.configfiles)
    if CHECKING:
        validate(config, ROLES)
        check_labels(config)
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
REPETITIONS = [f"repetitions/{seed}/" for seed in repetition_seeds(config)]

# What the evidence waits for goes first, then what the notebooks wait for.
FIRST, SECOND = 1000, 500

# Where the estimators say on their cards what tables, figures and the site tell of them.
CARDS = estimator_files(config["estimators"])
PAPER_FOLDERS = [sources(paper, "") for paper in PAPERS]
PAPER_CARDS = [sources(paper, "__init__.py") for paper in PAPERS]
REMOVAL_CARDS = [
    file for spec in config.get("removals", {}).values() for file in removal_files(spec)
]

STUDIED = config.get("explanation_studies", {})
REMOVAL_STUDIES = config.get("removal_studies", {})

HAS_LATEX = shutil.which("latexmk") is not None and shutil.which("pdflatex") is not None


wildcard_constraints:
    run=r"(repetitions/\d+/)?",
    paper="|".join(PAPERS),
    dataset="|".join(config["datasets"]),
    model="|".join(config["models"]),
    removal="|".join(config.get("removals", {})) or "none",
    game="|".join(config["games"]),
    experiment="|".join(config["experiments"]),
    batch="|".join(config["estimators"]),
    removal_study="|".join(config.get("removal_studies", {})) or "none",
    path="|".join(config.get("paths", {})) or "none",
    architecture="|".join(config.get("architectures", {})) or "none",
    explanation="|".join(STUDIED) or "none",
    first="|".join(name for study in STUDIED.values() for name in study["models"]) or "none",
    seed=r"\d+",


@cache  # many jobs run the same code, and following its imports takes longer than the rest of a plan
def code(script, *sources):
    """Digest of what a script or notebook runs: editing that reruns its rule.

    ``sources`` are what it runs or reads without an import statement: folders and files of the
    package, and files of one's own, whose contents count, whatever their times. Names follow the
    digest, so that it can be told what it is of.
    """
    digest = code_digest(Path(workflow.basedir, script), *sources)
    return " ".join([digest, script, *sources])


def code_of(script, *sources):
    """The same as a parameter, computed where a job asks for it: on a cluster each job plans anew."""
    return lambda wildcards: code(script, *sources)


def study_of(wildcards):
    """The configuration, or the part of it that a repetition runs."""
    return REPEATED if wildcards.run else config


def seed_of(wildcards):
    """The base seed."""
    return int(re.search(r"\d+", wildcards.run)[0]) if wildcards.run else config["seed"]


def experiment_of(wildcards):
    return study_of(wildcards)["experiments"][wildcards.experiment]


def without(block, *keys):
    """A block of the configuration without what no result of its rule depends on."""
    return {key: value for key, value in block.items() if key not in keys}


def setting_of(wildcards):
    """What an experiment asks of every estimator: adding one to it reruns no other."""
    others = ("estimators", "per_job", "reference", "audit", "keep", "paper", "role")
    return without(experiment_of(wildcards), *others)


def batch_of(wildcards):
    """Blocks of the estimators that share a job, by name."""
    return specs_of({"estimators": batches(experiment_of(wildcards))[wildcards.batch]})


def specs_of(block):
    """Blocks of the estimators that an experiment or a path names, by name; labels are reports'."""
    return {name: without(config["estimators"][name], "label") for name in block["estimators"]}


def game_sources(game):
    """What the model of a game is made of that is one's own, and what defines its removal."""
    spec = config["games"][game]
    removal = [spec["removal"]] if "removal" in spec else []
    files = [file for name in removal for file in removal_files(config["removals"][name])]
    return [*own_sources(config["models"][spec["model"]]), *files]


def read_by(specs):
    """Files that the estimators of these blocks read."""
    return [path for spec in specs.values() for path in data_files(spec)]


def studied_blocks(wildcards):
    """Blocks of what an explanation study names; labels are reports'."""
    study = STUDIED[wildcards.explanation]
    named = {
        key: {name: without(config[key][name], "label") for name in study.get(key, [])}
        for key in ("explainers", "estimators")
    }
    removal = config["removals"][study["removal"]] if "removal" in study else None
    return {"dataset": config["datasets"][study["dataset"]], "removal": removal} | named


def studied_sources(wildcards):
    """What defines the explainers, estimators and removal of an explanation study."""
    blocks = studied_blocks(wildcards)
    removal = removal_files(blocks["removal"]) if blocks["removal"] else []
    own = explainer_files(blocks["explainers"]), estimator_files(blocks["estimators"])
    return [*own[0], *own[1], *removal]


def removals_of(wildcards):
    """Blocks of the removals of a study that share a job, by name."""
    study = REMOVAL_STUDIES[wildcards.removal_study]
    return {
        name: config["removals"][name] for name in batches(study, "removals")[wildcards.removal]
    }


def removal_setting(wildcards):
    """What a study asks of every removal: adding one to it reruns no other."""
    study = REMOVAL_STUDIES[wildcards.removal_study]
    fewer = {
        name: study["fewer"][name]
        for name in removals_of(wildcards)
        if name in study.get("fewer", {})
    }
    return without(study, "removals", "per_job", "paper", "label", "fewer") | {"fewer": fewer}


def studied_model(wildcards):
    return REMOVAL_STUDIES[wildcards.removal_study]["model"]


def playing(wildcards):
    """Block of the estimator that plays the games of a study, by name."""
    return specs_of({"estimators": [REMOVAL_STUDIES[wildcards.removal_study]["estimator"]]})
