"""What to take where: models whose values need no estimate, and a table of situations."""

from shapaudit_audit.report.advice import COALITIONS, LINEAR, TREE, Advice
from shapaudit_audit.report.situation_table import FEW, SituationLine

ADVICE = (
    Advice(
        situation=COALITIONS,
        take="evaluate every coalition once",
        why="The values are then exact; estimators are meant for smaller budgets.",
        claims=("ccll23-18",),
    ),
    Advice(
        situation=TREE,
        take="compute the exact values from the trees",
        why="For one or several baselines they follow from the leaves, for any number of players "
        "and without evaluating coalitions.",
        claims=("ccll23-15a", "ccll23-14a"),
    ),
    Advice(
        situation=LINEAR,
        take="compute the exact values from the coefficients",
        why="For one or several baselines each value is a coefficient times the difference between "
        "the feature and its mean over the baselines, for any number of players.",
        claims=("ccll23-13a",),
    ),
)

_SOME, _MORE = f"up to {FEW}", f"more than {FEW}"

SITUATIONS = (
    SituationLine(
        players=_SOME,
        cost="cheap",
        take="evaluate every coalition once",
        claims=("ccll23-18",),
        benchmark="overhead",
    ),
    SituationLine(
        data="trees, one baseline or several",
        take="exact values of the trees (interventional-tree)",
        claims=("ccll23-15a", "ccll23-14a"),
        benchmark="explainers",
    ),
    SituationLine(
        data="linear model, marginal values",
        take="exact values from the coefficients (linear)",
        claims=("ccll23-13a",),
    ),
    SituationLine(
        data="linear model, conditional values under a normal distribution",
        rows="more than features",
        take="exact values under that distribution (correlated-linear)",
        claims=("ccll23-24",),
        benchmark="explainers",
    ),
    SituationLine(
        players=_SOME,
        cost="dear",
        explanations="few",
        take="{few_players}",
        cells="{few_cells}",
        claims=("ccll23-01b",),
        benchmark="suite",
    ),
    SituationLine(
        players=_MORE,
        cost="dear",
        explanations="few",
        take="{many_players}",
        cells="{many_cells}",
        benchmark="suite",
    ),
    SituationLine(
        cost="lower than the overhead of an estimator",
        take="Leverage SHAP or paired KernelSHAP, which have little overhead",
        benchmark="overhead",
    ),
    SituationLine(
        rows="hundreds or more",
        cost="dear",
        explanations="at least about as many future rows as training rows",
        take="train fast-shap or stochastic-amortisation, and check its error on a few rows first",
        claims=("ccll23-92a", "ccll23-92b", "ccll23-93b"),
        benchmark="amortised",
    ),
    SituationLine(
        data="structured, interactions only between neighbours",
        take="l-shapley with neighbourhoods as large as the reach of the interactions",
        claims=("ccll23-32a", "ccll23-91"),
    ),
    SituationLine(
        data="structured, nothing known about interactions",
        take="the same method as for data without structure",
        claims=("ccll23-91", "ccll23-37"),
    ),
    SituationLine(
        rows="few",
        data="dependent features, conditional values",
        take="several removals, a normal distribution among them, compared by their errors on "
        "held-out rows",
        claims=("ccll23-72",),
        cells="{few_rows}",
        benchmark="equal_rows",
    ),
    SituationLine(
        rows="many",
        data="dependent features, conditional values",
        take="a surrogate or a generative model, chosen by its error on held-out rows",
        claims=("ccll23-63b", "ccll23-68a"),
        cells="{many_rows}",
        benchmark="equal_rows",
    ),
    SituationLine(
        data="network, one baseline",
        cost="dear",
        take="an estimator, or DeepLIFT if only two passes are affordable",
        claims=("ccll23-50b",),
        benchmark="equal_rows",
    ),
    SituationLine(
        players="up to 25",
        data="R² of a regression",
        take="exact values by one walk over the subsets",
        claims=("bdb24-15a",),
    ),
    SituationLine(
        players="more than 25",
        data="R² of a regression",
        take="argsort permutations in independent replicates",
        claims=("bdb24-11a", "bdb24-12c"),
    ),
    SituationLine(
        data="error bars or a stopping rule are needed",
        take="means of independent units, with limits corrected for the number of checks",
        claims=("field26-20b",),
        benchmark="coverage",
    ),
)
