"""Choose the explicands of one collection of games; tabulate the games of few players."""

from shapaudit import datasets
from shapaudit.games import GameError
from shapaudit.models import load_model
from shapaudit.removals import load_removal
from shapaudit.seeding import generator
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.games import ChosenGames
from shapaudit_audit.study.collection import build_collection
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.removal_collection import build_removal_games

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.game, snakemake.params.asked
block = record(ChosenGames, asked["games"])
dataset = datasets.read(snakemake.input.dataset)
if dataset.n_features != block.players:
    raise GameError(
        f"games.{name}.players is {block.players}, but the dataset has {dataset.n_features} "
        "features; correct the configuration."
    )
model, seed = load_model(snakemake.input.model), asked["seed"]
rng = generator(seed, "pairs", name)  # of explicand and baseline: part of the seed's name
counts = block.explicands, block.tuning_explicands
if block.removal:
    fitted = load_removal(snakemake.input.removal, model)
    collection = build_removal_games(name, dataset, fitted, *counts, rng, seed)
else:
    collection = build_collection(
        name, dataset, model, block.reward, *counts, rng, block.selection, block.baseline
    )
collection.save(snakemake.output[0])
logger.info("%s: %d games of %d players", name, collection.n_games, collection.n_players)
