"""Estimates: one job per experiment and estimator, or a few of them, seeds and budgets inside."""


rule run_estimators:
    input:
        unpack(ask(jobs.RunEstimators).inputs),
    output:
        table=OF_RUN.estimates("{experiment}", "{batch}"),
        setting=OF_RUN.settings("{experiment}", "{batch}"),
    log:
        f"{LOGS}/{{run}}run_estimators/{{experiment}}/{{batch}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}run_estimators/{{experiment}}/{{batch}}.tsv"
    priority: ask(jobs.RunEstimators).priority
    conda:
        "../../environment.yml"
    threads: ask(jobs.RunEstimators).threads
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.RunEstimators).params,
    message:
        "Running {wildcards.batch} on {wildcards.experiment}"
    script:
        "../scripts/run_estimators.py"


rule keep_estimates:
    input:
        unpack(ask(jobs.KeepEstimates).inputs),
    output:
        FILES.kept("{experiment}"),
    log:
        f"{LOGS}/keep_estimates/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/keep_estimates/{{experiment}}.tsv"
    priority: jobs.SECOND
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.KeepEstimates).params,
    message:
        "Keeping the estimates of {wildcards.experiment}"
    script:
        "../scripts/keep_estimates.py"


rule run_paths:
    input:
        unpack(ask(jobs.RunPaths).inputs),
    output:
        FILES.path("{path}"),
    log:
        f"{LOGS}/run_paths/{{path}}.log",
    benchmark:
        f"{BENCHMARKS}/run_paths/{{path}}.tsv"
    priority: jobs.SECOND
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.RunPaths).params,
    message:
        "Following estimates along {wildcards.path}"
    script:
        "../scripts/run_paths.py"


rule estimates:
    input:
        FILES.all_estimates(STUDY.experiments),
        FILES.all_settings(STUDY.experiments),
        [FILES.kept(name) for name, block in STUDY.experiments.items() if block.keep],
        [*map(FILES.path, STUDY.paths)],
    message:
        "All estimates are up to date"
