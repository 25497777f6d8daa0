"""How far a run is, and how long the rest may take."""

import time
from collections import Counter
from collections.abc import Mapping

from shapaudit.progress import duration

# Seconds of a job of a rule beside one that takes a second or two, in the default study.
HEAVY = {"gather_evidence": 30.0, "compile_report": 30.0, "study_removals": 10.0}
HEAVY |= {"study_explainers": 10.0, "run_estimators": 4.0, "render": 10.0, "judge_claims": 4.0}


class Progress:
    """The share of a run that is done, weighted by the rules of its jobs.

    Parameters
    ----------
    rules : how many jobs of which rule there are, by its name
    """

    def __init__(self, rules: Mapping[str, int]):
        self._left = Counter(rules)
        self._jobs, self._whole = self._left.total(), self._weight()
        self._started = time.monotonic()
        self.doing = ""

    def end(self, rule: str) -> None:
        """A job of a rule has ended."""
        self._left[rule] -= 1

    def line(self) -> str:
        """Jobs, time left and what has begun last."""
        left, spent = self._weight(), time.monotonic() - self._started
        done = self._whole - left
        remaining = f"about {duration(spent * left / done)} left" if done > 0 else "begun"
        doing = f": {self.doing}" if self.doing else ""
        return f"{self._jobs - (+self._left).total()} of {self._jobs} jobs, {remaining}{doing}"

    def _weight(self) -> float:
        return sum(HEAVY.get(rule, 1.0) * count for rule, count in (+self._left).items())
