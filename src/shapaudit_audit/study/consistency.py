"""Faults between blocks of a configuration: budgets, numbers of explicands, samples, methods."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from shapaudit.estimators import create
from shapaudit.games.regression import MOST_TABULATED
from shapaudit.games.tabular import MAX_TABULATED_PLAYERS
from shapaudit.parameters import check_count, hint
from shapaudit.truth.inversion import BOUND
from shapaudit.truth.law import MOST_PLAYERS as MOST_UNDER_LAWS

from .law_collection import REWARD as EXPECTATION
from .layout import own_part, reference_of
from .regression_collection import REWARD as R_SQUARED
from .removal_consistency import removal_study_faults
from .samples import with_samples

REFERENCES = ("orbits", "permutations")  # methods of truth whose values have standard errors
OF_ANY_GAME = (
    "enumeration",
    "diagonal",
    "law",
    "law-numerical",
    *REFERENCES,
)  # methods that need values only
THRESHOLD = ("same-class", "chi-square")  # reward and trainer whose games are of one threshold
MOST_PLAYERS = {
    "diagonal": MAX_TABULATED_PLAYERS,
    "enumeration": MAX_TABULATED_PLAYERS,
    "law-numerical": MOST_UNDER_LAWS,
    "subsets": MOST_TABULATED,
}


def consistency_faults(config: Mapping) -> list[str]:
    """Faults of a configuration whose keys, references and parameters are valid."""
    faults: list[str] = []
    for name, game in config["games"].items():
        faults += _truth_faults(f"games.{name}.truth", game, config["models"][game["model"]])
        faults += _law_faults(f"games.{name}", game, config)
        faults += _selection_faults(f"games.{name}.selection", game)
        faults += _removal_faults(f"games.{name}", game)
    for name, experiment in config["experiments"].items():
        faults += _experiment_faults(f"experiments.{name}", experiment, config)
        games = experiment.get("explicands", config["games"][experiment["game"]]["explicands"])
        if experiment.get("role") == "comparison" and games < 2:
            faults.append(f"experiments.{name}: the limits of the report take 2 explicands or more")
    for name, path in config.get("paths", {}).items():
        faults += _path_faults(f"paths.{name}", path, config)
    for name, study in config.get("removal_studies", {}).items():
        faults += removal_study_faults(f"removal_studies.{name}", study, config)
    for name, search in config.get("architectures", {}).items():
        if search["widths"]["from"] > search["widths"]["to"]:
            faults.append(f"architectures.{name}.widths: from exceeds to; swap them")
    return faults


def told(error: Exception) -> str:
    """The message of an error, after its type unless it is a ValueError."""
    return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"


def _truth_faults(where: str, game: Mapping, model: Mapping) -> Iterator[str]:
    spec = game["truth"]
    methods = [spec[key] for key in ("method", "check") if key in spec]
    for method in methods:
        most = MOST_PLAYERS.get(method, game["players"])
        if game["players"] > most:
            yield f"{where}: {method} takes {most} players at most; choose another method"
        if "check" in spec and method in REFERENCES:
            yield f"{where}: a check needs exact methods; {method} is not exact, remove the check"
        if method == "inversion" and (game["reward"], model["trainer"]) != THRESHOLD:
            yield (
                f"{where}: inversion is for the reward {THRESHOLD[0]} of the trainer "
                f"{THRESHOLD[1]}; choose another method"
            )
        elif method == "inversion" and not 0 < (bound := _bound_of(spec)) < 1:
            yield f"{where}: the bound of inversion is {bound}; give one between 0 and 1"


def _bound_of(spec: Mapping) -> float:
    return spec.get("params", {}).get("bound", BOUND)


def _law_faults(where: str, game: Mapping, config: Mapping) -> Iterator[str]:
    dataset = config["models"][game["model"]]["dataset"]
    loader = config["datasets"][dataset]["loader"]
    methods = [game["truth"][key] for key in ("method", "check") if key in game["truth"]]
    under_law = [method for method in methods if method.startswith("law")]
    if game["reward"] != EXPECTATION:
        if under_law and not ("removal" in game and loader.endswith("-law")):
            yield (
                f"{where}.truth: {under_law[0]} is for the reward {EXPECTATION}, and for removals "
                "on data whose loader's name ends in -law; choose another method"
            )
    elif not loader.endswith("-law"):
        yield (
            f"{where}: the reward {EXPECTATION} needs data drawn from a law; the loader of "
            f"{dataset} is {loader}, choose one whose name ends in -law"
        )
    elif "baseline" in game or "selection" in game:
        yield f"{where}: games of {EXPECTATION} have no baselines; leave out baseline and selection"


def _selection_faults(where: str, game: Mapping) -> Iterator[str]:
    if "selection" not in game:
        return
    explicands, baselines = (len(game["selection"][key]) for key in ("explicands", "baselines"))
    if game["reward"] == R_SQUARED:
        yield f"{where}: games of {R_SQUARED} have no explicands; leave it out"
    elif explicands != baselines or explicands > game["explicands"]:
        yield (
            f"{where}: {explicands} explicands and {baselines} baselines; give equally many, at "
            f"most the {game['explicands']} explicands of the experiment"
        )


def _removal_faults(where: str, game: Mapping) -> Iterator[str]:
    if "removal" not in game:
        return
    if game["reward"] != "prediction":
        yield f"{where}: a removal takes the reward prediction, not {game['reward']}"
    for key in ("baseline", "selection"):
        if key in game:
            yield f"{where}: games of a removal have no baselines; leave out {key}"
    for method in (game["truth"][key] for key in ("method", "check") if key in game["truth"]):
        if method not in OF_ANY_GAME:
            yield (
                f"{where}.truth: {method} knows no removals; take one of {', '.join(OF_ANY_GAME)}"
            )


def _experiment_faults(where: str, experiment: Mapping, config: Mapping) -> Iterator[str]:
    name, budgets = experiment["game"], experiment["budgets"]
    game = config["games"][name]
    if max(experiment.get("explicands", 0), experiment.get("keep", 0)) > game["explicands"]:
        yield f"{where}: explicands exceeds the {game['explicands']} of {name}"
    if any(b <= a for a, b in pairwise(budgets)):
        yield f"{where}: budgets must increase"
    yield from _costly_faults(where, experiment, config)
    for key in experiment["estimators"]:
        spec, budgets = config["estimators"][key], own_part(experiment, key)["budgets"]
        if not budgets:
            continue
        try:
            minimum = _minimum_budget(key, spec, game["players"])
        except ValueError as error:
            yield f"{where}: {error}"
            continue
        if budgets[-1] < minimum:
            yield (
                f"{where}: the budget {budgets[-1]} is below the minimum of {key}, {minimum} "
                f"evaluations for {game['players']} players"
            )
        if "tune" in spec and game.get("tuning_explicands", 0) == 0:
            yield f"{where}: {key} is tuned, but {name} has no tuning_explicands"
        if "tune" in spec and "keep" in experiment:
            yield f"{where}: keep would take {key} before it is tuned; leave out either"


def _costly_faults(where: str, experiment: Mapping, config: Mapping) -> Iterator[str]:
    most = experiment.get("explicands", config["games"][experiment["game"]]["explicands"])
    for key, limits in experiment.get("costly", {}).items():
        named, least = key in experiment["estimators"], experiment["budgets"][0]
        if key not in config["estimators"]:
            known = config["estimators"]
            yield f"{where}.costly: unknown estimator {key!r}{hint(key, known)}"
        elif named and limits.get("evaluations", least) < least:
            yield (
                f"{where}.costly: {key} gets no budget with {limits['evaluations']} evaluations; "
                "raise them, or take it from estimators"
            )
        elif not named and limits.get("evaluations") != 0:
            yield f"{where}.costly: {key} is not under estimators; add it, or say evaluations: 0"
        elif limits.get("explicands", 0) > most:
            yield f"{where}.costly: explicands of {key} exceeds the {most} of the experiment"
        elif named and "keep" in experiment:
            yield f"{where}: keep would take {key} in full; leave out keep or costly"
        elif key == reference_of(experiment):
            yield f"{where}.costly: all others are compared with {key}; it runs in full"


def _minimum_budget(key: str, spec: Mapping, players: int) -> int:
    """Smallest budget of an estimator of the configuration; raises ValueError naming it."""
    what = f"minimum_budget({players}) of {key}"
    estimator = create(spec["estimator"], spec.get("params"))
    try:
        minimum = estimator.minimum_budget(players)
    except Exception as error:  # a user's class may raise any
        raise ValueError(f"{what} fails: {type(error).__name__}: {error}") from error
    check_count(what, minimum, 1, ValueError)
    return minimum


def _path_faults(where: str, path: Mapping, config: Mapping) -> Iterator[str]:
    game = config["games"][path["game"]]
    if path["explicands"] > game["explicands"]:
        yield f"{where}: explicands exceeds the {game['explicands']} of {path['game']}"
    if path["samples"] < path["step"]:
        yield f"{where}: samples is below step, the first number of samples"
    for key in path["estimators"]:
        spec = config["estimators"][key]
        if "tune" in spec:
            yield f"{where}: {key} would not be tuned; give its parameter in params"
        try:
            estimator = create(spec["estimator"], spec.get("params"))
            with_samples(estimator, path["step"], game["players"])
        except Exception as error:
            yield f"{where}: {key} cannot be run with {path['step']} samples: {told(error)}"
