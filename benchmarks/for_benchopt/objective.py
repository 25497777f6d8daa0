"""benchopt's objective: the relative error of Shapley values, by counted evaluations."""

import numpy as np
from benchopt import BaseObjective

from shapaudit.games import bank
from shapaudit.judging.conduct import HiddenGame


class Objective(BaseObjective):
    """Euclidean norm of the error over that of the Shapley values, as `shapaudit judge` has it."""

    name = "Shapley values"
    sampling_strategy = "iteration"  # of which each is an evaluation of the game

    def set_data(self, game: str) -> None:
        """A game of the bank by its name."""
        self.solved = bank.load(game)

    def get_objective(self) -> dict:
        """The game as solvers see it: its number of players, and values of coalitions."""
        return {"game": HiddenGame(self.solved.game.values), "name": self.solved.name}

    def evaluate_result(self, values: np.ndarray, evaluations: int) -> dict:
        """The error of estimated values (d,), and the evaluations that were counted."""
        off = np.linalg.norm(values - self.solved.values) / np.linalg.norm(self.solved.values)
        return {"value": float(off), "evaluations": evaluations}

    def get_one_result(self) -> dict:
        """What a solver that has evaluated nothing gives."""
        return {"values": np.zeros_like(self.solved.values), "evaluations": 0}
