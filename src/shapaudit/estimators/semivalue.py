"""ApproSemivalue: contributions to coalitions drawn from the weights of the value itself."""

from dataclasses import dataclass, replace
from typing import ClassVar

from .base import Card, Names
from .monte_carlo import PlainMonteCarlo


@dataclass(frozen=True)
class ApproSemivalue(PlainMonteCarlo):
    """Mean of v(S + i) - v(S) over coalitions S drawn for each player with probability P(S).

    P(S) = |S|! (d - 1 - |S|)! / d! is drawn as a uniform size and a uniform coalition of that size,
    which is how `PlainMonteCarlo` finds the players before another one in a permutation: the two
    are one estimator by two names (Chen et al. 2023, Section 5.2.1).
    """

    id: ClassVar[str] = "appro-semivalue"
    names: ClassVar[Names] = {"ApproSemivalue": {}}
    card: ClassVar[Card] = replace(
        PlainMonteCarlo.card,
        family="semivalue",
        definition="Marginal contributions of each player to coalitions of its own, of uniform "
        "size and uniform given the size.",
        source="Castro, Gomez & Tejada 2009; Chen et al. 2023, Section 5.2.1",
        aliases=(),  # in place of the aliases of the other card: the names of this class
    )
