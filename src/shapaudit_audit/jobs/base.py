"""What all jobs have in common: the study, the wildcards of their rule, and what a rule is given.

A job says which files it reads, what the configuration asks of it, which code it runs, and how many
evaluations it takes. Snakemake runs it again where one of the first three changes.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ..study.blocks.base import asked, record
from ..study.blocks.runs import EstimatorBlock
from ..study.blocks.study import Study
from ..study.dependencies import code_of
from ..study.own import data_files, own_sources
from ..study.own_removals import removal_files
from ..study.places import Places

FIRST, SECOND = 1000, 500  # priorities: what evidence waits for, and then what notebooks wait for
WALKERS, MANY = 4, 500  # threads that walks of a regression share from so many players on


class Plan:
    """A study whose jobs are planned.

    Attributes
    ----------
    study : its configuration
    config : the same as it was given, in dictionaries and lists
    root : folder of the workflow
    """

    def __init__(self, config: dict[str, Any], root: str | Path = "."):
        self.study: Study = record(Study, config)
        self.config, self.root = config, Path(root)

    @cached_property
    def repeated(self) -> Study:
        """The part of the study that repetitions run."""
        return self.study.repeated()

    def code(self, script: str, *sources: str) -> dict[str, str]:
        """Digests of the modules that a script runs, and of its further sources, by name."""
        return code_of(self.root / script, *sources)


class Job:
    """A job of a rule.

    A subclass is of the rule whose script it names, and may name a block of the study and the
    wildcard that chooses an entry of it.

    Parameters
    ----------
    plan : what is planned
    names : wildcards of the rule; ``run`` is "" for the study, or "repetitions/<seed>/"
    """

    script: ClassVar[str]
    entries: ClassVar[str] = ""
    entry: ClassVar[str] = ""

    def __init__(self, plan: Plan, names: Mapping[str, str]):
        self.plan, self.names = plan, dict(names.items())
        self.run = self.names.get("run", "")
        self.seed = int(self.run.split("/")[1]) if self.run else plan.study.seed
        self.study = plan.study
        self.places = Places(plan.study.results, self.run)

    @cached_property
    def block(self) -> Any:
        """The entry of the configuration that the job is about."""
        return getattr(self.study, self.entries)[self.names[self.entry]]

    def inputs(self) -> dict[str, Any]:
        """Files that the job reads, by name; those of one's own unless a subclass has others."""
        return {"own": data_files(self.block)}

    def asked(self) -> dict[str, Any]:
        """What the configuration asks of the job."""
        return {"seed": self.seed, self.entry: asked(self.block)}

    def sources(self) -> list[str]:
        """What the job runs without an import statement, as `code_of` takes it."""
        return own_sources(self.block)

    def file(self) -> str:
        """What the job runs, as seen from the folder of the workflow."""
        return f"workflow/scripts/{self.script}.py"

    def code(self) -> dict[str, str]:
        """Digests of the modules that the job runs, by name."""
        return self.plan.code(self.file(), *self.sources())

    def spends_on(self) -> str:
        """The part of the study whose evaluations the job takes."""
        return f"{self.entries}.{self.names[self.entry]}"

    def evaluations(self) -> int:
        """Evaluations of games and models that the job takes at most; 0 where it takes none."""
        return 0

    def threads(self) -> int:
        """Threads of the job; no value depends on how many."""
        return 1

    def priority(self) -> int:
        """How early the job is run."""
        return FIRST

    def estimators(self, names: list[str]) -> dict[str, EstimatorBlock]:
        """Blocks of some estimators."""
        return {name: self.study.estimators[name] for name in names}


class OnGames(Job):
    """A job on a collection of games."""

    @property
    def game(self) -> str:
        """Name of the collection."""
        return self.block.game

    @property
    def games(self) -> Any:
        """Block of the collection."""
        return self.study.games[self.game]

    @property
    def model(self) -> Any:
        """Block of the model of the games."""
        return self.study.models[self.games.model]

    def sources(self) -> list[str]:
        """What the model is made of that is one's own, and what defines the removal."""
        name = self.games.removal
        return [
            *own_sources(self.model),
            *(removal_files(self.study.removals[name]) if name else []),
        ]

    def spends_on(self) -> str:
        """The collection."""
        return f"games.{self.game}"

    def threads(self) -> int:
        """Walks of large regressions share several."""
        return walkers(self.games)


def walkers(game: Any) -> int:
    """Threads of a job on a collection of games."""
    return WALKERS if game.reward == "r-squared" and game.players >= MANY else 1


def read_by(specs: Mapping[str, EstimatorBlock]) -> list[str]:
    """Files of one's own that some estimators read."""
    return [path for spec in specs.values() for path in data_files(spec)]


def schema_path(what: str) -> str:
    """Schema that a table or document is validated against, where it is written and read."""
    return f"src/shapaudit_audit/schemas/{what}.schema.yaml"


class Ask:
    """Functions of wildcards for a rule: ``Ask(plan, RunEstimators).inputs``.

    Parameters
    ----------
    plan : what is planned
    job : class of the rule's jobs
    names : wildcards that are given, where the rule itself has none
    """

    def __init__(self, plan: Plan, job: type[Job], **names: str):
        self._plan, self._job, self._names = plan, job, names

    def __getattr__(self, method: str) -> Callable[[Mapping[str, str]], Any]:
        """The function that calls a method of the job of some wildcards."""
        if method.startswith("_"):
            raise AttributeError(method)

        def of(wildcards):
            job = self._job(self._plan, {**dict(wildcards.items()), **self._names})
            return getattr(job, method)()

        return of
