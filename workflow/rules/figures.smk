"""Figures: notebooks run by papermill, each figure as PDF for the report and SVG for the web."""

FIGURES = f"{RESULTS}/figures"
EXPERIMENT_FIGURES = {
    "dimension16": "Few players (Figure 2)",
    "dimension300": "Many players (Figure 3)",
    "diabetes": "Real data",
    "variants": "Variants of projected SGD",
    "spread": "Spread over pairs and seeds",
}
BENCHMARK_FIGURES = {
    "published_protocol": "The published protocol",
    "published_bias": "Bias and variance",
    "many_pairs": "Many pairs",
}
AUDIT_FIGURES = {
    "verdicts": "Verdicts",
    "curvature": "Least squares and curvature",
    "looseness": "Looseness of the constants",
    "radius": "What the radius does",
    "rates": "Bounds, step by step",
    "exact_curve": "Bound, exact expectation, experiment",
    "exceedance": "Bounds in probability",
    "projection": "Algorithm 2",
    "outperformance": "The experiments",
    "unhelpful": "Steps in a later benchmark",
}

BENCHMARK = {
    name: setting for name, setting in config["experiments"].items() if name.startswith("chen-")
}
TRUTHS = truths_of(config["experiments"])


rule write_study:
    input:
        code=code("workflow/scripts/write_study.py"),
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
        study=config,
    message:
        "Writing down the configuration"
    script:
        "../scripts/write_study.py"


rule render_grah_thouvenot_2020:
    input:
        notebook="notebooks/grah_thouvenot_2020.ipynb",
        study=rules.write_study.output[0],
        estimates=ESTIMATES,
        settings=SETTINGS,
        truths=TRUTHS,
        published="config/published/grah_thouvenot_2020.csv",
        code=code("notebooks/grah_thouvenot_2020.ipynb"),
    output:
        svg=[
            report(
                f"{FIGURES}/grah_thouvenot_2020/{name}.svg",
                caption=f"../report/{name}.rst",
                category="Experiments",
                labels={"figure": title},
            )
            for name, title in EXPERIMENT_FIGURES.items()
        ],
        pdf=expand(f"{FIGURES}/grah_thouvenot_2020/{{name}}.pdf", name=EXPERIMENT_FIGURES),
    log:
        text=f"{LOGS}/render_grah_thouvenot_2020.log",
        notebook=f"{LOGS}/render_grah_thouvenot_2020.ipynb",
    benchmark:
        f"{BENCHMARKS}/render_grah_thouvenot_2020.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        notebook=lambda wildcards, input: {
            "study": input.study,
            "results": RESULTS,
            "published": input.published,
            "output": f"{FIGURES}/grah_thouvenot_2020",
        },
    message:
        "Rendering {input.notebook}"
    script:
        "../scripts/render_notebook.py"


rule render_chen_covert_lundberg_lee_2023:
    input:
        notebook="notebooks/chen_covert_lundberg_lee_2023.ipynb",
        study=rules.write_study.output[0],
        estimates=estimates_of(BENCHMARK),
        truths=truths_of(BENCHMARK),
        published=PUBLISHED,
        code=code("notebooks/chen_covert_lundberg_lee_2023.ipynb"),
    output:
        svg=[
            report(
                f"{FIGURES}/chen_covert_lundberg_lee_2023/{name}.svg",
                caption=f"../report/{name}.rst",
                category="Benchmark",
                labels={"figure": title},
            )
            for name, title in BENCHMARK_FIGURES.items()
        ],
        pdf=expand(f"{FIGURES}/chen_covert_lundberg_lee_2023/{{name}}.pdf", name=BENCHMARK_FIGURES),
    log:
        text=f"{LOGS}/render_chen_covert_lundberg_lee_2023.log",
        notebook=f"{LOGS}/render_chen_covert_lundberg_lee_2023.ipynb",
    benchmark:
        f"{BENCHMARKS}/render_chen_covert_lundberg_lee_2023.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        notebook=lambda wildcards, input: {
            "study": input.study,
            "results": RESULTS,
            "published": input.published,
            "output": f"{FIGURES}/chen_covert_lundberg_lee_2023",
        },
    message:
        "Rendering {input.notebook}"
    script:
        "../scripts/render_notebook.py"


rule render_audit:
    input:
        notebook="notebooks/audit.ipynb",
        study=rules.write_study.output[0],
        claims=rules.audit_claims.output[0],
        code=code("notebooks/audit.ipynb"),
    output:
        svg=[
            report(
                f"{FIGURES}/audit/{name}.svg",
                caption=f"../report/{name}.rst",
                category="Audit",
                labels={"figure": title},
            )
            for name, title in AUDIT_FIGURES.items()
        ],
        pdf=expand(f"{FIGURES}/audit/{{name}}.pdf", name=AUDIT_FIGURES),
    log:
        text=f"{LOGS}/render_audit.log",
        notebook=f"{LOGS}/render_audit.ipynb",
    benchmark:
        f"{BENCHMARKS}/render_audit.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        notebook=lambda wildcards, input: {
            "study": input.study,
            "results": RESULTS,
            "output": f"{FIGURES}/audit",
        },
    message:
        "Rendering {input.notebook}"
    script:
        "../scripts/render_notebook.py"


rule figures:
    input:
        rules.render_grah_thouvenot_2020.output,
        rules.render_chen_covert_lundberg_lee_2023.output,
        rules.render_audit.output,
    message:
        "All figures are there"
