"""Estimates: one job per experiment and estimator, with seeds and budgets inside."""

ESTIMATES = [
    f"{RESULTS}/estimates/{experiment}/{estimator}.parquet"
    for experiment, setting in config["experiments"].items()
    for estimator in setting["estimators"]
]
SETTINGS = [table.replace(".parquet", ".json") for table in ESTIMATES]


rule run_estimator:
    input:
        games=lambda wildcards: f"{RESULTS}/games/{game_of(wildcards.experiment)}",
        model=lambda wildcards: f"{RESULTS}/models/{model_of(game_of(wildcards.experiment))}",
        truth=lambda wildcards: f"{RESULTS}/truth/{game_of(wildcards.experiment)}.parquet",
        code=code("workflow/scripts/run_estimator.py"),
        own=lambda wildcards: own_code(wildcards.estimator),
    output:
        table=f"{RESULTS}/estimates/{{experiment}}/{{estimator}}.parquet",
        setting=f"{RESULTS}/estimates/{{experiment}}/{{estimator}}.json",
    log:
        f"{LOGS}/run_estimator/{{experiment}}/{{estimator}}.log",
    benchmark:
        f"{BENCHMARKS}/run_estimator/{{experiment}}/{{estimator}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        seed=config["seed"],
        study=config["study"],
        experiment=lambda wildcards: config["experiments"][wildcards.experiment],
        spec=lambda wildcards: config["estimators"][wildcards.estimator],
    message:
        "Running {wildcards.estimator} on {wildcards.experiment}"
    script:
        "../scripts/run_estimator.py"


rule estimates:
    input:
        ESTIMATES,
    message:
        "All estimates are there"
