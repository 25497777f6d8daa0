"""Estimates: one job per experiment and estimator, or a few of them, seeds and budgets inside."""

ESTIMATES = estimates_of(config["experiments"])
SETTINGS = settings_of(config["experiments"])


rule run_estimators:
    input:
        games=lambda wildcards: f"{RESULTS}/games/{game_of(wildcards.experiment)}",
        model=lambda wildcards: f"{RESULTS}/models/{model_of(game_of(wildcards.experiment))}",
        truth=lambda wildcards: f"{RESULTS}/truth/{game_of(wildcards.experiment)}.parquet",
        code=code("workflow/scripts/run_estimators.py"),
        own=lambda wildcards: own_code(wildcards.experiment, wildcards.batch),
    output:
        table=f"{RESULTS}/estimates/{{experiment}}/{{batch}}.parquet",
        setting=f"{RESULTS}/estimates/{{experiment}}/{{batch}}.json",
    log:
        f"{LOGS}/run_estimators/{{experiment}}/{{batch}}.log",
    benchmark:
        f"{BENCHMARKS}/run_estimators/{{experiment}}/{{batch}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        seed=config["seed"],
        study=config["study"],
        experiment=lambda wildcards: setting_of(wildcards.experiment),
        specs=lambda wildcards: batch_of(wildcards.experiment, wildcards.batch),
    message:
        "Running {wildcards.batch} on {wildcards.experiment}"
    script:
        "../scripts/run_estimators.py"


rule estimates:
    input:
        ESTIMATES,
    message:
        "All estimates are there"
