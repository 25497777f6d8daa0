"""Jobs that run estimators on games."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from ..study.blocks.base import asked
from ..study.blocks.runs import EstimatorBlock, ExperimentBlock
from ..study.costs import run_evaluations
from ..study.own import OwnBlock
from ..study.samples import path_evaluations
from .base import FIRST, SECOND, OnGames, walkers


class _Estimating(OnGames):
    """A job that runs the estimators of its block."""

    @cached_property
    def specs(self) -> dict[str, EstimatorBlock]:
        """Blocks of the estimators by name."""
        return {name: self.study.estimators[name] for name in self.block.estimators}

    def reads(self) -> Iterable[OwnBlock]:
        return self.specs.values()

    def runs(self) -> Iterable[OwnBlock]:
        return [*self.specs.values(), *super().runs()]

    def inputs(self) -> dict[str, Any]:
        model = self.places.model(self.games.model)
        return {"games": self.places.games(self.game), "model": model, **super().inputs()}

    def asked(self) -> dict[str, Any]:
        return {**super().asked(), "estimators": asked(self.specs)}


class RunEstimators(_Estimating):
    """Run some estimators of an experiment."""

    script, entries, entry = "run_estimators", "experiments", "experiment"
    tables = ("estimates", "truth")

    @cached_property
    def block(self) -> ExperimentBlock:
        """The experiment as far as it concerns the estimators of the job: no other reruns them."""
        part = self.plan.repeated if self.run else self.study
        block = part.experiments[self.names["experiment"]]
        own = block.batches()[self.names["batch"]]
        costly = {name: limits for name, limits in block.costly.items() if name in own}
        return replace(block, estimators=own, costly=costly, keep=None)

    def inputs(self) -> dict[str, Any]:
        return {**super().inputs(), "truth": self.places.truth(self.game)}

    def asked(self) -> dict[str, Any]:
        return {**super().asked(), "study": self.study.study}

    def threads(self) -> int:
        return walkers([self.games])

    def priority(self) -> int:
        """Evidence waits for the audited ones."""
        return FIRST if self.block.audit else SECOND

    def evaluations(self) -> int:
        parts = ((spec, self.block.part(name)) for name, spec in self.specs.items())
        return sum(run_evaluations(spec, part, self.games) for spec, part in parts)


class KeepEstimates(_Estimating):
    """Run the estimators of an experiment again, and keep what they estimate."""

    script, entries, entry = "keep_estimates", "experiments", "experiment"
    tables = ("kept",)

    def evaluations(self) -> int:
        """Those of one run of each estimator on each explicand that is kept."""
        once = replace(self.block, explicands=self.block.keep, repetitions=1)
        return sum(run_evaluations(spec, once, self.games) for spec in self.specs.values())


class RunPaths(_Estimating):
    """Follow estimates with growing numbers of samples."""

    script, entries, entry = "run_paths", "paths", "path"
    tables = ("deviations",)

    def evaluations(self) -> int:
        return path_evaluations(self.specs, self.block, self.games.players)
