"""Explanations: explainers beside estimators, one job per study, or per some of its models."""


rule study_explainers:
    input:
        unpack(ask(jobs.StudyExplainers).inputs),
    output:
        table=FILES.explanations("{explanation}", "{first}"),
        kept=FILES.attributions("{explanation}", "{first}"),
    log:
        f"{LOGS}/study_explainers/{{explanation}}/{{first}}.log",
    benchmark:
        f"{BENCHMARKS}/study_explainers/{{explanation}}/{{first}}.tsv"
    priority: jobs.SECOND
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.StudyExplainers).params,
    message:
        "Explaining the models of {wildcards.explanation} from {wildcards.first} on"
    script:
        "../scripts/study_explainers.py"


rule explanations:
    input:
        FILES.all_explanations(STUDY.explanation_studies),
    message:
        "All explanation studies are up to date"
