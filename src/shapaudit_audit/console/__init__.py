"""What a run shows while it lasts and at its end, by the events that Snakemake logs."""

import logging


def say(text: str) -> None:
    """Let the plug-in show a text, as it shows warnings, in the order of the run's messages."""
    logging.getLogger("snakemake.logging").info(text, extra={"said": True})
