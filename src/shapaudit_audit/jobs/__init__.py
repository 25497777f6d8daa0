"""The jobs of a study: what each reads, asks, runs and costs; a class per rule of the workflow."""

from collections.abc import Iterable, Iterator, Mapping

from .audit import GatherEvidence as GatherEvidence
from .audit import JudgeClaims as JudgeClaims
from .audit import VerifyEvidence as VerifyEvidence
from .base import FIRST as FIRST
from .base import SECOND as SECOND
from .base import Ask as Ask
from .base import Job, Plan
from .estimates import KeepEstimates as KeepEstimates
from .estimates import RunEstimators as RunEstimators
from .estimates import RunPaths as RunPaths
from .games import BuildGames as BuildGames
from .games import ComputeTruth as ComputeTruth
from .games import FitRemoval as FitRemoval
from .games import LoadDataset as LoadDataset
from .games import SearchArchitecture as SearchArchitecture
from .games import TrainModel as TrainModel
from .report import DOCUMENTS as DOCUMENTS
from .report import BuildSite as BuildSite
from .report import CompileReport as CompileReport
from .report import RenderNotebook as RenderNotebook
from .report import WriteNumbers as WriteNumbers
from .report import WriteProvenance as WriteProvenance
from .report import WriteStudy as WriteStudy
from .report import all_figures as all_figures
from .report import figures as figures
from .report import figures_of as figures_of
from .report import has_latex as has_latex
from .studies import StudyExplainers as StudyExplainers
from .studies import StudyRemovals as StudyRemovals


def evaluations(plan: Plan, jobs: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, int]:
    """Evaluations of some jobs, given as rules and wildcards, by the parts of the study."""
    known = {job.script: job for job in _jobs(Job) if "script" in vars(job)}
    counts: dict[str, int] = {}
    for rule, names in jobs:
        if rule in known and (count := (job := known[rule](plan, names)).evaluations()):
            counts[job.spends_on()] = counts.get(job.spends_on(), 0) + count
    return counts


def _jobs(job: type[Job]) -> Iterator[type[Job]]:
    for below in job.__subclasses__():
        yield below
        yield from _jobs(below)
