"""Figures: notebooks run by papermill, each figure as PDF for the report and SVG for the web."""

# By notebook, one per paper and one on the audit, and by name.
FIGURES = jobs.figures()


rule write_study:
    output:
        FILES.study,
    log:
        f"{LOGS}/write_study.log",
    benchmark:
        f"{BENCHMARKS}/write_study.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
    params:
        **ask(jobs.WriteStudy).params,
    message:
        "Recording the configuration"
    script:
        "../scripts/write_study.py"


for notebook, figures in FIGURES.items():
    # The loop goes on before the rule is asked for anything.
    rendering = ask(jobs.RenderNotebook, notebook=notebook)

    rule:
        name:
            f"render_{notebook}"
        input:
            unpack(rendering.inputs),
        output:
            svg=[
                report(
                    path,
                    caption=str(Path(path).with_suffix(".rst").absolute()),
                    category=PAPERS[notebook].name if notebook in PAPERS else "Audit",
                    labels={"figure": figure.title},
                )
                for path, figure in zip(
                    jobs.figures_of(RESULTS, notebook, "svg"), figures.values()
                )
            ],
            pdf=jobs.figures_of(RESULTS, notebook, "pdf"),
            captions=jobs.figures_of(RESULTS, notebook, "rst"),
            executed=f"{RESULTS}/notebooks/{notebook}.ipynb",
            page=f"{RESULTS}/notebooks/{notebook}.html",
        log:
            text=f"{LOGS}/render_{notebook}.log",
            notebook=f"{LOGS}/render_{notebook}.ipynb",
        benchmark:
            f"{BENCHMARKS}/render_{notebook}.tsv"
        priority: rendering.priority
        conda:
            "../../environment.yml"
        resources:
            mem_mb=2000,
        params:
            **rendering.params,
        message:
            "Rendering {input.notebook}"
        script:
            "../scripts/render_notebook.py"


rule figures:
    input:
        jobs.all_figures(RESULTS, "svg"),
    message:
        "All figures are up to date"
