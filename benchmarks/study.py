"""Games of the default study, built as its jobs build them, and their Shapley values."""

from pathlib import Path

from shapaudit import datasets, models
from shapaudit.games import Game
from shapaudit.seeding import derive_seed, generator
from shapaudit.truth import Truth, shapley_exact
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.collection import GameCollection, build_collection
from shapaudit_audit.study.reading import read_study

CONFIG = Path(__file__).parents[1] / "config" / "config.yaml"


def configuration() -> Study:
    """The default study."""
    return read_study(CONFIG)


def collection(config: Study, name: str) -> GameCollection:
    """The collection of games that the study gives this name."""
    game, seed = config.games[name], config.seed
    model = config.models[game.model]
    data = config.datasets[model.dataset]
    dataset = datasets.load(data.loader, data.params, generator(seed, "dataset", model.dataset))
    model_seed = derive_seed(seed, "model", game.model) % 2**31
    fitted = models.train(model.trainer, dataset, model.params, model_seed)
    return build_collection(
        name,
        dataset,
        fitted,
        game.reward,
        game.explicands,
        game.tuning_explicands,
        generator(seed, "pairs", name),  # as in the study
        game.selection,
    )


def solved(games: list[Game]) -> list[tuple[Game, Truth]]:
    """Each game with its exact Shapley values."""
    return [(game, shapley_exact(game)) for game in games]
