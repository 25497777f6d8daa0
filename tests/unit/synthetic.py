"""Made-up results that follow the schemas, for tests of what is made of results."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import removal_tables
from made_explanations import write_explanations
from msgspec.structs import replace
from places import ROOT

from shapaudit.statistics.summaries import explicand_means
from shapaudit_audit.audit.audit import audit, document
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.papers import select
from shapaudit_audit.report.tasks import Task
from shapaudit_audit.study.blocks.games import GameBlock
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.blocks.studies import RemovalStudyBlock
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.fresh_seeds import repetition_seeds
from shapaudit_audit.study.places import Places
from shapaudit_audit.study.reading import read_study
from shapaudit_audit.study.results import write_table
from shapaudit_audit.study.sealed import write_document

ALPHA = 0.05  # of all statistical claims of a made-up study
PUBLISHED = {path.stem: path for path in (ROOT / "config" / "published").glob("*.csv")}


def study(name: str) -> Study:
    """A configuration of the repository with fewer explicands, seeds and budgets."""
    config = read_study(ROOT / "config" / f"{name}.yaml")
    return replace(
        config,
        games={key: replace(block, explicands=6) for key, block in config.games.items()},
        experiments={
            key: replace(block, repetitions=2, budgets=block.budgets[-4:])
            for key, block in config.experiments.items()
        },
        removal_studies={
            key: replace(block, fits=3, explicands=1, fewer={})
            for key, block in config.removal_studies.items()
        },
    )


def estimates(
    scales: dict[str, float],
    budgets=(100, 1000, 10000),
    explicands: int = 8,
    repetitions: int = 2,
    noise: float = 0.1,
    covered: float | None = 0.9,
    seed: int | list[int] = 0,
) -> pd.DataFrame:
    """Errors scale * difficulty / sqrt(budget) times log-normal noise, one scale per estimator.

    Intervals hold ``covered`` at the first budget, and less at each further one.
    """
    rng = np.random.default_rng(seed)
    difficulty = np.exp(rng.normal(size=explicands))
    rows = [
        {
            "study": "made-up",
            "experiment": "made-up",
            "game": "made-up",
            "estimator": name,
            "explicand": explicand,
            "repetition": repetition,
            "budget": budget,
            "evaluations": budget,
            "squared_error": float(
                (scale * difficulty[explicand] * np.exp(noise * rng.normal())) ** 2 / budget
            ),
            "truth_variance": 0.0,
            "coverage": np.nan if covered is None else covered - 0.02 * place,
        }
        for name, scale in scales.items()
        for explicand in range(explicands)
        for repetition in range(repetitions)
        for place, budget in enumerate(budgets)
    ]
    frame = pd.DataFrame(rows)
    place = frame.columns.get_loc("squared_error") + 1
    frame.insert(place, "squared_deviation", 0.9 * frame["squared_error"])
    return frame.assign(error=np.sqrt(frame["squared_error"]))


SCALES = {"paired-kernel-shap": 1.0, "me": 1.02, "leverage-shap": 0.5, "svarm": 6.0}


def task(
    name="chen-diabetes", scales=SCALES, explicands=16, seed=0, reference="paired-kernel-shap"
):
    """A task with two budgets and mean errors around these scales."""
    frame = estimates(scales, budgets=(100, 1000), explicands=explicands, seed=seed)
    same = {"name": name, "label": f"{name}, d = 10", "players": 10, "repetitions": 2}
    return Task(**same, reference=reference, active=4.0, means=explicand_means(frame))


def write_results(folder: Path, config: Study, audited: dict) -> Path:
    """A results folder of a study: estimates, settings, truths, scores, claims, provenance."""
    # Seeds of their own: which of two equal numbers is the larger is a matter of rounding.
    places = Places(folder)
    for place, (name, experiment) in enumerate(config.experiments.items()):
        _write_estimates(places, config, name, experiment, place)
    for place, (name, block) in enumerate(config.removal_studies.items()):
        _write_removals(places, name, block, place)
    for name, game in config.games.items():
        played = [config.explicands_of(e) for e in config.experiments.values() if e.game == name]
        _write_truth(_made(places.truth(name)), game, max([game.count, *played]))
    write_explanations(folder, config)
    for name, model in config.models.items():
        score = {"r2": 0.5, "rmse": 1.5} if model.trainer == "xgboost" else {}
        content = {"dataset": model.dataset, "trainer": model.trainer, "test_rows": 10}
        content |= {"score": score, "remark": "" if score else "the data have no target"}
        _seal(places.score(name), content)
    audited = audited | {"study": config.study}
    _seal(places.claims, audited)
    verdicts = [{"id": claim["id"], "found": "confirmed"} for claim in audited["claims"]]
    verified = json.dumps({"study": config.study, "claims": verdicts})
    Path(places.verified).write_text(verified, encoding="utf-8")
    provenance = {
        **{"study": config.study, "seed": 1, "configuration_sha256": "f" * 64},
        **{"git": {"commit": "0123456789abcdef", "dirty": True}, "python": "3"},
        **{"packages": {"numpy": "2"}, "system": "s", "processor": "p & q"},
    }
    _seal(places.provenance, provenance)
    for seed in repetition_seeds(config):
        _seal(Places(folder, f"repetitions/{seed}/").claims, audited)
    return folder


def _made(path: str) -> Path:
    """The path, whose folder is made."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    return Path(path)


