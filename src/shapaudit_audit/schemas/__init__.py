"""JSON schemas of the files of a study, a YAML file each; `validation` applies them."""

from pathlib import Path


def schema_file(name: str) -> Path:
    """File of a schema: attributions, claims, config, deviations, estimates, evidence,
    explanations, kept, truth.
    """
    return Path(__file__).parent / f"{name}.schema.yaml"
