"""Datasets: generated, bundled with a library, or downloaded with a checksum."""


rule load_dataset:
    input:
        own=lambda wildcards: data_files(config["datasets"][wildcards.dataset]),
    output:
        f"{RESULTS}/{{run}}datasets/{{dataset}}.npz",
    log:
        f"{LOGS}/{{run}}load_dataset/{{dataset}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}load_dataset/{{dataset}}.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/load_dataset.py",
            *own_sources(config["datasets"][wildcards.dataset]),
        ),
        seed=seed_of,
        spec=lambda wildcards: config["datasets"][wildcards.dataset],
    message:
        "Loading the dataset {wildcards.dataset}"
    script:
        "../scripts/load_dataset.py"
