"""Formulae as MathML, which browsers show without a script and without a network."""

from docutils import nodes
from latex2mathml.converter import convert


def as_mathml(latex: str, display: str = "inline") -> str:
    """The formula as MathML; ``display`` is "inline" or "block"."""
    return convert(latex, display=display)


def inline(translator, node: nodes.math) -> None:
    """Write a formula of a sentence."""
    translator.body.append(as_mathml(node.astext()))
    raise nodes.SkipNode


def block(translator, node: nodes.math_block) -> None:
    """Write a formula of its own line."""
    translator.body.append(as_mathml(node.astext(), "block"))
    raise nodes.SkipNode


def setup(app) -> dict[str, bool]:
    """Offer the renderer, by the name `mathml`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
