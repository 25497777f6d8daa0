"""Figures: notebooks run by papermill, each figure as PDF for the report and SVG for the web."""

from shapaudit.report.figures import declared_figures

# By notebook, one per paper and one on the audit, and by name.
FIGURES = declared_figures()
# A study of one's own repeats no paper and has no report.
REPORTED = reported(config)


def figures_of(notebook, suffix):
    """Files of the figures of a notebook."""
    return expand(f"{RESULTS}/figures/{notebook}/{{name}}.{suffix}", name=FIGURES[notebook])


def all_figures(suffix):
    return [path for notebook in FIGURES for path in figures_of(notebook, suffix)]


def part_of(block, paper):
    """Entries of a block of the configuration that name a paper."""
    return {
        name: spec for name, spec in config.get(block, {}).items() if spec.get("paper") == paper
    }


def made_for(paper):
    """Everything that a study makes for the experiments of a paper, but its verdicts."""
    experiments = part_of("experiments", paper)
    games = games_of(experiments)
    models = list(dict.fromkeys(map(model_of, games)))
    return [
        *estimates_of(experiments),
        *settings_of(experiments),
        *truths_of(experiments),
        *expand(f"{RESULTS}/kept/{{name}}.parquet", name=kept_in(experiments)),
        *expand(f"{RESULTS}/paths/{{name}}.parquet", name=part_of("paths", paper)),
        *expand(f"{RESULTS}/architectures/{{name}}.json", name=part_of("architectures", paper)),
        *expand(f"{RESULTS}/games/{{game}}", game=games),
        *expand(f"{RESULTS}/models/{{model}}", model=models),
        *expand(f"{RESULTS}/models/{{model}}.score.json", model=models),
        *expand(f"{RESULTS}/datasets/{{name}}.npz", name=set(map(dataset_of, games))),
    ]


def seen_by(notebook):
    """What a notebook reads beside the configuration."""
    verdicts = claims_of([""])
    if notebook not in PAPERS:
        return verdicts
    paper = PAPERS[notebook]
    printed = published_of(paper.reads)
    return [*made_for(notebook), *printed, *(verdicts if "verdicts" in paper.findings_from else [])]


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
        code=code("workflow/scripts/write_study.py"),
        study=config,
    message:
        "Writing down the configuration"
    script:
        "../scripts/write_study.py"


for notebook, figures in FIGURES.items():

    rule:
        name:
            f"render_{notebook}"
        input:
            notebook=f"notebooks/{notebook}.ipynb",
            study=rules.write_study.output[0],
            seen=seen_by(notebook),
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
        log:
            text=f"{LOGS}/render_{notebook}.log",
            notebook=f"{LOGS}/render_{notebook}.ipynb",
        benchmark:
            f"{BENCHMARKS}/render_{notebook}.tsv"
        # That on the audit takes longest: what is shorter fills the other cores.
        priority: 0 if notebook in PAPERS else FIRST
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=2000,
        params:
            code=code(f"notebooks/{notebook}.ipynb", *CARDS if notebook in PAPERS else ()),
            captions=[figure.caption for figure in figures.values()],
            notebook={
                "study": str(rules.write_study.output[0]),
                "results": RESULTS,
                "published": "config/published",
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
        "All figures are there"
