"""The configuration of a study as a record, and the parts of it that others look at."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeVar

from msgspec import Meta
from msgspec.structs import fields, replace

from .base import SOME, UNIQUE, Block, Budgets, Name, Natural, OfPaper, Positive, named
from .claims import ClaimsBlock
from .games import DatasetBlock, GameBlock, ModelBlock, RemovalBlock
from .runs import EstimatorBlock, ExperimentBlock, PathBlock
from .studies import ArchitectureBlock, ExplainerBlock, ExplanationStudyBlock, RemovalStudyBlock

Entry = TypeVar("Entry", bound=OfPaper)


class PeersBlock(Block, frozen=True, kw_only=True):
    """How much of the comparison with other packages is run."""

    explicands: Positive = 10
    """Games of each of two kinds of the default study."""
    seeds: Positive = 2
    """Runs on each of the suite's games of few players."""
    draw: Natural = 2
    """Number of the suite's drawing of games."""
    budgets: Budgets | None = None
    """Evaluations on the suite's games; those of the committed tables by default."""


class RepetitionBlock(Block, frozen=True, kw_only=True):
    """The study once more from other base seeds."""

    seeds: Annotated[list[Natural | Literal["from-checks"]], UNIQUE]
    """Base seeds, other than that of the study; from-checks is the seed that follows from the code
    of the checks, so that a revised check meets data that nobody has seen."""
    estimators: Annotated[list[str], UNIQUE, named("estimators")]
    """Names of the estimators that the claims look at; the others do not run again."""


class Study(Block, frozen=True, kw_only=True):
    """The configuration of a study."""

    study: Name
    """Name of the study; appears in tables and the report."""
    seed: Natural
    """Base seed; every generator is derived from it and the names of what it serves."""
    results: Annotated[str, Meta(pattern="^results(/[a-z0-9-]+)*$", max_length=100)]
    """Folder of all results, relative to the repository."""
    most_evaluations: Positive = 100_000_000_000
    """Evaluations of games and models beyond which a run stops before its first job."""
    package: Annotated[
        str, Meta(pattern="^[A-Za-z0-9._-]*([=<>~!]=?[A-Za-z0-9.]+)?$", max_length=60)
    ] = ""
    """A package with a version, as "shap==0.52", that `snakemake conformance` asks alone, in place
    of the version that is locked."""
    peers: PeersBlock = PeersBlock()
    """How much of the comparison with other packages `snakemake peers` runs, which is no part of a
    study; all of it by default."""
    datasets: dict[Name, DatasetBlock]
    """Data tables by name."""
    models: dict[Name, ModelBlock]
    """Models by name."""
    removals: dict[Name, RemovalBlock] = {}
    """Ways to remove features, by name, which games may be played by."""
    games: dict[Name, GameBlock]
    """Collections of games by name."""
    estimators: dict[Name, EstimatorBlock]
    """Estimators by name."""
    experiments: Annotated[dict[Name, ExperimentBlock], SOME]
    """Experiments by name; one job per estimator."""
    paths: dict[Name, PathBlock] = {}
    """Standard deviations of estimates with growing numbers of samples, by name."""
    removal_studies: dict[Name, RemovalStudyBlock] = {}
    """How removals err under a known law, by name; one job per group of removals."""
    architectures: dict[Name, ArchitectureBlock] = {}
    """Random searches for the architecture of a perceptron, by name."""
    explainers: dict[Name, ExplainerBlock] = {}
    """Methods that look into the model, by name, which explanation studies compare."""
    explanation_studies: dict[Name, ExplanationStudyBlock] = {}
    """Comparisons of explainers with estimators at equal cost, over many models each, by name."""
    repetition: RepetitionBlock | None = None
    """The study once more from other base seeds, with one seed per explicand, to see whether a
    verdict changes."""
    claims: ClaimsBlock
    """Settings of the audit."""

    def entries(self) -> Iterator[tuple[str, Block]]:
        """All blocks of the study by their places."""
        for field in fields(self):
            content = getattr(self, field.name)
            if isinstance(content, Block):
                yield field.name, content
            elif isinstance(content, dict):
                yield from ((f"{field.name}.{name}", block) for name, block in content.items())

    @property
    def reported(self) -> bool:
        """Whether the report is about this study; one's own names no paper and has a page only."""
        return any(experiment.paper for experiment in self.experiments.values())

    def game_of(self, experiment: ExperimentBlock | PathBlock) -> GameBlock:
        """The games of an experiment or path."""
        return self.games[experiment.game]

    def explicands_of(self, experiment: ExperimentBlock) -> int:
        """Number of explicands of an experiment."""
        return experiment.explicands or self.game_of(experiment).explicands

    def compared(self) -> dict[str, ExperimentBlock]:
        """Experiments over which the site compares estimators: tasks, or all of one's own study."""
        return {
            name: experiment
            for name, experiment in self.experiments.items()
            if experiment.role == "task" or not self.reported
        }

    def on_games_of_papers(self) -> dict[str, ExperimentBlock]:
        """Experiments that run the best estimators on the games of earlier papers."""
        return {
            name: experiment
            for name, experiment in self.experiments.items()
            if experiment.role == "best"
        }

    def models_of(self, experiments: Mapping[str, ExperimentBlock]) -> list[str]:
        """Names of the models of some experiments, each once."""
        games = map(self.game_of, experiments.values())
        return list(dict.fromkeys(game.model for game in games))

    def audited(self) -> tuple[dict[str, ExperimentBlock], dict[str, GameBlock]]:
        """Experiments and games that the claims use.

        Experiments whose ``audit`` is false are left out, and the games of only such experiments.
        """
        experiments = {name: block for name, block in self.experiments.items() if block.audit}
        kept = {experiment.game for experiment in experiments.values()}
        left_out = {experiment.game for experiment in self.experiments.values()} - kept
        return experiments, {name: g for name, g in self.games.items() if name not in left_out}

    def repeated(self) -> "Study":
        """The part of the study that its repetition from another base seed runs.

        These are the audited experiments with the estimators under ``repetition`` only, their games
        and all games with tables, and the models and datasets of these; with one seed per
        explicand, because claims use means over these. Other parts of the study may change without
        a repetition.
        """
        wanted = set(self.repetition.estimators if self.repetition else ())
        looked_at, kept = self.audited()
        experiments = {
            name: replace(experiment, estimators=own, repetitions=1)
            for name, experiment in looked_at.items()
            if (own := [key for key in experiment.estimators if key in wanted])
        }
        needed = {experiment.game for experiment in experiments.values()}
        games = {name: g for name, g in kept.items() if name in needed or g.tabulated}
        models = {game.model: self.models[game.model] for game in games.values()}
        return Study(
            study=self.study,
            seed=self.seed,
            results=self.results,
            datasets={model.dataset: self.datasets[model.dataset] for model in models.values()},
            models=models,
            removals=self.removals,
            games=games,
            estimators={
                key: self.estimators[key]
                for experiment in experiments.values()
                for key in experiment.estimators
            },
            experiments=experiments,
            claims=self.claims,
        )


def part_of(entries: Mapping[str, Entry], paper: str) -> dict[str, Entry]:
    """Those of a study's experiments, paths or other entries that name a paper."""
    return {name: entry for name, entry in entries.items() if entry.paper == paper}
