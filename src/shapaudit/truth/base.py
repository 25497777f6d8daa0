"""Shapley values that estimates are compared with, and what certifies them."""

from dataclasses import dataclass

import numpy as np

CERTIFICATES = ("exact", "bounded", "reference")


class TruthError(ValueError):
    """Ground truth was asked for, or given, in a way that cannot be honoured."""


@dataclass(frozen=True, eq=False)
class Truth:
    """Shapley values (d,) with their certificate.

    Attributes
    ----------
    values : (d,) float64, read-only
    certificate : "exact" (up to rounding), "bounded" (the error is proved to be within bounds) or
        "reference" (a Monte Carlo mean)
    method : what computed them
    standard_errors : (d,) float64 of a reference; None otherwise
    bounds : (d,) float64 of bounded values, at least the error of each; None otherwise

    Raises `TruthError` when the values are not (d,) finite numbers, or the standard errors or
    bounds do not match the certificate.
    """

    values: np.ndarray
    certificate: str
    method: str
    standard_errors: np.ndarray | None = None
    bounds: np.ndarray | None = None

    def __post_init__(self) -> None:
        if self.certificate not in CERTIFICATES:
            raise TruthError(f"certificate {self.certificate!r} is not one of {CERTIFICATES}.")
        if (self.standard_errors is None) != (self.certificate != "reference"):
            raise TruthError(
                f"{self.method}: a reference needs standard errors, and {self.certificate} values "
                "have none."
            )
        if (self.bounds is None) != (self.certificate != "bounded"):
            raise TruthError(f"{self.method}: bounded values need bounds, others have none.")
        values = _frozen_vector(self.values, "values", self.method)
        object.__setattr__(self, "values", values)
        for name, what in (("standard_errors", "standard errors"), ("bounds", "bounds")):
            if getattr(self, name) is not None:
                vector = _frozen_vector(getattr(self, name), what, self.method)
                if vector.shape != values.shape or (vector < 0).any():
                    raise TruthError(f"{self.method}: {what} must be (d,), none negative.")
                object.__setattr__(self, name, vector)


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
