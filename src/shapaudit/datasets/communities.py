"""Communities and Crime, unnormalised (Redmond 2011), UCI Machine Learning Repository.

The real dataset of about as many features as the 79 of NHANES I in Chen, Covert, Lundberg and Lee
(2023), Appendix A.1.2, for which it stands in.
"""

import numpy as np

from ..registers import loader
from . import download
from .base import Dataset, fill_with_medians, random_split

TARGET = "ViolentCrimesPerPop"
_IDENTIFIERS = 5  # leading columns: name, state, codes, fold
_CRIMES = 18  # trailing columns: counts and rates of crimes, among them the target

SOURCE = download.Source(
    name="communities",
    url=(
        "https://raw.githubusercontent.com/shap/shap/"
        "edb34644a218127437f9e6bb1588bc3246a2c222/data/CommViolPredUnnormalizedData.txt"
    ),
    size=1_555_520,
    sha256="b090072d0e8d140a936d2411704ed29b2681e4805b805a9c8c6bdb072c5416c3",
    filename="CommViolPredUnnormalizedData.txt",
    licence="CC BY 4.0",
    mirrors=(download.ARCHIVE,),
)


@loader("communities")
def load(rng: np.random.Generator) -> Dataset:
    """1,994 communities, 102 features, violent crimes per 100,000 inhabitants.

    Left out: identifiers, all other counts and rates of crimes (they add up to the target),
    communities without target, and columns that are missing in more than half of the others (the
    police survey reached large towns only). What is still missing is the median of its column. The
    split is drawn from `rng`.

    Raises
    ------
    DownloadError
        When the file is not there and cannot be downloaded.
    """
    import pandas  # a third of a second, only where it is used

    table = pandas.read_csv(download.fetch(SOURCE, download.DIRECTORY), na_values="?")
    table = table[table[TARGET].notna()]
    features = table.iloc[:, _IDENTIFIERS:-_CRIMES]
    features = features.loc[:, features.isna().mean() <= 0.5]
    return Dataset(
        name="communities",
        features=fill_with_medians(features.to_numpy(dtype=np.float64)),
        target=table[TARGET].to_numpy(),
        feature_names=tuple(features.columns),
        split=random_split(len(features), rng),
        provenance="UCI Machine Learning Repository, Communities and Crime Unnormalized",
    )
