"""Which files belong to what: games, estimates, figures, and what a paper's notebook reads."""

from shapaudit_audit.report.figures import declared_figures
from shapaudit_audit.study.layout import part_of

AUDITED, AUDITED_GAMES = audited(config)

PRINTED = "config/published"  # folder of the values that papers print
# By notebook, one per paper and one on the audit, and by name.
FIGURES = declared_figures()


def model_of(game):
    return config["games"][game]["model"]


def removal_of(wildcards):
    """Folder of the fitted removal that the games of a name are played by, if they have one."""
    game = config["games"][wildcards.game]
    if "removal" not in game:
        return []
    return f"{RESULTS}/{wildcards.run}removals/{game['model']}/{game['removal']}"


def dataset_of(game):
    return config["models"][model_of(game)]["dataset"]


def game_of(experiment):
    return config["experiments"][experiment]["game"]


def games_of(experiments):
    """Names of the games of some experiments, given with their blocks, each once."""
    return list(dict.fromkeys(setting["game"] for setting in experiments.values()))


def walkers(game):
    """Threads of a job: walks of large regressions share them; no value depends on how many."""
    block = config["games"][game]
    return 4 if block["reward"] == "r-squared" and block["players"] >= 500 else 1


def reducers(model):
    """The same for the reduction of their rows."""
    games = [game for game, block in config["games"].items() if block["model"] == model]
    return max(map(walkers, games), default=1)


def estimates_of(experiments, run=""):
    """Tables of the estimates of some experiments, given with their blocks."""
    return [
        f"{RESULTS}/{run}estimates/{experiment}/{batch}.parquet"
        for experiment, setting in experiments.items()
        for batch in batches(setting)
    ]


def settings_of(experiments, run=""):
    return [table.replace(".parquet", ".json") for table in estimates_of(experiments, run)]


def truths_of(experiments):
    return [f"{RESULTS}/truth/{game}.parquet" for game in games_of(experiments)]


def schema_of(what):
    """Schema that a table or document is validated against, where it is written and read."""
    return f"src/shapaudit_audit/schemas/{what}.schema.yaml"


# Of what a report may read.
SCHEMAS = "attributions claims deviations estimates explanations kept truth".split()
RESULT_SCHEMAS = [schema_of(what) for what in SCHEMAS] + [
    schema_of(f"removal_{kind}") for kind in REMOVAL_TABLES
]


def published_of(keys):
    """Files of the values that papers print, by the papers' keys."""
    return [str(file_of(key, f"{PRINTED}/{key}.csv")) for key in keys]


def kept_in(experiments):
    """Names of the experiments of which estimates are kept, given with their blocks."""
    return [name for name, setting in experiments.items() if "keep" in setting]


def removal_studies_of(studies):
    """Tables of some studies of removals, given with their blocks."""
    return [
        f"{RESULTS}/removal_studies/{name}/{batch}.{kind}.parquet"
        for name, study in studies.items()
        for batch in batches(study, "removals")
        for kind in REMOVAL_TABLES
    ]


def claims_of(runs):
    return [f"{RESULTS}/{run}claims/claims.json" for run in runs]


def looked_at(wildcards):
    """Experiments whose estimates the evidence of a paper looks at, with their blocks.

    Of the audited ones its own and those that name no paper; of the others, which no repetition
    runs, its own.
    """
    chosen, looks_at = {}, PAPERS[wildcards.paper].evidence_from
    if "estimates" in looks_at:
        experiments = REPEATED["experiments"] if wildcards.run else AUDITED
        chosen |= {
            name: setting
            for name, setting in experiments.items()
            if setting.get("paper", wildcards.paper) == wildcards.paper
        }
    if "own estimates" in looks_at and not wildcards.run:
        own = part_of(config, "experiments", wildcards.paper)
        chosen |= {name: setting for name, setting in own.items() if name not in AUDITED}
    return chosen


def tabulated(wildcards):
    """Games whose tables the evidence of a paper looks at: they make every expectation exact."""
    if "games" not in PAPERS[wildcards.paper].evidence_from:
        return []
    games = REPEATED["games"] if wildcards.run else AUDITED_GAMES
    return [name for name, game in games.items() if game["players"] <= TABULATED_PLAYERS]


def own_tabulated(wildcards):
    """Games with tables of a paper's own experiments that no other evidence looks at.

    None in a repetition, which is about what rests on samples.
    """
    if wildcards.run or "own games" not in PAPERS[wildcards.paper].evidence_from:
        return []
    games = games_of(part_of(config, "experiments", wildcards.paper))
    return [
        name
        for name in games
        if name not in AUDITED_GAMES and config["games"][name]["players"] <= TABULATED_PLAYERS
    ]


def explanations_of(name):
    """Tables of an explanation study: errors, and the explanations that it keeps."""
    return [
        f"{RESULTS}/explanations/{name}/{first}{kind}.parquet"
        for first in explanation_batches(STUDIED[name])
        for kind in ("", ".kept")
    ]


def notebook_of(name):
    """File of a notebook: the project's, or that of a paper's package."""
    path = f"notebooks/{name}.ipynb"
    return str(file_of(name, path)) if name in PAPERS else path


def figures_of(notebook, suffix):
    """Files of the figures of a notebook."""
    return expand(f"{RESULTS}/figures/{notebook}/{{name}}.{suffix}", name=FIGURES[notebook])


def all_figures(suffix):
    return [path for notebook in FIGURES for path in figures_of(notebook, suffix)]


def made_for(paper):
    """Everything that a study makes for the experiments of a paper, but its verdicts."""
    experiments = part_of(config, "experiments", paper)
    games = games_of(experiments)
    models = list(dict.fromkeys(map(model_of, games)))
    return [
        *estimates_of(experiments),
        *settings_of(experiments),
        *truths_of(experiments),
        *expand(f"{RESULTS}/kept/{{name}}.parquet", name=kept_in(experiments)),
        *expand(f"{RESULTS}/paths/{{name}}.parquet", name=part_of(config, "paths", paper)),
        *removal_studies_of(part_of(config, "removal_studies", paper)),
        *expand(
            f"{RESULTS}/architectures/{{name}}.json", name=part_of(config, "architectures", paper)
        ),
        *(
            table
            for name in part_of(config, "explanation_studies", paper)
            for table in explanations_of(name)
        ),
        *expand(f"{RESULTS}/games/{{game}}", game=games),
        *expand(f"{RESULTS}/models/{{model}}", model=models),
        *expand(f"{RESULTS}/models/{{model}}.score.json", model=models),
        *expand(f"{RESULTS}/datasets/{{name}}.npz", name=dict.fromkeys(map(dataset_of, games))),
    ]


def seen_by(notebook):
    """What a notebook reads beside the configuration."""
    verdicts = claims_of([""])
    if notebook not in PAPERS:
        return verdicts
    paper = PAPERS[notebook]
    printed = published_of([notebook] if paper.published else [])
    return [*made_for(notebook), *printed, *(verdicts if "verdicts" in paper.findings_from else [])]
