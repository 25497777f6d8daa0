"""Models: known functions and fitted ones, saved without pickle."""


rule train_model:
    input:
        dataset=lambda wildcards: (
            f"{RESULTS}/{wildcards.run}datasets/{config['models'][wildcards.model]['dataset']}.npz"
        ),
        own=lambda wildcards: data_files(config["models"][wildcards.model]),
    output:
        model=directory(f"{RESULTS}/{{run}}models/{{model}}"),
        score=f"{RESULTS}/{{run}}models/{{model}}.score.json",
    log:
        f"{LOGS}/{{run}}train_model/{{model}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}train_model/{{model}}.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: lambda wildcards: reducers(wildcards.model)
    resources:
        mem_mb=2000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/train_model.py", *own_sources(config["models"][wildcards.model])
        ),
        seed=seed_of,
        spec=lambda wildcards: config["models"][wildcards.model],
    message:
        "Training the model {wildcards.model}"
    script:
        "../scripts/train_model.py"


ARCHITECTURES = expand(
    f"{RESULTS}/architectures/{{architecture}}.json", architecture=config.get("architectures", {})
)


rule search_architecture:
    input:
        dataset=lambda wildcards: (
            f"{RESULTS}/datasets/{config['architectures'][wildcards.architecture]['dataset']}.npz"
        ),
    output:
        f"{RESULTS}/architectures/{{architecture}}.json",
    log:
        f"{LOGS}/search_architecture/{{architecture}}.log",
    benchmark:
        f"{BENCHMARKS}/search_architecture/{{architecture}}.tsv"
    priority: SECOND
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code_of("workflow/scripts/search_architecture.py"),
        seed=config["seed"],
        spec=lambda wildcards: config["architectures"][wildcards.architecture],
    message:
        "Searching the architecture {wildcards.architecture}"
    script:
        "../scripts/search_architecture.py"


rule architectures:
    input:
        ARCHITECTURES,
    message:
        "All architecture searches are up to date"
