"""Truth: exact Shapley values, or references with standard errors."""


rule compute_truth:
    input:
        unpack(ask(jobs.ComputeTruth).inputs),
    output:
        OF_RUN.truth("{game}"),
    log:
        f"{LOGS}/{{run}}compute_truth/{{game}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}compute_truth/{{game}}.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    threads: ask(jobs.ComputeTruth).threads
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.ComputeTruth).params,
    message:
        "Computing the Shapley values of the game {wildcards.game}"
    script:
        "../scripts/compute_truth.py"
