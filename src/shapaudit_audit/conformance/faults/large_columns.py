"""Columns that change by less than a hundred thousandth count as unchanged.

An entry that is close to those of the background, relative to its size, gets no value, however much
the output changes with it.

Cells: shap_permutation: linear models/large numbers
Cells: shap_exact: linear models/large numbers
Cells: shap_kernel: linear models/large numbers
"""

import numpy as np
import shap

rng = np.random.default_rng(0)
X = 1e6 + rng.normal(size=(96, 4))


def predict(rows):
    return rows @ np.array([1.0, 2.0, 3.0, 4.0])


explainer = shap.PermutationExplainer(predict, shap.maskers.Independent(X[:5]))
values = explainer(X[20:24], silent=True).values
print("values sum to", values.sum(axis=1))
print("output changes by", predict(X[20:24]) - predict(X[:5]).mean())
