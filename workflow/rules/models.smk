"""Models: known functions and fitted ones, saved without pickle."""


rule train_model:
    input:
        dataset=lambda wildcards: (
            f"{RESULTS}/datasets/{config['models'][wildcards.model]['dataset']}.npz"
        ),
        code=code("workflow/scripts/train_model.py"),
    output:
        model=directory(f"{RESULTS}/models/{{model}}"),
        score=f"{RESULTS}/models/{{model}}.score.json",
    log:
        f"{LOGS}/train_model/{{model}}.log",
    benchmark:
        f"{BENCHMARKS}/train_model/{{model}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        seed=config["seed"],
        spec=lambda wildcards: config["models"][wildcards.model],
    message:
        "Training the model {wildcards.model}"
    script:
        "../scripts/train_model.py"
