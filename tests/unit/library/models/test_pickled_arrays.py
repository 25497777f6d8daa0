"""Saved models hold arrays only: objects, whose reading runs code, are refused."""

import numpy as np
import pytest

from records.test_models import small
from shapaudit.models import load_model, train
from unit.worlds import MODELS


@pytest.mark.parametrize(
    "name", ["trees", "relu", "quadratic", "additive", "least-squares", "shapnet"]
)
def test_objects_are_refused(name, tmp_path):
    few = {"epochs": 1, "channels": 1, "width": 1}
    made = {
        "least-squares": lambda: train("least-squares", small(12), {}, 0),
        "shapnet": lambda: train("deep-shapnet", small(12), few, 0),
    }
    model = made[name]() if name in made else MODELS[name]
    model.save(tmp_path)
    for path in tmp_path.glob("*.npz"):
        with np.load(path) as file:
            arrays = {key: file[key].astype(object) for key in file.files}
        np.savez(path, allow_pickle=True, **arrays)
        with pytest.raises(ValueError, match=r"pickle|no tree ensemble"):
            load_model(tmp_path)
