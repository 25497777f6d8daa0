"""Jobs of the studies of explainers and of removals."""

from functools import cached_property
from typing import Any

from msgspec.structs import replace

from ..study.blocks.base import asked
from ..study.blocks.studies import ExplanationStudyBlock, RemovalStudyBlock
from ..study.costs import explanation_rows, removal_rows
from ..study.own import data_files, own_sources
from ..study.own_estimators import estimator_files
from ..study.own_explainers import explainer_files
from ..study.own_removals import removal_files
from ..study.places import REMOVAL_TABLES
from .base import SECOND, Job, read_by, schema_path


class StudyExplainers(Job):
    """Compare explainers with estimators on some models of an explanation study."""

    script, entries, entry = "study_explainers", "explanation_studies", "explanation"

    @cached_property
    def block(self) -> ExplanationStudyBlock:
        """The study, with the models of the job only."""
        block = self.study.explanation_studies[self.names["explanation"]]
        own = block.batches()[self.names["first"]]
        return replace(block, models={name: block.models[name] for name in own})

    @cached_property
    def named(self) -> dict[str, Any]:
        """Blocks that the study names."""
        study, block = self.study, self.block
        return {
            "dataset": study.datasets[block.dataset],
            "removal": study.removals[block.removal] if block.removal else None,
            "explainers": {name: study.explainers[name] for name in block.explainers},
            "estimators": self.estimators(block.estimators),
        }

    def inputs(self) -> dict[str, Any]:
        return {
            "schemas": [schema_path("explanations"), schema_path("attributions")],
            "own": [*data_files(self.named["dataset"]), *read_by(self.named["estimators"])],
        }

    def asked(self) -> dict[str, Any]:
        return {"seed": self.seed, "study": asked(self.block), "blocks": asked(self.named)}

    def sources(self) -> list[str]:
        own, removal = self.named, self.named["removal"]
        files = [*explainer_files(own["explainers"]), *estimator_files(own["estimators"])]
        return files + (removal_files(removal) if removal else [])

    def priority(self) -> int:
        return SECOND

    def evaluations(self) -> int:
        return explanation_rows(self.study, self.block)


class StudyRemovals(Job):
    """Measure how some removals of a study err under a known law."""

    script, entries, entry = "study_removals", "removal_studies", "removal_study"

    @cached_property
    def block(self) -> RemovalStudyBlock:
        """The study, with the removals of the job only: no other reruns them."""
        block = self.study.removal_studies[self.names["removal_study"]]
        own = block.batches()[self.names["removal"]]
        fewer = {name: less for name, less in block.fewer.items() if name in own}
        return replace(block, removals=own, fewer=fewer)

    @cached_property
    def named(self) -> dict[str, Any]:
        """Blocks that the study names."""
        return {
            "removals": {name: self.study.removals[name] for name in self.block.removals},
            "estimators": self.estimators([self.block.estimator]),
        }

    def inputs(self) -> dict[str, Any]:
        removals = self.named["removals"].values()
        own = [path for spec in removals for path in data_files(spec)]
        return {
            "dataset": self.places.dataset(self.study.models[self.block.model].dataset),
            "model": self.places.model(self.block.model),
            "own": [*own, *read_by(self.named["estimators"])],
            "schemas": [schema_path(f"removal_{table}") for table in REMOVAL_TABLES],
        }

    def asked(self) -> dict[str, Any]:
        return {"seed": self.seed, "study": asked(self.block), **asked(self.named)}

    def sources(self) -> list[str]:
        model, removals = self.study.models[self.block.model], self.named["removals"].values()
        files = [file for spec in removals for file in removal_files(spec)]
        return [*own_sources(model), *estimator_files(self.named["estimators"]), *files]

    def priority(self) -> int:
        return SECOND

    def evaluations(self) -> int:
        return removal_rows(self.study, self.block)
