"""Results of a finished study, as a notebook reads them."""

from pathlib import Path

from ..study.reading import read_study
from .findings import Findings


class NoResults(FileNotFoundError):
    """A notebook was run before a study."""


def finished(results: str | Path, published: str | Path) -> Findings:
    """Findings of the study whose folder of results is given, and the values that papers print.

    Raises `NoResults` where the folder holds no study.
    """
    configuration = Path(results) / "study.yaml"
    if not configuration.exists():
        raise NoResults(
            f"there are no results of a study in {Path(results).resolve()}: run `make reproduce` "
            "first, or let `results` in the first cell of code name the folder of another study, "
            "'../results/smoke' after `make smoke`."
        )
    return Findings(results, read_study(configuration), published)
