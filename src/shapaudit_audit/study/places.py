"""Where the files of a study are: of its results, and of the repetition of a part of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .blocks.runs import ExperimentBlock
from .blocks.studies import ExplanationStudyBlock, RemovalStudyBlock

REMOVAL_TABLES = ("values", "fits", "rows", "refusals")  # of each job of a study of removals


@dataclass(frozen=True)
class Places:
    """Paths of results by the names of what they belong to, patterns of a workflow included.

    Attributes
    ----------
    results : folder of the study's results
    run : "" for the study itself, "repetitions/<seed>/" for its part from another base seed
    """

    results: str | Path
    run: str = ""

    def _at(self, place: str) -> str:
        return f"{self.results}/{self.run}{place}"

    def dataset(self, name: str) -> str:
        return self._at(f"datasets/{name}.npz")

    def model(self, name: str) -> str:
        return self._at(f"models/{name}")

    def score(self, model: str) -> str:
        return self._at(f"models/{model}.score.json")

    def removal(self, model: str, name: str) -> str:
        return self._at(f"removals/{model}/{name}")

    def games(self, name: str) -> str:
        return self._at(f"games/{name}")

    def truth(self, games: str) -> str:
        return self._at(f"truth/{games}.parquet")

    def estimates(self, experiment: str, batch: str) -> str:
        """Table of the errors of the estimators of a job, named by the first."""
        return self._at(f"estimates/{experiment}/{batch}.parquet")

    def settings(self, experiment: str, batch: str) -> str:
        """File of their parameters."""
        return self._at(f"estimates/{experiment}/{batch}.json")

    def kept(self, experiment: str) -> str:
        return self._at(f"kept/{experiment}.parquet")

    def path(self, name: str) -> str:
        return self._at(f"paths/{name}.parquet")

    def architecture(self, name: str) -> str:
        return self._at(f"architectures/{name}.json")

    def explanations(self, study: str, batch: str) -> str:
        """Table of the errors of the explainers and estimators on the models of a job."""
        return self._at(f"explanations/{study}/{batch}.parquet")

    def attributions(self, study: str, batch: str) -> str:
        """Table of the explanations that this job keeps."""
        return self._at(f"explanations/{study}/{batch}.kept.parquet")

    def removals(self, study: str, batch: str, table: str) -> str:
        """A table of a study of removals, of the removals of a job."""
        return self._at(f"removal_studies/{study}/{batch}.{table}.parquet")

    def evidence(self, paper: str) -> str:
        return self._at(f"evidence/{paper}.json")

    @property
    def claims(self) -> str:
        return self._at("claims/claims.json")

    @property
    def verified(self) -> str:
        return self._at("claims/verified.json")

    @property
    def study(self) -> str:
        return self._at("study.yaml")

    @property
    def provenance(self) -> str:
        return self._at("provenance.json")

    def all_estimates(self, experiments: Mapping[str, ExperimentBlock]) -> list[str]:
        """Tables of all jobs of some experiments."""
        return [
            self.estimates(name, batch)
            for name, own in experiments.items()
            for batch in own.batches()
        ]

    def all_settings(self, experiments: Mapping[str, ExperimentBlock]) -> list[str]:
        """Their files of parameters."""
        return [
            self.settings(name, batch)
            for name, own in experiments.items()
            for batch in own.batches()
        ]

    def all_explanations(self, studies: Mapping[str, ExplanationStudyBlock]) -> list[str]:
        """Tables of all jobs of some explanation studies."""
        return [
            table(name, batch)
            for name, study in studies.items()
            for batch in study.batches()
            for table in (self.explanations, self.attributions)
        ]

    def all_removals(self, studies: Mapping[str, RemovalStudyBlock]) -> list[str]:
        """Tables of all jobs of some studies of removals."""
        return [
            self.removals(name, batch, table)
            for name, study in studies.items()
            for batch in study.batches()
            for table in REMOVAL_TABLES
        ]
