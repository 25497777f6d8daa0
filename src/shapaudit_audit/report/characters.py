"""Characters beyond ASCII as LaTeX, with the fonts of the report: no list of all of Unicode.

What a character is follows from its name and decomposition in the Unicode character database: an
accented letter is its letter and accents, a superscript is raised, a symbol without a command is
named in brackets. Letters of scripts that the fonts do not have (Cyrillic, Hebrew, Chinese, ...)
have no LaTeX.
"""

import re
import unicodedata
from functools import cache

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "√": r"\ensuremath{\surd}",
    "μ": r"\ensuremath{\mu}",
    "φ": r"\ensuremath{\phi}",
    "γ": r"\ensuremath{\gamma}",
    "κ": r"\ensuremath{\kappa}",
    "²": r"\ensuremath{^2}",
    "≤": r"\ensuremath{\le}",
    "–": "--",
    "—": "---",
}
TEXT = {
    "­": r"\-",
    "‐": "-",
    "‑": "-",
    "‒": "--",
    "―": "---",
    "‘": "`",
    "’": "'",
    "‚": r"\quotesinglbase{}",
    "‛": "`",
    "“": "``",
    "”": "''",
    "„": r"\quotedblbase{}",
    "‹": r"\guilsinglleft{}",
    "›": r"\guilsinglright{}",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "•": r"\textbullet{}",
    "…": r"\dots{}",
    "‰": r"\textperthousand{}",
    "€": r"\texteuro{}",
    "™": r"\texttrademark{}",
    "№": r"\textnumero{}",
    "Đ": r"\DJ{}",
    "đ": r"\dj{}",
    "Ł": r"\L{}",
    "ł": r"\l{}",
    "Ŋ": r"\NG{}",
    "ŋ": r"\ng{}",
    "Œ": r"\OE{}",
    "œ": r"\oe{}",
    "ı": r"\i{}",
    "ȷ": r"\j{}",
    "ẞ": "SS",
}
MATHEMATICS = {
    "′": "'",
    "″": "''",
    "−": "-",
    "∕": "/",
    "∗": r"\ast",
    "∘": r"\circ",
    "∝": r"\propto",
    "∞": r"\infty",
    "∅": r"\emptyset",
    "∂": r"\partial",
    "∇": r"\nabla",
    "∆": r"\Delta",
    "∑": r"\sum",
    "∏": r"\prod",
    "∫": r"\int",
    "∀": r"\forall",
    "∃": r"\exists",
    "∈": r"\in",
    "∉": r"\notin",
    "∋": r"\ni",
    "∩": r"\cap",
    "∪": r"\cup",
    "⊂": r"\subset",
    "⊃": r"\supset",
    "⊆": r"\subseteq",
    "⊇": r"\supseteq",
    "∧": r"\wedge",
    "∨": r"\vee",
    "≈": r"\approx",
    "≃": r"\simeq",
    "≡": r"\equiv",
    "∼": r"\sim",
    "≠": r"\ne",
    "≥": r"\ge",
    "≪": r"\ll",
    "≫": r"\gg",
    "⊥": r"\perp",
    "⊕": r"\oplus",
    "⊗": r"\otimes",
    "⌈": r"\lceil",
    "⌉": r"\rceil",
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "←": r"\leftarrow",
    "→": r"\rightarrow",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "↔": r"\leftrightarrow",
    "⇐": r"\Leftarrow",
    "⇒": r"\Rightarrow",
    "⇔": r"\Leftrightarrow",
    "ℓ": r"\ell",
    "ℏ": r"\hbar",
    "★": r"\bigstar",
    "✓": r"\checkmark",
    "■": r"\blacksquare",
    "□": r"\square",
    "▲": r"\blacktriangle",
}
# Combining marks: over a letter of text, and over one of mathematics.
ACCENTS = {
    "GRAVE ACCENT": (r"\`", r"\grave"),
    "ACUTE ACCENT": (r"\'", r"\acute"),
    "CIRCUMFLEX ACCENT": (r"\^", r"\hat"),
    "TILDE": (r"\~", r"\tilde"),
    "GREEK PERISPOMENI": (r"\~", r"\tilde"),
    "MACRON": (r"\=", r"\bar"),
    "BREVE": (r"\u", r"\breve"),
    "DOT ABOVE": (r"\.", r"\dot"),
    "DIAERESIS": (r"\"", r"\ddot"),
    "RING ABOVE": (r"\r", r"\mathring"),
    "DOUBLE ACUTE ACCENT": (r"\H", r"\acute"),
    "CARON": (r"\v", r"\check"),
    "DOT BELOW": (r"\d", r"\underline"),
    "CEDILLA": (r"\c", r"\underline"),
    "OGONEK": (r"\k", r"\underline"),
    "MACRON BELOW": (r"\b", r"\underline"),
    "COMMA BELOW": (r"\textcommabelow", r"\underline"),
}
# Greek capitals that have no command look like these letters; all others have one.
GREEK = {
    "alpha": "A",
    "beta": "B",
    "gamma": None,
    "delta": None,
    "epsilon": "E",
    "zeta": "Z",
    "eta": "H",
    "theta": None,
    "iota": "I",
    "kappa": "K",
    "lamda": None,
    "mu": "M",
    "nu": "N",
    "xi": None,
    "omicron": "O",
    "pi": None,
    "rho": "P",
    "sigma": None,
    "tau": "T",
    "upsilon": "Y",
    "phi": None,
    "chi": "X",
    "psi": None,
    "omega": None,
}
RARE = ("<wide>", "<narrow>", "<font>", "<compat>", "<square>", "<circle>", "<noBreak>", "<small>")
ACCENTED = re.compile(r"\\ensuremath\{(.*)\}")


