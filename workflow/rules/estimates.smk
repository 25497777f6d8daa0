"""Estimates: one job per experiment and estimator, or a few of them, seeds and budgets inside."""

ESTIMATES = estimates_of(config["experiments"])
SETTINGS = settings_of(config["experiments"])


KEPT = expand(f"{RESULTS}/kept/{{experiment}}.parquet", experiment=kept_in(config["experiments"]))
PATHS = expand(f"{RESULTS}/paths/{{path}}.parquet", path=config.get("paths", {}))


rule run_estimators:
    input:
        games=lambda wildcards: f"{RESULTS}/{wildcards.run}games/{game_of(wildcards.experiment)}",
        model=(
            lambda wildcards: f"{RESULTS}/{wildcards.run}models/{model_of(game_of(wildcards.experiment))}"
        ),
        truth=lambda wildcards: f"{RESULTS}/{wildcards.run}truth/{game_of(wildcards.experiment)}.parquet",
        own=lambda wildcards: read_by(batch_of(wildcards)),
        schemas=[schema_of("estimates"), schema_of("truth")],
    output:
        table=f"{RESULTS}/{{run}}estimates/{{experiment}}/{{batch}}.parquet",
        setting=f"{RESULTS}/{{run}}estimates/{{experiment}}/{{batch}}.json",
    log:
        f"{LOGS}/{{run}}run_estimators/{{experiment}}/{{batch}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}run_estimators/{{experiment}}/{{batch}}.tsv"
    priority: lambda wildcards: FIRST if wildcards.experiment in AUDITED else SECOND
    conda:
        "../../environment.yml"
    threads: lambda wildcards: walkers(game_of(wildcards.experiment))
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/run_estimators.py",
            *estimator_files(batch_of(wildcards)),
            *game_sources(game_of(wildcards.experiment)),
        ),
        seed=seed_of,
        study=config["study"],
        experiment=setting_of,
        specs=batch_of,
    message:
        "Running {wildcards.batch} on {wildcards.experiment}"
    script:
        "../scripts/run_estimators.py"


rule keep_estimates:
    input:
        games=lambda wildcards: f"{RESULTS}/games/{game_of(wildcards.experiment)}",
        model=lambda wildcards: f"{RESULTS}/models/{model_of(game_of(wildcards.experiment))}",
        own=lambda wildcards: read_by(specs_of(config["experiments"][wildcards.experiment])),
        schema=schema_of("kept"),
    output:
        f"{RESULTS}/kept/{{experiment}}.parquet",
    log:
        f"{LOGS}/keep_estimates/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/keep_estimates/{{experiment}}.tsv"
    priority: SECOND
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/keep_estimates.py",
            *estimator_files(specs_of(config["experiments"][wildcards.experiment])),
            *game_sources(game_of(wildcards.experiment)),
        ),
        seed=config["seed"],
        experiment=lambda wildcards: without(
            config["experiments"][wildcards.experiment], "per_job", "audit", "paper", "role"
        ),
        specs=lambda wildcards: specs_of(config["experiments"][wildcards.experiment]),
    message:
        "Keeping the estimates of {wildcards.experiment}"
    script:
        "../scripts/keep_estimates.py"


rule run_paths:
    input:
        games=lambda wildcards: f"{RESULTS}/games/{config['paths'][wildcards.path]['game']}",
        model=lambda wildcards: (
            f"{RESULTS}/models/{model_of(config['paths'][wildcards.path]['game'])}"
        ),
        own=lambda wildcards: read_by(specs_of(config["paths"][wildcards.path])),
        schema=schema_of("deviations"),
    output:
        f"{RESULTS}/paths/{{path}}.parquet",
    log:
        f"{LOGS}/run_paths/{{path}}.log",
    benchmark:
        f"{BENCHMARKS}/run_paths/{{path}}.tsv"
    priority: SECOND
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/run_paths.py",
            *estimator_files(specs_of(config["paths"][wildcards.path])),
            *game_sources(config["paths"][wildcards.path]["game"]),
        ),
        seed=config["seed"],
        path=lambda wildcards: without(config["paths"][wildcards.path], "paper"),
        specs=lambda wildcards: specs_of(config["paths"][wildcards.path]),
    message:
        "Following estimates along {wildcards.path}"
    script:
        "../scripts/run_paths.py"


rule estimates:
    input:
        ESTIMATES,
        KEPT,
        PATHS,
    message:
        "All estimates are up to date"
