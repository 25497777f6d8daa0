"""A table such as people have: texts, categories, booleans, dates, and gaps; and a model of it."""

import numpy as np
import pandas as pd

CITIES = ("Graz", "Linz", "Ulm", "Wien")
HEATING = ("gas", "oil", "pump", "wood")
COLUMNS = 12


def mixed_table(rows: int, seed: int = 0) -> pd.DataFrame:
    """Flats (rows, 12) and, as their last column, what they are let for."""
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 20_000, size=rows)
    table = pd.DataFrame(
        {
            "size": np.round(rng.gamma(8.0, 9.0, size=rows), 1),
            "rooms": rng.integers(1, 7, size=rows),
            "city": rng.choice(CITIES, size=rows),
            "heating": pd.Categorical(rng.choice(HEATING, size=rows)),
            "lift": rng.random(rows) < 0.4,
            "balcony": rng.random(rows) < 0.5,
            "built": (pd.Timestamp("1960-01-01") + pd.to_timedelta(days, unit="D")).date.astype(
                str
            ),
            "floor": rng.integers(0, 9, size=rows),
            "street": np.char.add("street ", rng.integers(0, 500, size=rows).astype(str)),
            "noise": rng.normal(50.0, 8.0, size=rows),
            "agent": rng.choice(["yes", "no"], size=rows),
            "energy": rng.normal(100.0, 30.0, size=rows),
        }
    )
    for name, share in (("size", 0.05), ("city", 0.03), ("heating", 0.1), ("energy", 0.2)):
        table.loc[rng.random(rows) < share, name] = None
    return table.assign(rent=rents(table) + rng.normal(0.0, 20.0, size=rows))


def rents(table: pd.DataFrame) -> np.ndarray:
    """A rent (m,) of each row, with interactions, of columns of every kind."""
    size = table["size"].fillna(70.0).to_numpy(dtype=float)
    city = table["city"].map({"Wien": 1.3, "Graz": 1.0, "Linz": 0.9, "Ulm": 1.1}).fillna(1.0)
    heating = table["heating"].astype(object).map({"pump": 0.2, "oil": -0.1}).fillna(0.0)
    age = 2020 - pd.to_datetime(table["built"]).dt.year.to_numpy(dtype=float)
    high = np.where(table["lift"], 1.0, -1.0) * table["floor"].to_numpy(dtype=float)
    energy = table["energy"].fillna(100.0).to_numpy(dtype=float)
    rent = 9.0 * size * city.to_numpy(dtype=float) * (1.0 - 0.003 * age)
    rent += 15.0 * high + 40.0 * table["balcony"].to_numpy(dtype=float) * (size > 50)
    rent += size * heating.to_numpy(dtype=float) - 0.5 * energy - 0.8 * table["noise"].to_numpy()
    return rent + 5.0 * np.sqrt(table["rooms"].to_numpy(dtype=float))
