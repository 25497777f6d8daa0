"""Settings of the audit."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from .base import Block, Positive, says


class Settings(Block, frozen=True, kw_only=True):
    """What evidence is gathered with."""

    max_exact_dimension: Annotated[
        Annotated[int, Meta(ge=4, le=128)],
        says("Identities in d are checked in rational arithmetic for every d up to this."),
    ] = 64
    brute_force_dimension: Annotated[
        Annotated[int, Meta(ge=2, le=8)],
        says("Random games are solved exactly for every d up to this."),
    ] = 6
    random_games: Annotated[Positive, says("Random games per dimension.")] = 5
    random_points: Annotated[int, says("Random inputs of deterministic algorithms.", ge=10)] = 2000
    simulated_explicands: Annotated[
        Positive,
        says("Explicands taken from each game where runs of an algorithm are simulated."),
    ] = 2
    repetitions: Annotated[int, says("Simulated runs per explicand and step rule.", ge=100)] = 2000
    iterations: Annotated[int, says("Steps per simulated run.", ge=10)] = 250
    interaction_games: Annotated[
        int, says("Random games per kind and strength of interaction.", ge=10)
    ] = 200
    radial_explicands: Annotated[
        int, says("Random explicands per number of players of the radial regression.", ge=10)
    ] = 200
    generated_players: Annotated[
        int,
        says("Players, at most, of generated games on which estimators are compared.", ge=10),
    ] = 280
    fitted_worlds: Annotated[
        int,
        says("Random laws, each with a model and explainers that are fitted to it.", ge=10),
    ] = 24
    fitted_rows: Annotated[
        int, says("Rows of these laws, at most, that explainers are trained on.", ge=30)
    ] = 300


class ClaimsBlock(Settings, frozen=True, kw_only=True):
    """What evidence is gathered with, and how sure verdicts are."""

    alpha: Annotated[
        float,
        says("Probability that any statistical verdict of the study is wrong.", gt=0, lt=0.5),
    ]

    @property
    def settings(self) -> Settings:
        """What evidence is gathered with; the error rate is what claims are judged by."""
        own = asdict(self)
        own.pop("alpha")
        return Settings(**own)
