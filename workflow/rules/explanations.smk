"""Explanations: explainers beside estimators, one job per study, or per some of its models."""

EXPLANATIONS = [table for name in STUDIED for table in explanations_of(name)]


rule study_explainers:
    input:
        schemas=[schema_of("explanations"), schema_of("attributions")],
        own=lambda wildcards: [
            *data_files(studied_blocks(wildcards)["dataset"]),
            *read_by(studied_blocks(wildcards)["estimators"]),
        ],
    output:
        table=f"{RESULTS}/explanations/{{explanation}}/{{first}}.parquet",
        kept=f"{RESULTS}/explanations/{{explanation}}/{{first}}.kept.parquet",
    log:
        f"{LOGS}/study_explainers/{{explanation}}/{{first}}.log",
    benchmark:
        f"{BENCHMARKS}/study_explainers/{{explanation}}/{{first}}.tsv"
    priority: SECOND
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/study_explainers.py", *studied_sources(wildcards)
        ),
        seed=config["seed"],
        study=lambda wildcards: without(
            STUDIED[wildcards.explanation], "models", "per_job", "paper", "label"
        ),
        models=lambda wildcards: {
            name: without(model, "label")
            for name, model in explanation_batches(STUDIED[wildcards.explanation])[
                wildcards.first
            ].items()
        },
        blocks=studied_blocks,
    message:
        "Explaining the models of {wildcards.explanation} from {wildcards.first} on"
    script:
        "../scripts/study_explainers.py"


rule explanations:
    input:
        EXPLANATIONS,
    message:
        "All explanation studies are up to date"
