"""Evidence on claim 11 on the study's games.

The law of the error after one step, by enumeration.
"""

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.constants import Setting, settings_of
from shapaudit_papers.theory.deviation_law import law_of_one_step, worst_level
from shapaudit_papers.theory.recursion import averaging_rates, inverse_steps, square_root_steps

from ..rates.runs import CONSTANT_STEP
from .deviation import law_on_a_rare_game


def first_steps(setting: Setting) -> dict[str, tuple[float, float]]:
    """Return the first step and the weight of phi_1 in the average after it, for three rules."""
    d, ratio = setting.n_players, setting.radius / setting.bound
    return {
        "inverse": (inverse_steps(d, 1)[0], averaging_rates("weighted", 1)[0]),
        "square root": (square_root_steps(d, ratio, 1)[0], averaging_rates("uniform", 1)[0]),
        "constant": (CONSTANT_STEP, averaging_rates("last", 1)[0]),
    }


def gather_laws(context: Context) -> Evidence:
    """Return, for every explicand and step rule, the level at which the law of Z is worst.

    D = C sqrt(d). The law on a game that pays for one coalition stands beside these.
    """
    laws = []
    for study_game in context.study_games():
        for explicand, (game, truth) in enumerate(study_game.explicands(), start=1):
            setting = dict(settings_of(game, truth)).get("public")
            if setting is None:
                continue
            for rule, (step, rate) in first_steps(setting).items():
                law = law_of_one_step(game.values, truth, setting, step, rate)
                names = {"game": study_game.name, "explicand": explicand, "rule": rule}
                laws.append(names | worst_level(*law))
    return {"laws": laws, "rare": law_on_a_rare_game()}
