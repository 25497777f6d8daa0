"""Models: known functions and fitted ones, saved without pickle."""


rule train_model:
    input:
        unpack(ask(jobs.TrainModel).inputs),
    output:
        model=directory(OF_RUN.model("{model}")),
        score=OF_RUN.score("{model}"),
    log:
        f"{LOGS}/{{run}}train_model/{{model}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}train_model/{{model}}.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    threads: ask(jobs.TrainModel).threads
    resources:
        mem_mb=2000,
    params:
        **ask(jobs.TrainModel).params,
    message:
        "Training the model {wildcards.model}"
    script:
        "../scripts/train_model.py"


rule search_architecture:
    input:
        unpack(ask(jobs.SearchArchitecture).inputs),
    output:
        FILES.architecture("{architecture}"),
    log:
        f"{LOGS}/search_architecture/{{architecture}}.log",
    benchmark:
        f"{BENCHMARKS}/search_architecture/{{architecture}}.tsv"
    priority: jobs.SECOND
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        **ask(jobs.SearchArchitecture).params,
    message:
        "Searching the architecture {wildcards.architecture}"
    script:
        "../scripts/search_architecture.py"


rule architectures:
    input:
        [*map(FILES.architecture, STUDY.architectures)],
    message:
        "All architecture searches are up to date"
