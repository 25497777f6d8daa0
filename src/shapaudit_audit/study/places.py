"""Where the files of a study are: of its results, and of the repetition of a part of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .blocks.runs import ExperimentBlock
from .blocks.studies import ExplanationStudyBlock, RemovalStudyBlock

REMOVAL_TABLES = ("values", "fits", "rows", "refusals")  # of each job of a study of removals


def _at(place: str) -> Callable[..., str]:
    """The method that gives a place below the results; what is in braces are its arguments."""
    named = re.findall(r"{(\w+)}", place)

    def path(places: "Places", *given: str) -> str:
        names = dict(zip(named, given, strict=True))
        return f"{places.results}/{places.run}{place.format(**names)}"

    return path


@dataclass(frozen=True)
class Places:
    """Paths of results by the names of what they belong to, patterns of a workflow included.

    A batch is a job of several estimators, models or removals, named by the first.

    Attributes
    ----------
    results : folder of the study's results
    run : "" for the study itself, "repetitions/<seed>/" for its part from another base seed
    """

    results: str | Path
    run: str = ""

    dataset = _at("datasets/{dataset}.npz")
    model = _at("models/{model}")
    score = _at("models/{model}.score.json")
    removal = _at("removals/{model}/{removal}")
    games = _at("games/{games}")
    truth = _at("truth/{games}.parquet")
    estimates = _at("estimates/{experiment}/{batch}.parquet")
    settings = _at("estimates/{experiment}/{batch}.json")  # parameters of these estimators
    kept = _at("kept/{experiment}.parquet")
    path = _at("paths/{path}.parquet")
    architecture = _at("architectures/{search}.json")
    explanations = _at("explanations/{study}/{batch}.parquet")
    attributions = _at("explanations/{study}/{batch}.kept.parquet")
    removals = _at("removal_studies/{study}/{batch}.{table}.parquet")
    evidence = _at("evidence/{paper}.json")
    claims = property(_at("claims/claims.json"))
    verified = property(_at("claims/verified.json"))
    study = property(_at("study.yaml"))
    provenance = property(_at("provenance.json"))

    def all_estimates(self, experiments: Mapping[str, ExperimentBlock]) -> list[str]:
        """Tables of all jobs of some experiments."""
        return [self.estimates(*job) for job in _jobs(experiments)]

    def all_settings(self, experiments: Mapping[str, ExperimentBlock]) -> list[str]:
        """Their files of parameters."""
        return [self.settings(*job) for job in _jobs(experiments)]

    def all_explanations(self, studies: Mapping[str, ExplanationStudyBlock]) -> list[str]:
        """Tables of all jobs of some explanation studies."""
        return [
            place(*job)
            for job in _jobs(studies)
            for place in (self.explanations, self.attributions)
        ]

    def all_removals(self, studies: Mapping[str, RemovalStudyBlock]) -> list[str]:
        """Tables of all jobs of some studies of removals."""
        return [self.removals(*job, table) for job in _jobs(studies) for table in REMOVAL_TABLES]


def _jobs(
    entries: Mapping[str, ExperimentBlock | ExplanationStudyBlock | RemovalStudyBlock],
) -> list[tuple[str, str]]:
    return [(name, batch) for name, block in entries.items() for batch in block.batches()]
