"""Removals: what stands for absent features, fitted to rows; and how they err under known laws."""


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


rule study_removals:
    input:
        dataset=lambda wildcards: (
            f"{RESULTS}/datasets/{config['models'][studied_model(wildcards)]['dataset']}.npz"
        ),
        model=lambda wildcards: f"{RESULTS}/models/{studied_model(wildcards)}",
        own=lambda wildcards: read_by(removals_of(wildcards) | playing(wildcards)),
        schemas=[schema_of(f"removal_{kind}") for kind in REMOVAL_TABLES],
    output:
        **{
            kind: f"{RESULTS}/removal_studies/{{removal_study}}/{{removal}}.{kind}.parquet"
            for kind in REMOVAL_TABLES
        },
    log:
        f"{LOGS}/study_removals/{{removal_study}}/{{removal}}.log",
    benchmark:
        f"{BENCHMARKS}/study_removals/{{removal_study}}/{{removal}}.tsv"
    priority: SECOND
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/study_removals.py",
            *own_sources(config["models"][studied_model(wildcards)]),
            *estimator_files(playing(wildcards)),
            *(file for spec in removals_of(wildcards).values() for file in removal_files(spec)),
        ),
        seed=config["seed"],
        study=removal_setting,
        removals=removals_of,
        estimator=playing,
    message:
        "Studying {wildcards.removal} in {wildcards.removal_study}, with the removals of the same job"
    script:
        "../scripts/study_removals.py"


rule removal_studies:
    input:
        removal_studies_of(REMOVAL_STUDIES),
    message:
        "All studies of removals are up to date"
