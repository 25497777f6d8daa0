"""The provenance of a study as LaTeX."""

from collections.abc import Mapping

from .latex import escape, tabular


def provenance_table(record: Mapping) -> str:
    """Two columns: what, and its value; see `shapaudit_audit.study.provenance.collect`."""
    git = record["git"]
    state = {None: "", True: ", with uncommitted changes", False: ""}[git["dirty"]]
    packages = ", ".join(f"{name} {version}" for name, version in record["packages"].items())
    rows = [
        ("study", record["study"]),
        ("base seed", str(record["seed"])),
        ("configuration (SHA-256)", record["configuration_sha256"][:16]),
        ("commit", (git["commit"] or "not a repository")[: 12 if git["commit"] else None] + state),
        ("system", record["system"]),
        ("processor", record["processor"]),
        ("Python", record["python"]),
        ("packages", packages),
    ]
    columns = r"@{}l>{\raggedright\arraybackslash}p{10cm}@{}"
    return tabular(columns, [["what", "value"]], [[[escape(a), escape(b)] for a, b in rows]])
