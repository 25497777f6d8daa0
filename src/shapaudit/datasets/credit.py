"""Credit card clients and their defaults (Yeh & Lien 2009), as Okhrati & Lipani 2021 use them."""

import numpy as np

from ..registers import loader
from . import download
from .base import Dataset, standardised, three_parts, with_bias_input

N_FEATURES = 15
TARGET = "default.payment.next.month"

SOURCE = download.Source(
    name="credit",
    url=(
        "https://raw.githubusercontent.com/meauxt/credit-card-default/"
        "4c68fc4af00efee0bff7f8379f2a8effa8919940/"
        "credit_cards_dataset.csv"
    ),
    size=2_862_995,
    sha256="a0f0ab49d6326671d6cd83be5c88dcf18007025fe9a53ecd699119c871176ca1",
    filename="credit_cards_dataset.csv",
    licence="CC BY 4.0",
    mirrors=(download.ARCHIVE,),
)


@loader("credit")
def load(rng: np.random.Generator, *, bias: bool = False) -> Dataset:
    """The first 15 of 23 features as z-scores, and 1 for a default in the next month.

    Clients whose marital status is "other" (3) or whose education is unknown (5, 6) are left out,
    as in the public code of Okhrati & Lipani; means and standard deviations are those of the
    training rows. The split into three parts is drawn from `rng`. ``bias`` adds their input x_0.

    Raises
    ------
    DownloadError
        When the file is not there and cannot be downloaded.
    """
    import pandas  # a third of a second, only where it is used

    table = pandas.read_csv(download.fetch(SOURCE, download.DIRECTORY), index_col="ID")
    table = table[(table["MARRIAGE"] != 3) & ~table["EDUCATION"].isin([5, 6])]
    features = table.drop(columns=TARGET).iloc[:, :N_FEATURES]
    split = three_parts(len(table), rng)
    dataset = Dataset(
        name="credit",
        features=standardised(features.to_numpy(dtype=np.float64), split["train"]),
        target=table[TARGET].to_numpy(),
        feature_names=tuple(features.columns),
        split=split,
        provenance="UCI Machine Learning Repository, default of credit card clients",
    )
    return with_bias_input(dataset) if bias else dataset
