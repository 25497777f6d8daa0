"""Figures: notebooks run by papermill, each figure as PDF for the report and SVG for the web."""

# What runs a notebook, named as seen from the source.
RENDER = "../workflow/scripts/render_notebook.py"
# A study of one's own repeats no paper and has no report.
REPORTED = reported(config)


rule write_study:
    output:
        f"{RESULTS}/study.yaml",
    log:
        f"{LOGS}/write_study.log",
    benchmark:
        f"{BENCHMARKS}/write_study.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
    params:
        code=code_of("workflow/scripts/write_study.py"),
        study=config,
    message:
        "Recording the configuration"
    script:
        "../scripts/write_study.py"


for notebook, figures in FIGURES.items():

    rule:
        name:
            f"render_{notebook}"
        input:
            notebook=notebook_of(notebook),
            study=rules.write_study.output[0],
            seen=seen_by(notebook),
            schemas=RESULT_SCHEMAS,
        output:
            svg=[
                report(
                    path,
                    caption=str(Path(path).with_suffix(".rst").absolute()),
                    category=PAPERS[notebook].name if notebook in PAPERS else "Audit",
                    labels={"figure": figure.title},
                )
                for path, figure in zip(figures_of(notebook, "svg"), figures.values())
            ],
            pdf=figures_of(notebook, "pdf"),
            captions=figures_of(notebook, "rst"),
            executed=f"{RESULTS}/notebooks/{notebook}.ipynb",
            page=f"{RESULTS}/notebooks/{notebook}.html",
        log:
            text=f"{LOGS}/render_{notebook}.log",
            notebook=f"{LOGS}/render_{notebook}.ipynb",
        benchmark:
            f"{BENCHMARKS}/render_{notebook}.tsv"
        # Those with the most figures take longest: what is shorter fills the other cores.
        priority: len(figures) if notebook in PAPERS else FIRST
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=2000,
        params:
            code=code_of(
                notebook_of(notebook),
                RENDER,
                *(CARDS + REMOVAL_CARDS if notebook in PAPERS else PAPER_CARDS),
            ),
            captions=[figure.caption for figure in figures.values()],
            notebook={
                "results": RESULTS,
                "published": PRINTED,
                "output": f"{RESULTS}/figures/{notebook}",
            },
        message:
            "Rendering {input.notebook}"
        script:
            "../scripts/render_notebook.py"


rule figures:
    input:
        all_figures("svg"),
    message:
        "All figures are up to date"
