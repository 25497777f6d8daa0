"""Contents of the page on packages: what they gave for cases whose values are known."""

from collections import Counter

from ...conformance.case import QUESTIONS
from ...conformance.judge import CRASHED, NOT_OFFERED, REFUSED, RIGHT, WRONG
from ...conformance.record import Record, shown

ORDER = (WRONG, CRASHED, REFUSED, RIGHT)  # what a cell is coloured by: the first that occurs


def tables(record: Record) -> dict:
    """Matrices by question, the faults with their cells, and date and versions."""
    return {
        "matrices": [
            {
                "question": question,
                "families": record.families(question),
                "lines": [
                    {
                        "label": f"{row['label']} {row['version']}".strip(),
                        "cells": [_cell(counts) for counts in cells],
                    }
                    for row, cells in record.matrix(question)
                ],
            }
            for question in QUESTIONS
        ],
        "faults": [
            {"title": fault.title, "text": fault.text, "code": fault.code, "cells": cells}
            for fault in record.faults
            if (cells := [_named(row) for row in record.of(WRONG) if fault.explains(row)])
        ],
        "made_with": record.made_with,
        "cases": len({(row["family"], row["case"]) for row in record.rows}),
    }


def _cell(counts: Counter[str]) -> dict[str, str]:
    offered = [verdict for verdict in ORDER if counts[verdict]]
    return {"text": shown(counts), "verdict": offered[0] if offered else NOT_OFFERED}


def _named(row) -> str:
    return f"{row['label']}: {row['family']}, {row['case']} (error {row['error']})"
