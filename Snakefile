"""The front door: configuration, validation, the stages in their order, and what `all` means."""

import os
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.17")

# Jobs import the package from here, installed or not, with one numerical thread per process.
PROJECT = Path(str(workflow.current_basedir))  # also where workflow/Snakefile includes this file
SOURCE = PROJECT / "src"
sys.path.insert(0, str(SOURCE))
# The logger plug-in was imported before this file was read, perhaps from another copy.
for name, loaded in [*sys.modules.items()]:
    if name.partition(".")[0] in ("shapaudit", "shapaudit_audit"):
        if not Path(loaded.__file__).is_relative_to(SOURCE):
            del sys.modules[name]
# Without bytecode each job would spend most of its time compiling the libraries it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
path = filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")])
os.environ.update(
    {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")},
    PYTHONPATH=os.pathsep.join(path),
    # Figures and PDF carry this date, not the day's: equal inputs give equal bytes.
    SOURCE_DATE_EPOCH=os.environ.get("SOURCE_DATE_EPOCH", "1577836800"),
    FORCE_SOURCE_DATE="1",
)

if "study" not in config and "extends" not in config:

    configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/removals.smk"
include: "workflow/rules/games.smk"
include: "workflow/rules/truth.smk"
include: "workflow/rules/estimates.smk"
include: "workflow/rules/explanations.smk"
include: "workflow/rules/evidence.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/site.smk"
include: "workflow/rules/peers.smk"
include: "workflow/rules/conformance.smk"
include: "workflow/rules/leaderboard.smk"
include: "workflow/rules/hooks.smk"


rule all:
    default_target: True
    input:
        rules.architectures.input,
        rules.estimates.input,
        rules.explanations.input,
        rules.removal_studies.input,
        rules.audit.input if STUDY.reported else [],
        rules.figures.input if STUDY.reported else [],
        rules.paper.input if STUDY.reported else [],
        rules.build_site.output,
    message:
        "All outputs are up to date"
