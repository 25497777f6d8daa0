"""Everything that the report reads of a finished study."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from ..audit.reading import load_audit, load_repetitions
from ..papers.bell_devanathan_boyd_2024.findings import LSSPA, load_ls_spa
from ..papers.chen_covert_lundberg_lee_2023.findings import Benchmark, best_of_suite, load_benchmark
from ..papers.grah_thouvenot_2020 import findings as reporting
from ..papers.grah_thouvenot_2020.findings import CONTRASTS, VARIANT_CONTRASTS, Experiment
from ..papers.okhrati_lipani_2021.findings.loading import load_replication
from ..papers.okhrati_lipani_2021.findings.replication import Replication
from ..statistics.comparisons import compare_all
from ..study.reading import load_architectures, load_scores


@dataclass(frozen=True, eq=False)
class Findings:
    """A study's results, each part read when it is asked for.

    Attributes
    ----------
    results : the folder of results
    study : the configuration
    published : the folder of values printed in the papers
    """

    results: Path
    study: Mapping
    published: Path

    @cached_property
    def experiments(self) -> dict[str, Experiment]:
        """Those of the first paper, by name."""
        return reporting.load_experiments(
            self.results, self.study, self._printed("grah_thouvenot_2020")
        )

    @cached_property
    def collapsed(self) -> Experiment:
        """The one whose Shapley values collapse."""
        return reporting.load_collapsed(
            self.results, self.study, self._printed("grah_thouvenot_2020")
        )

    @cached_property
    def comparisons(self) -> pd.DataFrame:
        """All contrasts of the experiments, in one family."""
        frames = {name: experiment.frame for name, experiment in self.experiments.items()}
        contrasts = (*CONTRASTS, *VARIANT_CONTRASTS)
        return compare_all(frames, contrasts, self.study["claims"]["alpha"])

    @cached_property
    def benchmark(self) -> Benchmark:
        """The benchmark of estimators."""
        printed = self._printed("chen_covert_lundberg_lee_2023")
        return load_benchmark(self.results, self.study, printed)

    @cached_property
    def best(self) -> Benchmark:
        """The best of the suite on the games of the first paper."""
        return best_of_suite(self.results, self.study)

    @cached_property
    def replication(self) -> Replication:
        """The experiments of Okhrati & Lipani."""
        return load_replication(self.results, self.study, self._printed("okhrati_lipani_2021"))

    @cached_property
    def ls_spa(self) -> LSSPA:
        """The experiments of Bell, Devanathan & Boyd."""
        return load_ls_spa(self.results, self.study, self.audit)

    @cached_property
    def audit(self) -> dict:
        """The claims with their verdicts."""
        return load_audit(self.results)

    @cached_property
    def repetitions(self) -> dict[int, dict]:
        """Audits from other base seeds."""
        return load_repetitions(self.results, self.study)

    @cached_property
    def scores(self) -> dict[str, dict]:
        """Test scores by model."""
        return load_scores(self.results, self.study)

    @cached_property
    def searches(self) -> dict[str, dict]:
        """Random searches for an architecture."""
        return load_architectures(self.results, self.study)

    @cached_property
    def provenance(self) -> dict:
        """Where the results come from."""
        return json.loads((self.results / "provenance.json").read_text(encoding="utf-8"))

    def _printed(self, paper: str) -> Path:
        return self.published / f"{paper}.csv"
