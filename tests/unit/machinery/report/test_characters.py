"""Characters beyond ASCII: what LaTeX prints, what figures show, what nothing does."""

import shutil
import unicodedata
from pathlib import Path

import pytest
from matplotlib.font_manager import findfont
from matplotlib.ft2font import FT2Font
from places import ROOT

from shapaudit_audit.report.characters import escape, plain, unprinted
from shapaudit_audit.report.typesetting import typeset

SAMPLE = "α-SHAP, it’s Ł, naïve Çüñ, ế, Ώ, ᾶ, ß, ﬁ, Ａ, x² y₁ ½, ℝ, “q” „d“, a≠b, ∑→∞, € № ™ … 🚀"
LETTERS = "".join(
    character
    for start, end in ((0xA0, 0x250), (0x370, 0x400), (0x1E00, 0x2000), (0x2000, 0x2300))
    for character in map(chr, range(start, end))
    if unicodedata.category(character) not in ("Cn", "Cc", "Zl", "Zp") and not unprinted(character)
)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("α-SHAP", r"\ensuremath{\alpha}-SHAP"),
        ("it’s", "it's"),
        ("Łukasz", r"\L{}ukasz"),
        ("ế", r"\'{\^{e}}"),
        ("e\N{COMBINING ACUTE ACCENT}", "é"),
        ("x\N{COMBINING TILDE}", r"\~{x}"),
        ("ς σ Σ Α λ", r"\ensuremath{\varsigma} \ensuremath{\sigma} \ensuremath{\Sigma} A "
         r"\ensuremath{\lambda}"),
        ("ά", r"\ensuremath{\acute{\alpha}}"),
        ("d⁻⁴", r"d\textsuperscript{\ensuremath{-}}\textsuperscript{4}"),
        ("ℝ", r"\ensuremath{\mathbb{R}}"),
        ("🚀 fast", "[rocket] fast"),
        ("👩🏽‍🔬", "[woman][microscope]"),
        ("a\N{ZERO WIDTH SPACE}b", "ab"),
        ("50 % of a_b", r"50 \% of a\_b"),
    ],
)  # fmt: skip
def test_characters_are_spelt_out(text, latex):
    assert escape(text) == latex
    assert unprinted(text) == []


@pytest.mark.parametrize("text", ["Привет", "中文", "שלום", "สวัสดี"])
def test_other_scripts_are_told_and_named(text):
    assert set(unprinted(text)) == set(unprinted("plain " + text)) != set()
    assert escape(text).isascii()
    assert escape("я") == "[cyrillic small letter ya]"


def test_figures_have_the_characters_of_plain_text():
    font = FT2Font(findfont("DejaVu Sans"))
    known = set(font.get_charmap())
    for text in (SAMPLE, LETTERS):
        assert {letter for letter in plain(text) if ord(letter) not in known} <= set("⫝̸")
    assert plain("PSGD, 1/√t, μ, x² – ½ 🚀 Ａ ①") == "PSGD, 1/√t, μ, x² – ½ [rocket] A 1"


@pytest.fixture(scope="module")
def needs_latex():
    assert shutil.which("latexmk"), "the tests need LaTeX: workflow/setup/install_latex.sh"


@pytest.mark.usefixtures("needs_latex")
def test_the_report_prints_them_all(tmp_path: Path):
    source = (ROOT / "paper" / "preamble.tex").read_text(encoding="utf-8")
    preamble, _, _ = source.partition("% Equal inputs")
    lines = [
        f"x{escape(letter)}x \\textbf{{{escape(letter)}}} \\emph{{{escape(letter)}}}"
        for letter in LETTERS
    ]
    body = "\n\n".join([escape(SAMPLE), *lines])
    main = tmp_path / "main.tex"
    text = f"{preamble}\\begin{{document}}\\raggedright\n{body}\n\\end{{document}}\n"
    main.write_text(f"\\documentclass{{article}}\n{text}", encoding="utf-8")
    log = tmp_path / "latex.log"
    typeset({tmp_path / "out" / "report.pdf": main}, [tmp_path], log)
    assert "Missing character" not in log.read_text(encoding="utf-8")
