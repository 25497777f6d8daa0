"""What all jobs have in common: the study, the wildcards of their rule, and what a rule is given.

A job says which files it reads, what the configuration asks of it, which code it runs, and how many
evaluations it takes. Snakemake runs it again where one of the first three changes.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

from ..study.blocks.base import asked, record
from ..study.blocks.games import ModelBlock
from ..study.blocks.study import Study
from ..study.dependencies import code_of
from ..study.own import OwnBlock, data_files
from ..study.places import Places
from .sources import sources_of

FIRST, SECOND = 1000, 500  # priorities: what evidence waits for, and then what notebooks wait for
WALKERS, MANY = 4, 500  # threads that walks of a regression share from so many players on
OF_RULE: dict[str, type["Job"]] = {}  # classes of jobs by the rules whose scripts they name


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

    A subclass is of the rule whose script it names, and may name a block of the study, the wildcard
    that chooses an entry of it, and the tables whose schemas it reads.

    Parameters
    ----------
    plan : what is planned
    names : wildcards of the rule; ``run`` is "" for the study, or "repetitions/<seed>/"
    """

    script: ClassVar[str]
    entries: ClassVar[str] = ""
    entry: ClassVar[str] = ""
    tables: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        if "script" in vars(cls):
            OF_RULE[cls.script] = cls

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

    def reads(self) -> Iterable[OwnBlock]:
        """Blocks whose own files the job reads itself."""
        return [self.block]

    def runs(self) -> Iterable[OwnBlock]:
        """Blocks whose code the job runs."""
        return [self.block]

    def inputs(self) -> dict[str, Any]:
        """Files that the job reads, by name."""
        return {
            "own": [path for block in self.reads() for path in data_files(block)],
            "schemas": [*map(schema_path, self.tables)],
        }

    def asked(self) -> dict[str, Any]:
        """What the configuration asks of the job."""
        return {"seed": self.seed, self.entry: asked(self.block)}

    def sources(self) -> list[str]:
        """What the job runs without an import statement, as `code_of` takes it."""
        return sources_of(self.runs())

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
    def model(self) -> ModelBlock:
        """Block of the model of the games."""
        return self.study.models[self.games.model]

    def reads(self) -> Iterable[OwnBlock]:
        """None: the model is an input, as another job has made it."""
        return []

    def runs(self) -> Iterable[OwnBlock]:
        """The model, and the removal where the games have one."""
        removal = self.games.removal
        return [self.model, *([self.study.removals[removal]] if removal else [])]

    def spends_on(self) -> str:
        """The collection."""
        return f"games.{self.game}"


def walkers(games: Iterable[Any]) -> int:
    """Threads of a job on some collections of games: walks of large regressions share several.

    No value depends on how many.
    """
    large = any(game.reward == "r-squared" and game.players >= MANY for game in games)
    return WALKERS if large else 1


def schema_path(what: str) -> str:
    """Schema that a table or document is validated against, where it is written and read."""
    return f"src/shapaudit_audit/schemas/{what}.schema.yaml"


def ask(plan: Plan, job: type[Job], **given: str) -> SimpleNamespace:
    """What a rule says of its jobs, each a function of wildcards.

    ``given`` are wildcards that the rule itself does not have.
    """

    def of(part: str, wildcards: Mapping[str, str]) -> Any:
        return getattr(job(plan, {**dict(wildcards.items()), **given}), part)()

    parts = {part: partial(of, part) for part in ("inputs", "threads", "priority")}
    params = {"code": partial(of, "code"), "asked": partial(of, "asked")}
    return SimpleNamespace(**parts, params=params)


def evaluations(plan: Plan, jobs: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, int]:
    """Evaluations of some jobs, given as rules and wildcards, by the parts of the study."""
    counts: dict[str, int] = {}
    for rule, names in jobs:
        if rule in OF_RULE and (count := (job := OF_RULE[rule](plan, names)).evaluations()):
            counts[job.spends_on()] = counts.get(job.spends_on(), 0) + count
    return counts
