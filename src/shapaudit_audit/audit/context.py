"""Inputs of the evidence of claims: games with exact values, estimates, seeds and settings."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.games import TabularGame
from shapaudit.seeding import generator
from shapaudit.truth import shapley_from_table

from ..study.blocks.claims import Settings
from ..study.blocks.runs import ExperimentBlock
from ..study.reading import load_estimates, load_settings


@dataclass(frozen=True, eq=False)
class StudyGame:
    """A game of the study: one tabulated game for each explicand with its baseline.

    Attributes
    ----------
    name : id of the game in the study
    games : one per explicand, with the same number of players d
    truths : exact Shapley values (explicands, d)
    """

    name: str
    games: tuple[TabularGame, ...]
    truths: np.ndarray

    @classmethod
    def from_tables(cls, name: str, values: np.ndarray) -> "StudyGame":
        """From the values (explicands, 2^d); their exact Shapley values are computed here."""
        games = tuple(TabularGame(table, name) for table in values)
        return cls(name, games, shapley_from_table(np.asarray(values)))

    @property
    def n_players(self) -> int:
        """Number of players d."""
        return self.truths.shape[1]

    def explicands(self, count: int | None = None):
        """The first ``count`` games with their Shapley values (d,); all of them by default."""
        return zip(self.games[:count], self.truths[:count], strict=True)


@dataclass(frozen=True, eq=False)
class StudyEstimates:
    """Estimates of an experiment of the study.

    Attributes
    ----------
    frame : rows of the schema "estimates", all estimators
    settings : by estimator, its registered id ("estimator"), parameters ("params") and the cost of
        choosing a parameter ("tuning", None without a choice)
    players : number of players of the experiment's game
    """

    frame: pd.DataFrame
    settings: Mapping[str, dict]
    players: int = 0

    @classmethod
    def load(
        cls, results: str | Path, experiment: str, block: ExperimentBlock, players: int
    ) -> "StudyEstimates":
        """From the results folder of a study; raises FileNotFoundError naming what is missing.

        ``block`` is that of the experiment in the configuration, ``players`` its game's number.
        """
        frame = load_estimates(results, experiment, block)
        return cls(frame, load_settings(results, experiment, block), players)


@dataclass(frozen=True, eq=False)
class Context:
    """Study, base seed, games, settings, and estimates by experiment.

    All random numbers of claims come from `generator`. ``own`` are the games of the paper's own
    experiments, which only its evidence uses; ``published`` are the files of printed values, by
    the paper's key; ``shared`` is the cache of `once`.
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
        """``function(self, *arguments)``, cached on this context.

        For results that several gather functions share.
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
