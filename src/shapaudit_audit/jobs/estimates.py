"""Jobs that run estimators on games."""

from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace

from ..study.blocks.base import asked
from ..study.blocks.runs import EstimatorBlock, ExperimentBlock
from ..study.costs import run_evaluations
from ..study.own_estimators import estimator_files
from ..study.samples import path_evaluations
from .base import FIRST, SECOND, OnGames, read_by, schema_path


class _Estimating(OnGames):
    """A job that runs the estimators of its block."""

    tables: ClassVar[tuple[str, ...]]  # whose schemas it reads

    @cached_property
    def specs(self) -> dict[str, EstimatorBlock]:
        """Blocks of the estimators by name."""
        return self.estimators(self.block.estimators)

    def inputs(self) -> dict[str, Any]:
        return {
            "games": self.places.games(self.game),
            "model": self.places.model(self.games.model),
            "own": read_by(self.specs),
            "schemas": [schema_path(table) for table in self.tables],
        }

    def asked(self) -> dict[str, Any]:
        return {**super().asked(), "estimators": asked(self.specs)}

    def sources(self) -> list[str]:
        return [*estimator_files(self.specs), *super().sources()]

    def threads(self) -> int:
        return 1

    def priority(self) -> int:
        return SECOND


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
        return super(_Estimating, self).threads()

    def priority(self) -> int:
        """Evidence waits for the audited ones."""
        return FIRST if self.block.audit else SECOND

    def evaluations(self) -> int:
        return sum(
            run_evaluations(spec, self.block.part(name), self.games)
            for name, spec in self.specs.items()
        )


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