def escape(text: str) -> str:
    """Text with the characters special to LaTeX, and those beyond ASCII, spelt out.

    Those that the fonts of the report do not have are named in brackets.
    """
    latex = ((cluster, _latex(cluster)) for cluster in _clusters(text))
    return "".join(_named(cluster) if spelt is None else spelt for cluster, spelt in latex)


def unprinted(text: str) -> list[str]:
    """Characters of a text that the fonts of the report do not have, each once."""
    return list(dict.fromkeys(cluster for cluster in _clusters(text) if _latex(cluster) is None))


def plain(text: str) -> str:
    """Text in characters that figures show as well: symbols by name, no rare forms of letters."""
    return "".join(_plain(cluster) for cluster in _clusters(text))


def described(character: str) -> str:
    """Name of a character in Unicode, or its number."""
    return unicodedata.name(character[0], f"U+{ord(character[0]):04X}").lower()


def _named(cluster: str) -> str:
    name = described(cluster).removeprefix("regional indicator symbol letter ")
    return f"[{name}]"


def _plain(cluster: str) -> str:
    latex = _latex(cluster)
    if latex is not None and _by_category(cluster[0]) == latex:
        return latex.replace("~", " ")
    kind = unicodedata.decomposition(cluster[0])
    return unicodedata.normalize("NFKC", cluster) if kind.startswith(RARE) else cluster


def _clusters(text: str) -> list[str]:
    """Characters, each with the combining marks that follow it."""
    return re.findall(r".[\u0300-\u036f]*", unicodedata.normalize("NFC", text), re.DOTALL)


@cache
def _latex(cluster: str) -> str | None:
    """LaTeX of a character with its combining marks; None where there is none."""
    if len(cluster) > 1:
        return _accented(cluster[0], cluster[1:])
    if cluster in SPECIAL:
        return SPECIAL[cluster]
    if cluster in TEXT:
        return TEXT[cluster]
    if cluster in MATHEMATICS:
        return rf"\ensuremath{{{MATHEMATICS[cluster]}}}"
    if " " <= cluster <= "~" or "¡" <= cluster <= "ÿ" or cluster in "\t\n":
        return cluster
    return _greek(cluster) or _decomposed(cluster) or _by_category(cluster)


def _greek(character: str) -> str | None:
    form = r"GREEK (CAPITAL|SMALL) LETTER (FINAL )?(\w+)"
    match = re.fullmatch(form, unicodedata.name(character, ""))
    if match is None or (name := match[3].lower()) not in GREEK:
        return None
    if match[1] == "CAPITAL" and GREEK[name]:
        return GREEK[name]
    command = {"lamda": "lambda", "sigma": "varsigma" if match[2] else "sigma"}.get(name, name)
    if command == "omicron":
        return r"\ensuremath{o}"
    return rf"\ensuremath{{\{command.capitalize() if match[1] == 'CAPITAL' else command}}}"


def _decomposed(character: str) -> str | None:
    """LaTeX of a character that Unicode says is made of others."""
    kind, *codes = ["", *unicodedata.decomposition(character).split()]
    if codes and codes[0].startswith("<"):
        kind, *codes = codes
    parts = "".join(chr(int(code, 16)) for code in codes)
    if not parts:
        return None
    if not kind:
        letters = unicodedata.normalize("NFD", character)
        return _accented(letters[0], letters[1:])
    inner = [latex for part in parts if (latex := _latex(part)) is not None]
    if len(inner) < len(parts):
        return None
    if kind in ("<super>", "<sub>"):
        return rf"\text{kind[1:-1]}script{{{''.join(inner)}}}"
    if "DOUBLE-STRUCK" in unicodedata.name(character) and parts.isalpha() and parts.isascii():
        return rf"\ensuremath{{\mathbb{{{parts}}}}}" if parts.isupper() else parts
    return "".join(inner)


def _accented(base: str, marks: str) -> str | None:
    """A letter under, or over, the marks that follow it."""
    latex = _latex(base)
    for mark in marks:
        accents = ACCENTS.get(unicodedata.name(mark, "").removeprefix("COMBINING "))
        if latex is None or accents is None:
            return None
        inside = ACCENTED.fullmatch(latex)
        over = rf"\ensuremath{{{accents[1]}{{{inside[1]}}}}}" if inside else None
        latex = over or f"{accents[0]}{{{latex}}}"
    return latex


def _by_category(character: str) -> str | None:
    """Spaces as spaces, nothing for what cannot be seen, and the names of symbols."""
    category = unicodedata.category(character)
    if category == "Zs":
        return "~" if character in "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}" else " "
    if category in ("Cf", "Mn", "Me") or described(character).startswith("emoji modifier"):
        return ""
    if category in ("So", "Sm", "Sc", "Sk", "Po"):
        return _named(character)
    return None
