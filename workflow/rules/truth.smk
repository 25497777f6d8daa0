"""Truth: exact Shapley values, or references with standard errors."""


rule compute_truth:
    input:
        games=f"{RESULTS}/games/{{game}}",
        model=lambda wildcards: f"{RESULTS}/models/{model_of(wildcards.game)}",
        code=code("workflow/scripts/compute_truth.py"),
    output:
        f"{RESULTS}/truth/{{game}}.parquet",
    log:
        f"{LOGS}/compute_truth/{{game}}.log",
    benchmark:
        f"{BENCHMARKS}/compute_truth/{{game}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        seed=config["seed"],
        spec=lambda wildcards: config["games"][wildcards.game]["truth"],
    message:
        "Computing the Shapley values of the games {wildcards.game}"
    script:
        "../scripts/compute_truth.py"
