"""What all rules share: the validated configuration, folders, and who depends on which code."""

import shutil

from shapaudit.config import ConfigError, validate
from shapaudit.dependencies import outside_files, package_files
from snakemake.exceptions import WorkflowError

try:
    validate(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from error

RESULTS = config["results"]
LOGS = RESULTS.replace("results", "logs", 1)
BENCHMARKS = f"{LOGS}/benchmarks"

HAS_LATEX = shutil.which("latexmk") is not None and shutil.which("pdflatex") is not None


wildcard_constraints:
    dataset="|".join(config["datasets"]),
    model="|".join(config["models"]),
    game="|".join(config["games"]),
    experiment="|".join(config["experiments"]),
    estimator="|".join(config["estimators"]),


def code(script):
    """Files of the package that a script or notebook runs: editing one of them reruns its rule."""
    root = Path(workflow.basedir)
    return [str(path.relative_to(root)) for path in package_files(root / script)]


def own_code(estimator):
    """The file of an estimator that lives outside the package."""
    return [str(path) for path in outside_files(config["estimators"][estimator]["estimator"])]


def model_of(game):
    return config["games"][game]["model"]


def dataset_of(game):
    return config["models"][model_of(game)]["dataset"]


def game_of(experiment):
    return config["experiments"][experiment]["game"]
