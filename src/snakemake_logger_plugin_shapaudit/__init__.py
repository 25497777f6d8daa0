"""The logger plug-in of a study: Snakemake finds it by the name of this package."""

from shapaudit_audit.console.handler import LogHandler

__all__ = ["LogHandler"]
