"""The jobs of a study: what each reads, asks, runs and costs; a class per rule of the workflow."""

from .audit import GatherEvidence, JudgeClaims, VerifyEvidence
from .base import FIRST, SECOND, Job, Plan, ask, evaluations
from .estimates import KeepEstimates, RunEstimators, RunPaths
from .games import BuildGames, ComputeTruth, FitRemoval, LoadDataset, SearchArchitecture, TrainModel
from .report import (
    DOCUMENTS,
    BuildSite,
    CompileReport,
    RenderNotebook,
    WriteNumbers,
    WriteProvenance,
    WriteStudy,
    all_figures,
    figures,
    figures_of,
    has_latex,
)
from .studies import StudyExplainers, StudyRemovals
