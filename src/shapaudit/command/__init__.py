"""The command line: ``shapaudit explain``, ``shapaudit compare``, and lists of what there is."""

from .main import main

__all__ = ["main"]
