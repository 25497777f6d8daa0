"""The site of a study: one self-contained HTML page that needs no network."""

from .page import render

__all__ = ["render"]