def _seal(path: str, content: dict) -> None:
    write_document(_made(path), content)


def _write_estimates(
    places: Places, config: Study, name: str, experiment: ExperimentBlock, place: int
) -> None:
    frames, settings = {}, {}
    for k, estimator in enumerate(experiment.estimators):
        spec = config.estimators[estimator]
        errors = spec.estimator.endswith("monte-carlo")
        frame = estimates(
            {estimator: 1.0 + k / 10},
            experiment.budgets,
            config.explicands_of(experiment),
            experiment.repetitions,
            covered=0.9 if errors else None,
            seed=[place, k],
        )
        frames[estimator] = frame.drop(columns="error").assign(
            study=config.study, experiment=name, game=experiment.game
        )
        params, tuning = dict(spec.params), None
        if spec.tune:
            grid = spec.tune.grid
            params["scale"] = grid[1]
            tuning = {"parameter": "scale", "grid": grid, "errors": [1.0] * len(grid)}
            tuning |= {"chosen": grid[1], "evaluations": 1000}
        settings[estimator] = {
            "estimator": spec.estimator,
            "params": params,
            "tuning": tuning,
        }
    for batch, names in experiment.batches().items():
        table = pd.concat([frames[key] for key in names], ignore_index=True)
        write_table(table, _made(places.estimates(name, batch)), "estimates")
        _seal(places.settings(name, batch), {key: settings[key] for key in names})


def _write_removals(places: Places, name: str, block: RemovalStudyBlock, place: int) -> None:
    scales = {removal: 1.0 + k for k, removal in enumerate(block.removals)}
    for k, (batch, names) in enumerate(block.batches().items()):
        own = replace(block, removals=names)
        made = removal_tables.tables(own, scales, noise=0.01, seed=[place, k])
        for kind, table in made.items():
            write_table(table, _made(places.removals(name, batch, kind)), f"removal_{kind}")


def _write_truth(path: Path, game: GameBlock, explicands: int) -> None:
    """Values of such a size that errors of 10, 5 and 1 % need few, some and many evaluations."""
    players, method = game.players, game.truth.method
    certificate = {"permutations": "reference", "inversion": "bounded"}.get(method, "exact")
    bounds = {"reference": np.nan, "bounded": 1e-5, "exact": 0.0}
    check = game.truth.check or "none"
    frame = pd.DataFrame(
        {
            "explicand": np.repeat(np.arange(explicands), players),
            "player": np.tile(np.arange(players), explicands),
            "value": np.random.default_rng(1).normal(scale=0.2, size=explicands * players),
            "standard_error": 1e-4 if certificate == "reference" else 0.0,
            "bound": bounds[certificate],
            "certificate": certificate,
            "method": method,
            "check": check,
            "difference": np.nan if check == "none" else 1e-15,
        }
    )
    write_table(frame, path, "truth")


def small_audit(*changes: dict) -> dict:
    """An audit of made-up claims, one for each of some changes to the first."""
    claim = {
        **{"id": "xx99-01", "paper": "a_paper", "number": 1, "heading": "A heading"},
        **{"topic": "cost", "title": "A claim", "where": "Section 1", "words": ""},
        **{"statement": "$1=1$", "source": "paper", "statistical": False, "alpha": ALPHA},
        **{"status": "proved", "consequence": "stands", "reach": "", "summary": "It holds."},
        **{"setting": None, "hedges": "", "lacks": "", "matters": "", "numbers": {"one": 1}},
        **{"limits": [], "sample": {}, "rows": [], "evidence": "lem:x", "gathered": ["a_paper/x"]},
    }
    return document("made-up", ALPHA, [claim | change for change in changes or ({},)])


def real_audit(name: str = "made-up") -> dict:
    """The audit of all registered claims, on one small random game per collection."""
    rng = np.random.default_rng(2)
    games = [
        StudyGame.from_tables(game, np.concatenate([[[0.0]], rng.random((1, 31))], axis=1))
        for game in ("classification", "regression", "diabetes")
    ]
    settings = Settings(
        max_exact_dimension=6,
        brute_force_dimension=3,
        random_points=20,
        simulated_explicands=1,
        repetitions=100,
        iterations=40,
        interaction_games=10,
        radial_explicands=20,
        generated_players=10,
        fitted_worlds=10,
        fitted_rows=30,
    )
    published = {path.stem: path for path in (ROOT / "config" / "published").glob("*.csv")}
    context = Context(name, 1, tuple(games), settings, published=published)
    records = audit(select(), cache(lambda gather: gather(context)), ALPHA)
    return document(name, ALPHA, records)
