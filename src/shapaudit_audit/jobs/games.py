"""Jobs from data to games: data sets, models, searches, removals, tables of values, truths."""

from collections.abc import Iterable
from typing import Any

from ..study.blocks.base import asked
from ..study.costs import truth_evaluations
from ..study.own import OwnBlock
from .base import Job, OnGames, walkers


class LoadDataset(Job):
    """Generate a data set, or load it."""

    script, entries, entry = "load_dataset", "datasets", "dataset"


class TrainModel(Job):
    """Train a model and score it."""

    script, entries, entry = "train_model", "models", "model"

    def inputs(self) -> dict[str, Any]:
        return {"dataset": self.places.dataset(self.block.dataset), **super().inputs()}

    def threads(self) -> int:
        """The reduction of rows shares as many as the walks on the model's games."""
        games = self.study.games.values()
        return walkers(game for game in games if game.model == self.names.get("model"))


class SearchArchitecture(TrainModel):
    """Train perceptrons of random architectures, and rank them."""

    script, entries, entry = "search_architecture", "architectures", "architecture"


class FitRemoval(Job):
    """Fit a removal to the training rows of a model's data set."""

    script, entries, entry = "fit_removal", "removals", "removal"

    def runs(self) -> Iterable[OwnBlock]:
        return [self.study.models[self.names["model"]], self.block]

    def inputs(self) -> dict[str, Any]:
        name = self.names["model"]
        dataset = self.places.dataset(self.study.models[name].dataset)
        return {"dataset": dataset, "model": self.places.model(name), **super().inputs()}


class BuildGames(OnGames):
    """Choose explicands, and tabulate the games of few players."""

    script, entries, entry = "build_games", "games", "game"

    @property
    def game(self) -> str:
        return self.names["game"]

    def inputs(self) -> dict[str, Any]:
        model, removal = self.block.model, self.block.removal
        return {
            "dataset": self.places.dataset(self.model.dataset),
            "model": self.places.model(model),
            "removal": self.places.removal(model, removal) if removal else [],
        }

    def asked(self) -> dict[str, Any]:
        """The block without what is said of the truth."""
        block = asked(self.block)
        return {"seed": self.seed, "games": {k: v for k, v in block.items() if k != "truth"}}

    def evaluations(self) -> int:
        given = self.block.reward == "table" or not self.block.tabulated
        return 0 if given else self.block.count * 2**self.block.players


class ComputeTruth(BuildGames):
    """Compute the Shapley values of a collection of games."""

    script, tables = "compute_truth", ("truth",)

    def inputs(self) -> dict[str, Any]:
        model = self.places.model(self.block.model)
        return {"games": self.places.games(self.game), "model": model, **Job.inputs(self)}

    def asked(self) -> dict[str, Any]:
        return {"seed": self.seed, "truth": asked(self.block.truth)}

    def threads(self) -> int:
        return walkers([self.block])

    def evaluations(self) -> int:
        return truth_evaluations(self.block)
