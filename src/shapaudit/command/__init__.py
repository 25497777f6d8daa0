"""The command line: ``shapaudit explain``, ``compare``, ``judge``, and lists of what there is."""

from .main import main

__all__ = ["main"]
