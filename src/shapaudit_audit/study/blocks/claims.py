"""Settings of the audit."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from .base import Block, Positive


class Settings(Block, frozen=True, kw_only=True):
    """What evidence is gathered with."""

    max_exact_dimension: Annotated[int, Meta(ge=4, le=128)] = 64
    """Identities in d are checked in rational arithmetic for every d up to this."""
    brute_force_dimension: Annotated[int, Meta(ge=2, le=8)] = 6
    """Random games are solved exactly for every d up to this."""
    random_games: Positive = 5
    """Random games per dimension."""
    random_points: Annotated[int, Meta(ge=10)] = 2000
    """Random inputs of deterministic algorithms."""
    simulated_explicands: Positive = 2
    """Explicands taken from each game where runs of an algorithm are simulated."""
    repetitions: Annotated[int, Meta(ge=100)] = 2000
    """Simulated runs per explicand and step rule."""
    iterations: Annotated[int, Meta(ge=10)] = 250
    """Steps per simulated run."""
    interaction_games: Annotated[int, Meta(ge=10)] = 200
    """Random games per kind and strength of interaction."""
    radial_explicands: Annotated[int, Meta(ge=10)] = 200
    """Random explicands per number of players of the radial regression."""
    generated_players: Annotated[int, Meta(ge=10)] = 280
    """Players, at most, of generated games on which estimators are compared."""
    fitted_worlds: Annotated[int, Meta(ge=10)] = 24
    """Random laws, each with a model and explainers that are fitted to it."""
    fitted_rows: Annotated[int, Meta(ge=30)] = 300
    """Rows of these laws, at most, that explainers are trained on."""


class ClaimsBlock(Settings, frozen=True, kw_only=True):
    """What evidence is gathered with, and how sure verdicts are."""

    alpha: Annotated[float, Meta(gt=0, lt=0.5)]
    """Probability that any statistical verdict of the study is wrong."""

    @property
    def settings(self) -> Settings:
        """What evidence is gathered with; the error rate is what claims are judged by."""
        own = asdict(self)
        own.pop("alpha")
        return Settings(**own)
