"""Games of the default study, built as its jobs build them, and their Shapley values."""

from pathlib import Path

from shapaudit import datasets, models
from shapaudit.games import Game
from shapaudit.seeding import derive_seed, generator
from shapaudit.truth import Truth, shapley_exact
from shapaudit_audit.study.collection import GameCollection, build_collection
from shapaudit_audit.study.overlays import load_study

CONFIG = Path(__file__).parents[1] / "config" / "config.yaml"


def configuration() -> dict:
    """The default study."""
    return load_study(CONFIG)


def collection(config: dict, name: str) -> GameCollection:
    """The collection of games that the study gives this name."""
    game, seed = config["games"][name], config["seed"]
    model = config["models"][game["model"]]
    data = config["datasets"][model["dataset"]]
    rng = generator(seed, "dataset", model["dataset"])
    dataset = datasets.load(data["loader"], data.get("params", {}), rng)
    model_seed = derive_seed(seed, "model", game["model"]) % 2**31
    fitted = models.train(model["trainer"], dataset, model.get("params", {}), model_seed)
    return build_collection(
        name,
        dataset,
        fitted,
        game["reward"],
        game["explicands"],
        game.get("tuning_explicands", 0),
        generator(seed, "pairs", name),  # as in the study
        game.get("selection"),
    )


def solved(games: list[Game]) -> list[tuple[Game, Truth]]:
    """Each game with its exact Shapley values."""
    return [(game, shapley_exact(game)) for game in games]
