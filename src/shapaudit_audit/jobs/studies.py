"""Jobs of the studies of explainers and of removals."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from ..study.blocks.base import asked
from ..study.blocks.studies import ExplanationStudyBlock, RemovalStudyBlock
from ..study.costs import explanation_rows, removal_rows
from ..study.own import OwnBlock
from ..study.places import REMOVAL_TABLES
from .base import Job


class StudyExplainers(Job):
    """Compare explainers with estimators on some models of an explanation study."""

    script, entries, entry = "study_explainers", "explanation_studies", "explanation"
    tables = ("explanations", "attributions")

    @cached_property
    def block(self) -> ExplanationStudyBlock:
        """The study, with the models of the job only."""
        block = super().block
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
            "estimators": {name: study.estimators[name] for name in block.estimators},
        }

    def reads(self) -> Iterable[OwnBlock]:
        return [self.named["dataset"], *self.named["estimators"].values()]

    def runs(self) -> Iterable[OwnBlock]:
        methods = [*self.named["explainers"].values(), *self.named["estimators"].values()]
        return filter(None, [*methods, self.named["removal"]])

    def asked(self) -> dict[str, Any]:
        return {"seed": self.seed, "study": asked(self.block), "blocks": asked(self.named)}

    def evaluations(self) -> int:
        return explanation_rows(self.study, self.block)


class StudyRemovals(Job):
    """Measure how some removals of a study err under a known law."""

    script, entries, entry = "study_removals", "removal_studies", "removal_study"
    tables = tuple(f"removal_{table}" for table in REMOVAL_TABLES)

    @cached_property
    def block(self) -> RemovalStudyBlock:
        """The study, with the removals of the job only: no other reruns them."""
        block = super().block
        own = block.batches()[self.names["removal"]]
        fewer = {name: less for name, less in block.fewer.items() if name in own}
        return replace(block, removals=own, fewer=fewer)

    @cached_property
    def named(self) -> dict[str, Any]:
        """Blocks that the study names."""
        estimator = self.block.estimator
        return {
            "removals": {name: self.study.removals[name] for name in self.block.removals},
            "estimators": {estimator: self.study.estimators[estimator]},
        }

    def reads(self) -> Iterable[OwnBlock]:
        return [*self.named["removals"].values(), *self.named["estimators"].values()]

    def runs(self) -> Iterable[OwnBlock]:
        return [self.study.models[self.block.model], *self.reads()]

    def inputs(self) -> dict[str, Any]:
        dataset = self.study.models[self.block.model].dataset
        model = self.places.model(self.block.model)
        return {"dataset": self.places.dataset(dataset), "model": model, **super().inputs()}

    def asked(self) -> dict[str, Any]:
        return {"seed": self.seed, "study": asked(self.block), **asked(self.named)}

    def evaluations(self) -> int:
        return removal_rows(self.study, self.block)
