"""Removals: what stands for absent features, fitted to the rows of a model's dataset."""


rule fit_removal:
    input:
        dataset=lambda wildcards: (
            f"{RESULTS}/{wildcards.run}datasets/{config['models'][wildcards.model]['dataset']}.npz"
        ),
        model=f"{RESULTS}/{{run}}models/{{model}}",
        own=lambda wildcards: data_files(config["removals"][wildcards.removal]),
    output:
        directory(f"{RESULTS}/{{run}}removals/{{model}}/{{removal}}"),
    log:
        f"{LOGS}/{{run}}fit_removal/{{model}}/{{removal}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}fit_removal/{{model}}/{{removal}}.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/fit_removal.py",
            *own_sources(config["models"][wildcards.model]),
            *removal_files(config["removals"][wildcards.removal]),
        ),
        seed=seed_of,
        spec=lambda wildcards: config["removals"][wildcards.removal],
    message:
        "Fitting the removal {wildcards.removal} to the data of {wildcards.model}"
    script:
        "../scripts/fit_removal.py"
