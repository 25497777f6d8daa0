"""Datasets: generated, bundled with a library, or downloaded with a checksum."""


rule load_dataset:
    input:
        unpack(ask(jobs.LoadDataset).inputs),
    output:
        OF_RUN.dataset("{dataset}"),
    log:
        f"{LOGS}/{{run}}load_dataset/{{dataset}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}load_dataset/{{dataset}}.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
    params:
        **ask(jobs.LoadDataset).params,
    message:
        "Loading the dataset {wildcards.dataset}"
    script:
        "../scripts/load_dataset.py"
