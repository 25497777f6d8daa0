"""The documentation site: the Markdown of this repository, and an interface from docstrings.

The sources are pages of the whole repository, so that links between them hold here as on a code
host: `make docs` runs Sphinx from its root with this folder as that of the configuration.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "shapaudit"
author = "the shapaudit authors"
copyright = "the shapaudit authors, BSD-3-Clause"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxcontrib.mermaid",
    "cards",
    "docstrings",
    "mathml",
]

root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/api/*.rst",
    "docs/history/*.md",
    "docs/replications/*.md",
    "*.md",
    "config/README.md",
    "benchmarks/README.md",
    "benchmarks/results/*.md",
]
# Folders that are not searched for pages: they are large, or hold none.
exclude_patterns = [
    ".*",
    "data",
    "docs/_build",
    "logs",
    "paper",
    "results",
    "src",
    "tests",
    "workflow",
]

myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 3

# In a docstring `name` is code, and a link where the site has a page of it.
default_role = "py:obj"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_use_unqualified_type_names = True

html_theme = "pydata_sphinx_theme"
html_title = "shapaudit"
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"docs/index": [], "docs/explaining": [], "docs/tutorial": [], "docs/findings": []}
html_extra_path = ["landing"]
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
}
