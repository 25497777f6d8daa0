"""Collections of regression games: one per regression of a model."""

from dataclasses import dataclass
from typing import ClassVar

from shapaudit.games import Game, GameError, RegressionGame
from shapaudit.games.regression_penalised import PenalisedRegressionGame
from shapaudit.models import LeastSquares, Model

from .collection_base import Collection

REWARD = "r-squared"


@dataclass(frozen=True, eq=False)
class RegressionCollection(Collection):
    """Games of R^2: the first ``n_regressions`` regressions of the model, in their order."""

    saved: ClassVar = ("name", "reward", "n_regressions", "n_experiment")

    model: LeastSquares
    n_regressions: int
    reward: str = REWARD

    @property
    def n_players(self) -> int:
        """Number of features d."""
        return self.model.n_features

    @property
    def n_games(self) -> int:
        """Number of regressions, those for tuning included."""
        return self.n_regressions

    def structured(self, number: int) -> Game:
        """The game as the model defines it."""
        problems = self.model.regressions[number]
        if self.model.fit == "least-squares":
            return RegressionGame(problems, self.label(number))
        return PenalisedRegressionGame(
            problems, self.model.fit, self.model.penalty, self.label(number)
        )


def build_regressions(
    name: str, model: Model, games: int, tuning_games: int
) -> RegressionCollection:
    """The games of the model's first regressions, tabulated up to 20 features.

    ``games`` of them are for experiments and the next ``tuning_games`` for tuning. Raises
    `GameError` when the model is not least squares, or has too few regressions.
    """
    wanted = games + tuning_games
    if not isinstance(model, LeastSquares) or len(model.regressions) < wanted:
        raise GameError(
            f"the reward r-squared of {name} needs a least-squares model with problems: {wanted}."
        )
    return RegressionCollection(name, model, games, None, wanted).tabulated()
