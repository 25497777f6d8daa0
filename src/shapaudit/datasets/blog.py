"""Blog posts and their comments: BlogFeedback (Buza 2014), UCI Machine Learning Repository."""

import zipfile

import numpy as np

from ..registers import loader
from . import download
from .base import Dataset, DatasetError, random_split

N_FEATURES = 280

# The repository of the University of California packs the training set with the test sets; here it
# is alone. The two archives hold the same table.
SOURCE = download.Source(
    name="blog",
    url=(
        "https://raw.githubusercontent.com/als2356/PredictionScoring/"
        "ed55af1eb16cfe6297dafc66d77d73a45e79af13/data/blogData_train.csv.zip"
    ),
    size=1_466_779,
    sha256="4f000adf16106babbc4645c22338c846e4b590d951fa79246d246fdc23ab9af3",
    filename="blogData_train.csv.zip",
    licence="CC BY 4.0",
    mirrors=(download.ARCHIVE,),
    equivalents=("c2a80d441153f649ad85638946150ef8ccfc21c2d31f3bdfd38c05ac25830412",),
)


@loader("blog")
def load(rng: np.random.Generator) -> Dataset:
    """52,397 posts, 280 features, the number of comments in the next 24 hours.

    The training set (posts of 2010 and 2011), its rows in the order of the file. Features are
    numbered as in its documentation: statistics of the blog, of comments and links, 200 frequent
    words, weekdays, parent posts. The split is drawn from `rng`.

    Raises
    ------
    DownloadError
        When the file is not there and cannot be downloaded.
    DatasetError
        When the table has another width.
    """
    import pandas  # a third of a second, only where it is used

    archive = download.fetch(SOURCE, download.DIRECTORY)
    with zipfile.ZipFile(archive) as files, files.open("blogData_train.csv") as file:
        table = pandas.read_csv(file, header=None, dtype=np.float64).to_numpy()
    if table.shape[1] != N_FEATURES + 1:
        raise DatasetError(
            f"dataset 'blog': {table.shape[1]} columns instead of {N_FEATURES + 1} in {archive}"
        )
    return Dataset(
        name="blog",
        features=table[:, :-1],
        target=table[:, -1],
        feature_names=tuple(f"attribute {j + 1}" for j in range(N_FEATURES)),
        split=random_split(len(table), rng),
        provenance="UCI Machine Learning Repository, BlogFeedback, training set",
    )
