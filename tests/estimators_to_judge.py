"""Estimators that are honest, and some that are not."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from shapaudit.estimators import Estimate, Estimator
from shapaudit.games import GameError, bank


def of_marginals(game, budget, rng):
    """Marginal contributions along random orders: values and evaluations."""
    d = game.n_players
    orders = (budget - 1) // d
    values, empty = np.zeros(d), game(np.zeros((1, d), dtype=bool))[0]
    for _ in range(orders):
        order = rng.permutation(d)
        prefixes = np.tril(np.ones((d, d), dtype=bool))[:, np.argsort(order)]
        values[order] += np.diff(game(prefixes), prepend=empty)
    return values / orders, 1 + d * orders


@dataclass(frozen=True)
class Honest(Estimator):
    """Random orders."""

    id: ClassVar[str] = "honest"

    def minimum_budget(self, n_players):
        return n_players + 1

    def estimate(self, game, budget, rng):
        return Estimate(*of_marginals(game, budget, rng))


class Spendthrift(Honest):
    """It asks for more than it may."""

    def estimate(self, game, budget, rng):
        return Estimate(*of_marginals(game, 2 * budget, rng))


class Liar(Honest):
    """It asks for more than it says."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        return Estimate(values, spent - 1)


class Global(Honest):
    """It draws from the global generator."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        return Estimate(values + np.random.rand(game.n_players), spent)  # noqa: NPY002


class Fresh(Honest):
    """It draws from a generator of its own."""

    def estimate(self, game, budget, rng):
        return Estimate(*of_marginals(game, budget, np.random.default_rng()))


class Peeping(Honest):
    """It takes the whole table from the memory of the game."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        cells = {cell.cell_contents for cell in inner(game) if hasattr(cell.cell_contents, "name")}
        return Estimate(values + sum(cell.values.sum() for cell in cells), spent)


def inner(game):
    """The closure of the function that a hidden game is, behind its counter."""
    (counted,) = (cell.cell_contents for cell in type(game).__call__.__closure__)
    return counted.game._values.__closure__


class Unwrapping(Honest):
    """It takes the game behind the counter."""

    def estimate(self, game, budget, rng):
        return Estimate(*of_marginals(game.game, budget, rng))


class Resetting(Honest):
    """It sets what has been counted back to nothing."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        game.evaluations = 0
        return Estimate(values, spent)


class Lavish(Honest):
    """It gives itself a larger budget."""

    def estimate(self, game, budget, rng):
        game.budget = 10 * budget
        return Estimate(*of_marginals(game, budget, rng))


class Careful(Honest):
    """It draws from a generator of its own, but where the conduct is looked at first."""

    def estimate(self, game, budget, rng):
        rng = rng if budget == 100 else np.random.default_rng()
        return Estimate(*of_marginals(game, budget, rng))


class Keeping(Honest):
    """It keeps what it has found, but where the conduct is looked at first."""

    found: ClassVar[dict[tuple[int, int], np.ndarray]] = {}

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        if budget != 100:
            values = (values + self.found.get((game.n_players, budget), values)) / 2
            self.found[game.n_players, budget] = values
        return Estimate(values, spent)


class Reader(Honest):
    """It opens the bank, where the answers are."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        return Estimate(values + 0 * bank.load("noise-8").values.sum(), spent)


class Remembering(Honest):
    """It is better the second time."""

    times: ClassVar[list[int]] = []

    def estimate(self, game, budget, rng):
        self.times.append(1)
        values, spent = of_marginals(game, budget, rng)
        return Estimate(values / len(self.times), spent)


class Sly(np.ndarray):
    """An array whose difference from anything is nothing."""

    def __sub__(self, other):
        return np.zeros(np.shape(other))


class Subtle(Honest):
    """Its values are an array of a class of its own."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        return Estimate((values + 1).view(Sly), spent)


class Sharing(Honest):
    """It gives the same array each time, with other values from a generator of its own."""

    shared: ClassVar[dict[int, np.ndarray]] = {}

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, np.random.default_rng())
        own = self.shared.setdefault(game.n_players, np.zeros(game.n_players))
        own[:] = values
        return Estimate(own, spent)


class Few(int):
    """A number that differs from no other."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


class Understating(Honest):
    """It reports a number of a class of its own."""

    def estimate(self, game, budget, rng):
        values, _ = of_marginals(game, budget, rng)
        return Estimate(values, Few(1))


class Forking(Honest):
    """It asks in another process, where nothing is counted."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        reading, writing = os.pipe()
        if not (child := os.fork()):
            try:
                game(np.zeros((1, game.n_players), dtype=bool))
                told = b"asked"
            except GameError:
                told = b"refused"
            os.write(writing, told)
            os._exit(0)
        os.waitpid(child, 0)
        if os.read(reading, 9) == b"refused":
            raise RuntimeError("the child was refused")
        return Estimate(values, spent)


class Linked(Honest):
    """It opens the bank by another name."""

    def estimate(self, game, budget, rng):
        with tempfile.TemporaryDirectory() as folder:
            link = Path(folder, "mine")
            link.symlink_to(bank.TABLES)
            link.read_bytes()
        return Estimate(*of_marginals(game, budget, rng))


class Asking(Honest):
    """It lets another program open the bank."""

    def estimate(self, game, budget, rng):
        subprocess.run(["cat", str(bank.TABLES)], stdout=subprocess.DEVNULL, check=True)
        return Estimate(*of_marginals(game, budget, rng))


class Choosy(Honest):
    """It enters some games only."""

    asked: ClassVar[list[int]] = []

    def minimum_budget(self, n_players):
        self.asked.append(n_players)
        return n_players + 1 if len(self.asked) % 2 else 10**6


class Rounding(Honest):
    """Its last digit changes from run to run, as that of sums over threads may."""

    def estimate(self, game, budget, rng):
        values, spent = of_marginals(game, budget, rng)
        noise = np.random.default_rng().uniform(-1e-15, 1e-15, size=len(values))
        return Estimate(values * (1 + noise), spent)
