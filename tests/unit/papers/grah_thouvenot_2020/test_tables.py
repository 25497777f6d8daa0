"""Tables of the experiments of the first paper, cell by cell."""

from shapaudit_audit.report.latex import escape, number
from shapaudit_papers.grah_thouvenot_2020.tables.experiments import steps_table


def test_steps_are_those_of_the_settings_and_ends_of_the_grid_are_marked(made_up):
    lines = [line for line in steps_table(made_up["experiments"]).splitlines() if " & " in line]
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines[1:]]
    expected = []
    for experiment in made_up["experiments"].values():
        label = escape(experiment.label)
        for rule, words in (("constant", "constant"), ("sqrt", r"\ensuremath{1/\sqrt t}")):
            settings = experiment.settings
            if {f"psgd-{rule}", f"psgd-{rule}-tuned"} <= set(settings):
                tuning = settings[f"psgd-{rule}-tuned"]["tuning"]
                low, high = min(tuning["grid"]), max(tuning["grid"])
                star = r"\textsuperscript{*}" if tuning["chosen"] in (low, high) else ""
                published = number(settings[f"psgd-{rule}"]["params"]["scale"], 1)
                ends = f"{number(low, 1)}--{number(high, 1)}"
                cells = [number(tuning["chosen"], 1) + star, ends, number(tuning["evaluations"])]
                expected.append([label, words, published, *cells])
                label = ""
    assert [row[:6] for row in rows] == expected
    assert all(len(row) == 8 and all(row[6:]) for row in rows)
