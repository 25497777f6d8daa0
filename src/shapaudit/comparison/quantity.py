"""The quantity that is explained, and its unit, in words."""

from dataclasses import dataclass

PROBABILITY = "probability"  # the unit of what ``predict_proba`` gives


@dataclass(frozen=True)
class Quantity:
    """An output of a model.

    Attributes
    ----------
    output : its name or number; "" where the model has no other
    target : what the model predicts; "" where that was not said
    unit : of the output; "" where that was not said
    """

    output: str = ""
    target: str = ""
    unit: str = ""

    @property
    def label(self) -> str:
        """A short name."""
        return self.output or self.target or "output"

    @property
    def units(self) -> str:
        """What errors of this output are measured in."""
        return self.unit or f"units of {self.target or 'the model’s output'}"

    def amount(self, value: float) -> str:
        """A number with its unit."""
        shown = f"{value:.3g}"
        return f"{shown} {self.unit}" if self.unit and self.unit != PROBABILITY else shown

    def __str__(self) -> str:
        """What it is, to follow "is"."""
        if self.unit == PROBABILITY and self.output:
            what = f"{self.target} is {self.output}" if self.target else ""
            return f"the probability that {what}" if what else f"the probability of {self.output}"
        own = f"output {self.output}" if self.output else ""
        named = ", ".join(part for part in (self.target, own) if part) or "the model’s output"
        return f"{named}, in {self.unit}" if self.unit else named
