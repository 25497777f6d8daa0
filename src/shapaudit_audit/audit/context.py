"""What a claim may look at: the study's games with exact values, estimates, seeds, settings."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.games import TabularGame
from shapaudit.seeding import generator
from shapaudit.truth import shapley_from_table

from ..study.reading import load_estimates, load_settings


@dataclass(frozen=True)
class Settings:
    """The `claims` block of a study's configuration, but for the error rate, which judges want.

    Attributes
    ----------
    max_exact_dimension : identities in d are checked for every d up to this
    brute_force_dimension : random games are solved exactly for every d up to this
    random_games : random games per dimension
    random_points : random inputs of deterministic algorithms
    simulated_pairs : games taken from each study game where runs are simulated
    repetitions : simulated runs per game and step rule
    iterations : steps per simulated run
    interaction_games : random games per kind and strength of interaction
    radial_pairs : random pairs per number of players of the radial regression
    generated_players : players, at most, of generated games on which estimators are compared
    fitted_worlds : random laws, each with a model and what is fitted to it
    fitted_rows : rows of these, at most, that explainers are trained on
    """

    max_exact_dimension: int = 64
    brute_force_dimension: int = 6
    random_games: int = 5
    random_points: int = 2000
    simulated_pairs: int = 2
    repetitions: int = 2000
    iterations: int = 250
    interaction_games: int = 200
    radial_pairs: int = 200
    generated_players: int = 280
    fitted_worlds: int = 24
    fitted_rows: int = 300


@dataclass(frozen=True, eq=False)
class StudyGame:
    """A game of the study, one table per pair of explicand and baseline.

    Attributes
    ----------
    name : id of the game in the study
    games : tables with the same number of players
    truths : exact Shapley values (pairs, d)
    """

    name: str
    games: tuple[TabularGame, ...]
    truths: np.ndarray

    @classmethod
    def from_tables(cls, name: str, values: np.ndarray) -> "StudyGame":
        """From the values (pairs, 2^d), with their exact Shapley values."""
        games = tuple(TabularGame(table, name) for table in values)
        return cls(name, games, shapley_from_table(np.asarray(values)))

    @property
    def n_players(self) -> int:
        """Number of players of every pair."""
        return self.truths.shape[1]

    def pairs(self, count: int | None = None):
        """The first ``count`` tables with their Shapley values (d,); all of them by default."""
        return zip(self.games[:count], self.truths[:count], strict=True)


@dataclass(frozen=True, eq=False)
class StudyEstimates:
    """What the estimators of an experiment of the study found.

    Attributes
    ----------
    frame : rows of the schema "estimates", all estimators
    settings : by estimator, its registered id ("estimator"), parameters ("params") and what the
        choice of a parameter cost ("tuning", None where there was none)
    players : of the experiment's game
    """

    frame: pd.DataFrame
    settings: Mapping[str, dict]
    players: int = 0

    @classmethod
    def load(
        cls, results: str | Path, experiment: str, block: Mapping, players: int
    ) -> "StudyEstimates":
        """From the results folder of a study; raises FileNotFoundError naming what is missing.

        ``block`` is that of the experiment in the configuration, ``players`` its game's number.
        """
        frame = load_estimates(results, experiment, block)
        return cls(frame, load_settings(results, experiment, block), players)


@dataclass(frozen=True, eq=False)
class Context:
    """Study, base seed, games, settings, and estimates by experiment.

    Claims draw all randomness from here. ``own`` are the games of the paper's own experiments that
    only its evidence looks at; ``published`` are the files of printed values, by the
    paper's key; ``shared`` holds what `once` has computed.
    """

    study: str
    seed: int
    games: tuple[StudyGame, ...] = ()
    settings: Settings = field(default_factory=Settings)
    estimates: Mapping[str, StudyEstimates] = field(default_factory=dict)
    published: Mapping[str, str | Path] = field(default_factory=dict)
    shared: dict = field(default_factory=dict)
    own: tuple[StudyGame, ...] = ()

    def generator(self, *names: str | int) -> np.random.Generator:
        """Generator for the named axes of a claim."""
        return generator(self.seed, self.study, "claims", *names)

    def study_games(self) -> tuple[StudyGame, ...]:
        """The games; raises ValueError when the study has none."""
        if not self.games:
            raise ValueError(
                f"study {self.study!r} gives no tabulated games; add one with at most 20 players."
            )
        return self.games

    def once(self, function: Callable, *arguments):
        """``function(self, *arguments)``, computed for the first who asks and kept for the others.

        For what several pieces of evidence rest on.
        """
        key = function, arguments
        if key not in self.shared:
            self.shared[key] = function(self, *arguments)
        return self.shared[key]

    def printed(self, paper: str) -> list[dict[str, str]]:
        """Rows of the values that a paper prints; raises ValueError where they are not given."""
        if paper not in self.published:
            raise ValueError(
                f"the values that {paper} prints are not given; add its key to `reads` of the "
                "paper whose evidence wants them."
            )
        with Path(self.published[paper]).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
