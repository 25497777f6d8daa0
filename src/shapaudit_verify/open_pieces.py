"""Exact pieces of evidence that no check re-derives yet, each with the reason."""

STUDY_GAMES = "it rests on the games of the study's models, which the evidence does not hold"
CODE_RUN = "it records what the project's estimators did, and takes these to be made again"
SOURCES = "it is what a source prints, which no definition gives"
OWN_LOOPS = "it counts the multiplications of the project's own loops, which no definition gives"
DRAWS = "it draws data at random as the paper does, of which there is no second version"
TREES = "it draws random trees, of which there is no second version"
NETWORKS = "it draws random networks, of which there is no second version"
RUNS_BESIDE = "it sets what a source prints beside runs of the project's estimators"
LONG = "it enumerates samples by longer algebra than there is a second version of"
SHARED = "it rests on random draws of the study, though its verdict has no error rate"

_GRAH, _CHEN = "grah_thouvenot_2020/", "chen_covert_lundberg_lee_2023/"
_BELL, _OKHRATI = "bell_devanathan_boyd_2024/", "okhrati_lipani_2021/"

_PIECES = {
    STUDY_GAMES: (
        f"{_GRAH}constants.gradients.gather_importance_moments",
        f"{_GRAH}constants.gradients.gather_uniform_moments",
        f"{_GRAH}rates.inverse.gather_without_ball",
        f"{_GRAH}rates.sharper.gather_offset",
        f"{_GRAH}rates.square_root.gather_rate",
        f"{_OKHRATI}comparisons.gather_antithetic",
        f"{_OKHRATI}comparisons.gather_halving",
        f"{_OKHRATI}comparisons.gather_samples",
        f"{_OKHRATI}comparisons.gather_speed_of_decay",
        f"{_OKHRATI}convergence.gather_fixed_draws",
        f"{_CHEN}grid_bias.gather_trials",
        f"{_CHEN}kernel_draws.gather_moderate",
        f"{_CHEN}models.gather_trees",
    ),
    CODE_RUN: (
        f"{_CHEN}dasp_moments.gather_moments",
        f"{_CHEN}removal_cells.gather_evaluated",
        f"{_CHEN}removal_cells.gather_introduced",
        f"{_CHEN}repeats.gather_repeats",
        f"{_CHEN}walks.gather_gaps",
        f"{_BELL}stability.gather_conditions",
    ),
    SOURCES: (
        f"{_GRAH}algorithms.counts.gather_prior",
        f"{_OKHRATI}description.gather_first",
        f"{_CHEN}foundations.gather_references",
        f"{_CHEN}table_one.gather_deep_rows",
        f"{_CHEN}table_one.gather_removal_rows",
        f"{_CHEN}table_one.gather_strategies",
        f"{_CHEN}table_one.gather_words",
        f"{_BELL}costs.gather_progress",
        f"{_BELL}printed.gather_shapes",
    ),
    LONG: (
        f"{_CHEN}kernel.gather_bias",
        f"{_CHEN}kernel.gather_limit",
        f"{_CHEN}kernel_draws.gather_pairs",
        f"{_CHEN}kernel_draws.gather_penalised",
    ),
    OWN_LOOPS: (
        f"{_BELL}costs.gather_counts",
        f"{_BELL}costs.gather_exact",
        f"{_CHEN}costs.gather_deepshap",
        f"{_CHEN}costs.gather_path_dependent",
    ),
    DRAWS: (
        f"{_BELL}printed.gather_conditions",
        f"{_BELL}printed.gather_noise",
    ),
    NETWORKS: (
        f"{_CHEN}dasp_moments.gather_baselines",
        f"{_CHEN}deep_rules.gather_units",
        f"{_CHEN}networks.gather_deep",
        f"{_CHEN}networks.gather_layers",
        f"{_CHEN}networks.gather_shallow",
    ),
    TREES: (
        f"{_CHEN}beyond.gather_gradients",
        f"{_CHEN}costs.gather_interventional",
        f"{_CHEN}ensembles.gather_ensembles",
        f"{_CHEN}trees.gather_exact",
        f"{_CHEN}trees.gather_independent",
    ),
    RUNS_BESIDE: (
        f"{_GRAH}rates.default_step.gather_default",
        f"{_CHEN}budgets.gather_budgets",
    ),
    SHARED: (
        f"{_GRAH}experiments.intractable.gather_certified",
        f"{_CHEN}pairing.gather_study",
    ),
}
REASONS = {key: reason for reason, keys in _PIECES.items() for key in keys}
