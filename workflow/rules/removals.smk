"""Removals: what stands for absent features, fitted to rows; and how they err under known laws."""


rule fit_removal:
    input:
        unpack(ask(jobs.FitRemoval).inputs),
    output:
        directory(OF_RUN.removal("{model}", "{removal}")),
    log:
        f"{LOGS}/{{run}}fit_removal/{{model}}/{{removal}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}fit_removal/{{model}}/{{removal}}.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.FitRemoval).params,
    message:
        "Fitting the removal {wildcards.removal} to the data of {wildcards.model}"
    script:
        "../scripts/fit_removal.py"


rule study_removals:
    input:
        unpack(ask(jobs.StudyRemovals).inputs),
    output:
        **{table: FILES.removals("{removal_study}", "{removal}", table) for table in REMOVAL_TABLES},
    log:
        f"{LOGS}/study_removals/{{removal_study}}/{{removal}}.log",
    benchmark:
        f"{BENCHMARKS}/study_removals/{{removal_study}}/{{removal}}.tsv"
    priority: jobs.SECOND
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.StudyRemovals).params,
    message:
        "Studying {wildcards.removal} in {wildcards.removal_study}, with the removals of the same job"
    script:
        "../scripts/study_removals.py"


rule removal_studies:
    input:
        FILES.all_removals(STUDY.removal_studies),
    message:
        "All studies of removals are up to date"
