"""Jobs from data to games: data sets, models, searches, removals, tables of values, truths."""

from typing import Any

from ..study.blocks.base import asked
from ..study.costs import truth_evaluations
from ..study.own import data_files, own_sources
from ..study.own_removals import removal_files
from .base import SECOND, Job, OnGames, schema_path, walkers


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
        return max(
            (walkers(game) for game in games if game.model == self.names["model"]), default=1
        )


class SearchArchitecture(Job):
    """Train perceptrons of random architectures, and rank them."""

    script, entries, entry = "search_architecture", "architectures", "architecture"

    def inputs(self) -> dict[str, Any]:
        return {"dataset": self.places.dataset(self.block.dataset)}

    def sources(self) -> list[str]:
        return []

    def priority(self) -> int:
        return SECOND


class FitRemoval(Job):
    """Fit a removal to the training rows of a model's data set."""

    script, entries, entry = "fit_removal", "removals", "removal"

    def inputs(self) -> dict[str, Any]:
        name = self.names["model"]
        return {
            "dataset": self.places.dataset(self.study.models[name].dataset),
            "model": self.places.model(name),
            "own": data_files(self.block),
        }

    def sources(self) -> list[str]:
        return [*own_sources(self.study.models[self.names["model"]]), *removal_files(self.block)]


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

    def threads(self) -> int:
        return 1

    def evaluations(self) -> int:
        given = self.block.reward == "table" or not self.block.tabulated
        return 0 if given else self.block.count * 2**self.block.players


class ComputeTruth(BuildGames):
    """Compute the Shapley values of a collection of games."""

    script = "compute_truth"

    def inputs(self) -> dict[str, Any]:
        return {
            "games": self.places.games(self.game),
            "model": self.places.model(self.block.model),
            "schema": schema_path("truth"),
        }

    def asked(self) -> dict[str, Any]:
        return {"seed": self.seed, "truth": asked(self.block.truth)}

    def threads(self) -> int:
        return walkers(self.block)

    def evaluations(self) -> int:
        return truth_evaluations(self.block)
