"""Whether the user's files and functions that a configuration names can be used.

Only their presence and form are checked; their results are checked by the first job that uses them.
"""

from collections.abc import Iterator
from pathlib import Path

from shapaudit.datasets import DatasetError
from shapaudit.datasets.game_tables import game_files
from shapaudit.datasets.mixed import named_players
from shapaudit.datasets.table import feature_names
from shapaudit.models import ModelError
from shapaudit.models.own import function_at
from shapaudit.models.predictors import function_in

from .blocks.study import Study
from .faults import refuse

FUNCTION, BOOSTER, MIXED = "function", "xgboost-file", "mixed"
GAMES = "game-tables"
READERS = {"csv": feature_names, MIXED: named_players}  # of the players of a table, by loader


def check_outside(config: Study) -> None:
    """Raise `ConfigError` listing files that cannot be read, or functions that cannot be called.

    Checked are the encoding and header of a table, and that a booster is JSON. ``config`` is
    valid.
    """
    faults = [*_table_faults(config), *_model_faults(config)]
    refuse(faults, "files or functions that the study names cannot be used")


def _table_faults(config: Study) -> Iterator[str]:
    players = {}
    for name, spec in config.datasets.items():
        if spec.loader in READERS:
            try:
                players[name] = len(READERS[spec.loader](**spec.params))
            except DatasetError as error:
                yield f"datasets.{name}: {error}"
        elif spec.loader == GAMES:
            yield from _faults_of_games(name, config)
    for name, game in config.games.items():
        dataset = config.models[game.model].dataset
        if players.get(dataset, game.players) != game.players:
            yield (
                f"games.{name}: players is {game.players}, and {dataset} has {players[dataset]} "
                "features; correct it, or name columns under drop"
            )


def _faults_of_games(dataset: str, config: Study) -> Iterator[str]:
    """Whether there are as many files as games are asked for."""
    path = config.datasets[dataset].params["path"]
    try:
        files = len(game_files(path))
    except DatasetError as error:
        yield f"datasets.{dataset}: {error}"
        return
    for name, game in config.games.items():
        if config.models[game.model].dataset == dataset and game.count > files:
            yield (
                f"games.{name}: takes {game.count} games, and {path} has {files}; lower explicands "
                "and tuning_explicands, or add files"
            )


def _model_faults(config: Study) -> Iterator[str]:
    for name, spec in config.models.items():
        params = spec.params
        if spec.trainer == FUNCTION:
            try:
                function_at(params["function"])
            except ModelError as error:
                yield f"models.{name}: {error}"
        elif spec.trainer == BOOSTER and (fault := _booster_fault(Path(params["path"]))):
            yield f"models.{name}: {params['path']} {fault}"
        elif spec.trainer == MIXED and (fault := _predictor_fault(params["predictor"])):
            yield f"models.{name}: {fault}"


def _predictor_fault(predictor: str) -> str:
    """Why a function cannot be loaded, or that a file is missing; "" where there is no fault."""
    if ":" in predictor:
        try:
            function_in(predictor)
        except DatasetError as error:
            return str(error)
    elif not Path(predictor).is_file():
        return f"{predictor} does not exist; save the model there or correct the path"
    return ""


def _booster_fault(file: Path) -> str:
    try:
        with file.open("rb") as content:
            begins = content.read(1)
    except OSError as error:
        return f"cannot be read ({error.strerror}); save the booster there or correct the path"
    if begins != b"{":
        return f"is no XGBoost model in JSON; write it with save_model('{file}')"
    return ""
