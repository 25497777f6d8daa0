"""An estimator judged on the bank of games, beside the results of all others."""

from .judgement import FORMAT, Judgement, JudgementError, Run
from .run import judge

__all__ = ["FORMAT", "Judgement", "JudgementError", "Run", "judge"]
