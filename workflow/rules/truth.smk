"""Truth: exact Shapley values, or references with standard errors."""


rule compute_truth:
    input:
        games=f"{RESULTS}/{{run}}games/{{game}}",
        model=lambda wildcards: f"{RESULTS}/{wildcards.run}models/{model_of(wildcards.game)}",
        schema=schema_of("truth"),
    output:
        f"{RESULTS}/{{run}}truth/{{game}}.parquet",
    log:
        f"{LOGS}/{{run}}compute_truth/{{game}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}compute_truth/{{game}}.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: lambda wildcards: walkers(wildcards.game)
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/compute_truth.py", *game_sources(wildcards.game)
        ),
        seed=seed_of,
        spec=lambda wildcards: config["games"][wildcards.game]["truth"],
    message:
        "Computing the Shapley values of the game {wildcards.game}"
    script:
        "../scripts/compute_truth.py"
