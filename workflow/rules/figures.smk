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
LS_SPA_FIGURES = {
    "toy_lattice": "The toy example (Figure 1)",
    "feature_chains": "Errors by feature chains (Figure 2)",
    "risk_estimates": "Risk estimates (Figure 3)",
    "diabetes_attribution": "A real regression",
}
REPLICATION_FIGURES = {
    "endpoints": "Why the end points matter",
    "equal_samples": "Equal samples (Figure 1)",
    "deviations": "Standard deviations (Figure 2)",
    "saliency": "Saliency maps (Figure 3)",
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
LS_SPA = {
    name: setting for name, setting in config["experiments"].items() if name.startswith("bdb-")
}
LS_SPA_MADE = [
    *estimates_of(LS_SPA),
    *truths_of(LS_SPA),
    *[f"{RESULTS}/games/{game_of(name)}" for name in LS_SPA],
    *[f"{RESULTS}/models/{model_of(game_of(name))}" for name in LS_SPA],
    *[f"{RESULTS}/datasets/{dataset_of(game_of(name))}.npz" for name in LS_SPA],
]
TRUTHS = truths_of(config["experiments"])
OKHRATI = "config/published/okhrati_lipani_2021.csv"
OKHRATI_EXPERIMENTS = {
    name: setting for name, setting in config["experiments"].items() if name.startswith("okhrati-")
}
OKHRATI_GAMES = sorted({setting["game"] for setting in OKHRATI_EXPERIMENTS.values()})
# What the replication of Okhrati & Lipani reads beside its estimates and truths.
REPLICATION = [
    *KEPT,
    *PATHS,
    *ARCHITECTURES,
    *expand(f"{RESULTS}/games/{{game}}", game=OKHRATI_GAMES),
    *expand(f"{RESULTS}/datasets/{{dataset}}.npz", dataset=map(dataset_of, OKHRATI_GAMES)),
]


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


rule render_grah_thouvenot_2020:
    input:
        notebook="notebooks/grah_thouvenot_2020.ipynb",
        study=rules.write_study.output[0],
        estimates=ESTIMATES,
        settings=SETTINGS,
        truths=TRUTHS,
        published="config/published/grah_thouvenot_2020.csv",
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
        code=code("notebooks/grah_thouvenot_2020.ipynb"),
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
        code=code("notebooks/chen_covert_lundberg_lee_2023.ipynb"),
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


rule render_bell_devanathan_boyd_2024:
    input:
        notebook="notebooks/bell_devanathan_boyd_2024.ipynb",
        study=rules.write_study.output[0],
        made=LS_SPA_MADE,
        claims=rules.audit_claims.output[0],
    output:
        svg=[
            report(
                f"{FIGURES}/bell_devanathan_boyd_2024/{name}.svg",
                caption=f"../report/{name}.rst",
                category="LS-SPA",
                labels={"figure": title},
            )
            for name, title in LS_SPA_FIGURES.items()
        ],
        pdf=expand(f"{FIGURES}/bell_devanathan_boyd_2024/{{name}}.pdf", name=LS_SPA_FIGURES),
    log:
        text=f"{LOGS}/render_bell_devanathan_boyd_2024.log",
        notebook=f"{LOGS}/render_bell_devanathan_boyd_2024.ipynb",
    benchmark:
        f"{BENCHMARKS}/render_bell_devanathan_boyd_2024.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code("notebooks/bell_devanathan_boyd_2024.ipynb"),
        notebook=lambda wildcards, input: {
            "study": input.study,
            "results": RESULTS,
            "output": f"{FIGURES}/bell_devanathan_boyd_2024",
        },
    message:
        "Rendering {input.notebook}"
    script:
        "../scripts/render_notebook.py"


rule render_okhrati_lipani_2021:
    input:
        notebook="notebooks/okhrati_lipani_2021.ipynb",
        study=rules.write_study.output[0],
        estimates=estimates_of(OKHRATI_EXPERIMENTS),
        truths=truths_of(OKHRATI_EXPERIMENTS),
        scores=expand(f"{RESULTS}/models/{{model}}.score.json", model=map(model_of, OKHRATI_GAMES)),
        replication=REPLICATION,
        published=OKHRATI,
    output:
        svg=[
            report(
                f"{FIGURES}/okhrati_lipani_2021/{name}.svg",
                caption=f"../report/{name}.rst",
                category="Multilinear sampling",
                labels={"figure": title},
            )
            for name, title in REPLICATION_FIGURES.items()
        ],
        pdf=expand(f"{FIGURES}/okhrati_lipani_2021/{{name}}.pdf", name=REPLICATION_FIGURES),
    log:
        text=f"{LOGS}/render_okhrati_lipani_2021.log",
        notebook=f"{LOGS}/render_okhrati_lipani_2021.ipynb",
    benchmark:
        f"{BENCHMARKS}/render_okhrati_lipani_2021.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code("notebooks/okhrati_lipani_2021.ipynb"),
        notebook=lambda wildcards, input: {
            "study": input.study,
            "results": RESULTS,
            "published": input.published,
            "output": f"{FIGURES}/okhrati_lipani_2021",
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
    # The longest notebook: what is shorter fills the other cores.
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code("notebooks/audit.ipynb"),
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
        rules.render_bell_devanathan_boyd_2024.output,
        rules.render_okhrati_lipani_2021.output,
        rules.render_audit.output,
    message:
        "All figures are there"
