"""benchopt's solvers: any estimator that `shapaudit.create` knows by name."""

from functools import partial

import numpy as np
from benchopt import BaseSolver
from benchopt.stopping_criterion import StoppingCriterion

import shapaudit
from shapaudit.estimators.checked_runs import run_once
from shapaudit.games import Game
from shapaudit.judging.judgement import BUDGETS
from shapaudit.seeding import generator


class LargestBudget(StoppingCriterion):
    """Ends a curve at the largest budget."""

    def check_convergence(self, curve: list[dict]) -> tuple[bool, float]:
        """Whether it was reached, and the share of it that was."""
        spent = curve[-1]["stop_val"]
        return spent >= BUDGETS[-1], spent / BUDGETS[-1]


class Solver(BaseSolver):
    """An estimator, run anew with every budget; all values are 0 until its least budget."""

    name = "shapaudit"
    parameters = {"estimator": list(shapaudit.list_estimators())}  # noqa: RUF012
    stopping_criterion = LargestBudget(strategy="iteration")

    def set_objective(self, game: Game, name: str) -> None:
        """Take the game and the seed of this repetition."""
        self.game, self.name_of_game = game, name
        self.seed = self.get_seed(use_repetition=True)

    def warm_up(self) -> None:
        """A run that is not timed, in which kernels are compiled."""
        self.run(BUDGETS[-1])

    def get_next(self, budget: int) -> int:
        """The next of the budgets of `shapaudit judge`."""
        return next((larger for larger in BUDGETS if larger > budget), budget)

    def run(self, budget: int) -> None:
        """An estimate with as many evaluations, counted; one that takes more is stopped."""
        estimator, d = shapaudit.create(self.estimator), self.game.n_players
        self.values, self.evaluations = np.zeros(d), 0
        if budget >= estimator.minimum_budget(d):
            generator_of = partial(generator, self.seed, "benchopt", self.name_of_game)
            (estimate,) = run_once(estimator, self.game, [budget], generator_of)
            self.values, self.evaluations = estimate.values, int(estimate.evaluations)

    def get_result(self) -> dict:
        """What the objective evaluates."""
        return {"values": self.values, "evaluations": self.evaluations}
