"""JSON schemas of what the study reads and writes, a YAML file each; `validation` applies them."""

from pathlib import Path


def schema_file(name: str) -> Path:
    """File of one of the schemas: claims, config, deviations, estimates, evidence, kept, truth."""
    return Path(__file__).parent / f"{name}.schema.yaml"
