"""Evidence on claim 19: which of two models the printed tables on the diabetes data belong to."""

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.benchmark import expected_errors

from .common import SAMPLES, printed_explicands, published

TREES = {"chen-diabetes": 10, "chen-diabetes-hundred": 100}  # of the paper's own games
METHODS = ("ME_RAND", "MEF_RAND", "RO", "RO_ANTI", "ROF", "ROF_ANTI", "LS", "LS_ANTI")


def gather_trees(context: Context, data: str = "diabetes") -> Evidence:
    """Return printed variances and those expected with either model, cell by cell.

    The methods are those without a bias and in one stage. There are no rows without both
    models.
    """
    games = {TREES[name]: v for name, v in printed_explicands(context).items() if name in TREES}
    if len(games) < len(TREES):
        return {"rows": []}
    printed = published(context, "variance")
    rows = []
    for method in METHODS:
        for samples in SAMPLES:
            row = {"method": method.replace("_", "-"), "samples": samples}
            row["printed"] = printed[data, method, samples]
            for trees, values in games.items():
                row[f"trees_{trees}"] = expected_errors(values, method, samples).variance
            rows.append(row)
    return {"rows": rows}
