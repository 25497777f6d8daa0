"""National Health and Nutrition Examination Survey I: a subset of 18 features.

A stand-in: Chen, Covert, Lundberg and Lee (2023), Appendix A.1.2, use 79 features of 14,264 persons
and the same outcome. This is the smaller table that comes with the shap package.
"""

import numpy as np

from ..registers import loader
from . import download
from .base import Dataset, fill_with_medians, random_split

YEARS = 5.0
# The survey is of the government of the United States; the package in which the table is has MIT.
LICENCE = "public domain"

_FOLDER = (
    "https://raw.githubusercontent.com/shap/shap/edb34644a218127437f9e6bb1588bc3246a2c222/data/"
)
FEATURES = download.Source(
    name="nhanes",
    url=_FOLDER + "NHANESI_subset_X.csv",
    size=1_330_672,
    sha256="cef5336deb83640da63adb3a36ddd436da49f685480c87a37c8b2959602bcb99",
    filename="NHANESI_subset_X.csv",
    licence=LICENCE,
    mirrors=(download.ARCHIVE,),
)
OUTCOMES = download.Source(
    name="nhanes",
    url=_FOLDER + "NHANESI_subset_y.csv",
    size=231_939,
    sha256="a26b0d295c0bbad0aa8034be8598274e35bd43c98e5a25cfcb407453cae4d7aa",
    filename="NHANESI_subset_y.csv",
    licence=LICENCE,
    mirrors=(download.ARCHIVE,),
)


@loader("nhanes")
def load(rng: np.random.Generator) -> Dataset:
    """9,550 persons, 18 features, 1 for a death within five years and 0 for survival.

    The file gives years until death, or minus the years until a person was last seen alive. Those
    last seen alive before five years have no outcome and are left out. Missing measurements are
    medians of their columns. The split is drawn from `rng`.

    Raises
    ------
    DownloadError
        When a file is not there and cannot be downloaded.
    """
    import pandas  # a third of a second, only where it is used

    table = pandas.read_csv(download.fetch(FEATURES, download.DIRECTORY), index_col=0)
    years = pandas.read_csv(download.fetch(OUTCOMES, download.DIRECTORY), index_col=0)["y"]
    dead, followed = ~np.signbit(years.to_numpy()), np.abs(years.to_numpy())
    known = dead | (followed >= YEARS)
    features = fill_with_medians(table.to_numpy(dtype=np.float64)[known])
    return Dataset(
        name="nhanes",
        features=features,
        target=(dead & (followed < YEARS))[known],
        feature_names=tuple(table.columns),
        split=random_split(len(features), rng),
        provenance="NHANES I, subset of 18 features distributed with shap (a stand-in for 79)",
    )
