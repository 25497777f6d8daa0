"""Running LaTeX: what is handed over, and what is said when it fails."""

import os
import shutil

import pytest

from shapaudit_audit.report import typesetting

LOG = """\
This is pdfTeX
./paper/main.tex:12: Undefined control sequence.
l.12 \\nonsense
              {}
The rest is fine.
! Emergency stop.
"""


def test_errors_come_with_the_lines_after_them():
    lines = typesetting.error_lines(LOG)
    assert lines[:3] == LOG.splitlines()[1:4]
    assert lines[-1] == "! Emergency stop."
    assert "This is pdfTeX" not in lines


def test_names_without_a_target_are_found():
    log = (
        "LaTeX Warning: Reference `sec:a' on page 1 undefined on input line 3.\n"
        "Package natbib Warning: Citation `key' on page 1 undefined on input line 4.\n"
        "LaTeX Warning: Label(s) may have changed.\n"
    )
    assert len(typesetting.undefined_names(log)) == 2
    assert typesetting.undefined_names("all is well") == []


@pytest.fixture
def latexmk(tmp_path, monkeypatch):
    """Install a script under the name of latexmk; it gets the arguments of the real one."""

    def install(body):
        program = tmp_path / "bin" / "latexmk"
        program.parent.mkdir(exist_ok=True)
        program.write_text(
            "#!/bin/sh\nfor a; do case $a in -outdir=*) out=${a#-outdir=};; esac; done\n" + body
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    return install


def run(tmp_path):
    output, log = tmp_path / "out" / "report.pdf", tmp_path / "logs" / "latex.log"
    typesetting.typeset({output: tmp_path / "main.tex"}, [tmp_path / "figures"], log)
    return output, log


def test_the_pdf_is_put_in_place_and_leftovers_are_not_used(tmp_path, latexmk):
    latexmk('ls "$out"; echo "$TEXINPUTS" > "$out/report.pdf"; echo fine > "$out/report.log"')
    leftover = tmp_path / "out" / "build" / "report.aux"
    leftover.parent.mkdir(parents=True)
    leftover.write_text("stale")
    output, log = run(tmp_path)
    assert output.read_text().startswith(str(tmp_path / "figures"))
    assert "fine" in log.read_text()
    assert not leftover.exists()


def test_a_failure_shows_the_errors_and_where_the_log_is(tmp_path, latexmk):
    latexmk(f"cat > \"$out/report.log\" <<'END'\n{LOG}END\nexit 12")
    with pytest.raises(typesetting.TypesettingError, match=r"latex\.log") as failure:
        run(tmp_path)
    assert "Undefined control sequence" in str(failure.value)
    assert not (tmp_path / "out" / "report.pdf").exists()


def test_a_dangling_reference_is_a_failure(tmp_path, latexmk):
    latexmk(
        'echo "LaTeX Warning: Reference \\`x\' on page 1 undefined on input line 3." '
        '> "$out/report.log"; touch "$out/report.pdf"'
    )
    with pytest.raises(typesetting.TypesettingError, match="without a target"):
        run(tmp_path)


def test_two_documents_refer_to_each_other(tmp_path):
    assert shutil.which("latexmk"), "the tests need LaTeX: workflow/setup/install_latex.sh"
    for name, other in (("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.tex").write_text(
            "\\documentclass{article}\\usepackage{xr-hyper}\\usepackage{hyperref}"
            f"\\externaldocument{{{other}}}[{other}.pdf]\\begin{{document}}"
            f"\\section{{Of {name}}}\\label{{sec:{name}}} See \\ref{{sec:{other}}}."
            "\\end{document}"
        )
    documents = {
        tmp_path / "out" / f"{name}.pdf": tmp_path / f"{name}.tex" for name in ("one", "two")
    }
    log = tmp_path / "latex.log"
    typesetting.typeset(documents, [tmp_path], log)
    assert all(path.stat().st_size > 1000 for path in documents)
    assert typesetting.undefined_names(log.read_text()) == []


def test_a_document_is_built_again_where_labels_of_another_have_changed(tmp_path, latexmk):
    latexmk(
        "for a; do case $a in -jobname=*) name=${a#-jobname=};; esac; done\n"
        f'echo $name >> "{tmp_path}/built"; echo > "$out/$name.pdf"; echo fine > "$out/$name.log"\n'
        r"""printf '%s\n' "\\newlabel{of-$name}" > "$out/$name.aux"; """
        f'wc -l < "{tmp_path}/built" >> "$out/$name.aux"'
    )
    names = ("one", "two", "three")
    documents = {tmp_path / "out" / f"{name}.pdf": tmp_path / f"{name}.tex" for name in names}
    typesetting.typeset(documents, [tmp_path], tmp_path / "log")
    assert (tmp_path / "built").read_text().split() == ["one", "two", "three", "one", "two"]
