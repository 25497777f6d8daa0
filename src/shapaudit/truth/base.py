"""Shapley values that estimates are compared with, and what certifies them."""

from dataclasses import dataclass

import numpy as np

CERTIFICATES = ("exact", "reference")


class TruthError(ValueError):
    """Ground truth was asked for, or given, in a way that cannot be honoured."""


@dataclass(frozen=True, eq=False)
class Truth:
    """Shapley values (d,) with their certificate.

    Attributes
    ----------
    values : (d,) float64, read-only
    certificate : "exact" (up to rounding) or "reference" (a Monte Carlo mean)
    method : what computed them
    standard_errors : (d,) float64 of a reference; None when exact

    Raises `TruthError` when the values are not (d,) finite numbers, or the standard errors do not
    match the certificate.
    """

    values: np.ndarray
    certificate: str
    method: str
    standard_errors: np.ndarray | None = None

    def __post_init__(self):
        if self.certificate not in CERTIFICATES:
            raise TruthError(f"certificate {self.certificate!r} is not one of {CERTIFICATES}.")
        if (self.standard_errors is None) != (self.certificate == "exact"):
            raise TruthError(
                f"{self.method}: a reference needs standard errors, and exact values have none."
            )
        values = _frozen_vector(self.values, "values", self.method)
        object.__setattr__(self, "values", values)
        if self.standard_errors is not None:
            errors = _frozen_vector(self.standard_errors, "standard errors", self.method)
            if errors.shape != values.shape or (errors < 0).any():
                raise TruthError(f"{self.method}: standard errors must be (d,), none negative.")
            object.__setattr__(self, "standard_errors", errors)


def _frozen_vector(vector: object, what: str, method: str) -> np.ndarray:
    """Copy ``vector`` to a read-only (d,) float64 array of finite numbers."""
    vector = np.array(vector, dtype=np.float64)
    if vector.ndim != 1 or vector.size == 0:
        raise TruthError(f"{method}: {what} must be (d,) with d >= 1, not {vector.shape}.")
    if not np.isfinite(vector).all():
        player = int(np.argmin(np.isfinite(vector)))
        raise TruthError(f"{method}: {what} of player {player} is {vector[player]}, not finite.")
    vector.flags.writeable = False
    return vector
