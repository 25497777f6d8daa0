"""benchopt's data sets: the games of the bank, by name."""

from benchopt import BaseDataset

from shapaudit.games import bank


class Dataset(BaseDataset):
    """A game whose Shapley values are known."""

    name = "bank"
    parameters = {"game": bank.names()}  # noqa: RUF012

    def get_data(self) -> dict:
        """The name, by which the objective loads the game."""
        return {"game": self.game}
