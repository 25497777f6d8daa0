"""Cost of work: counts that can be added, and measured seconds of one core."""

from collections.abc import Mapping
from dataclasses import dataclass

from shapaudit import removals

# Seconds per evaluation, estimator included, measured in the default study: on games that are
# tabulated, and by the trainer of the model on others; and what each player adds.
TABULATED = 2e-7
RATES = {"chi-square": 1e-7, "radial": 1e-7, "least-squares": 1e-6, "perceptron": 1e-6}
BOOSTED = 4e-7
PER_PLAYER = 1e-9
# Seconds that surrogates take beside their evaluations, for an estimate and for each evaluation and
# player: about the most that was measured on trees of 10 to 280 players.
OWN = {
    "auto": (0.02, 8.5e-6),
    "odd-fourier": (0.05, 2e-6),
    "proxy-regression": (0.25, 1e-6),
    "regression-adjusted": (0.3, 4e-6),
    "screened-polynomial": (0.05, 1e-6),
}
ROWS = 1000  # of a background that is all training rows, whose number is not known yet


@dataclass(frozen=True)
class Cost:
    """Counted work of a part of a run, and its approximate time.

    Attributes
    ----------
    evaluations : of games
    seconds : of one core, approximately
    rows : of models, in the studies of explainers and removals
    steps : of training in these studies: batches, trees, or regressions
    settings : the settings of the configuration that would lower the cost most
    """

    evaluations: int = 0
    seconds: float = 0.0
    rows: int = 0
    steps: int = 0
    settings: str = "budgets, explicands or repetitions"

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.evaluations + other.evaluations,
            self.seconds + other.seconds,
            self.rows + other.rows,
            self.steps + other.steps,
            max(self, other, key=lambda cost: cost.seconds).settings,
        )

    def __mul__(self, times: int) -> "Cost":
        return Cost(
            self.evaluations * times,
            self.seconds * times,
            self.rows * times,
            self.steps * times,
            self.settings,
        )

    def counted(self) -> str:
        """The counts in words."""
        parts = {
            "evaluations": self.evaluations,
            "model rows": self.rows,
            "training steps": self.steps,
        }
        return " and ".join(f"{count:,} {name}" for name, count in parts.items() if count)


def rows_per_value(spec: Mapping, there: int = ROWS) -> int:
    """Approximate rows of the model that a value takes by the removal of a block.

    These are its draws or rows where it has a number of them, and ``there`` where it uses all rows.
    """
    removal = removals.create(spec["removal"], spec.get("params"))
    counts = [getattr(removal, key) for key in ("draws", "rows", "most") if hasattr(removal, key)]
    return max((there if count is None else count for count in counts), default=1)
