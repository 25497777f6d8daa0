"""Re-derive the exact evidence with the checker that shares nothing with what gathered it."""

from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from shapaudit_verify.__main__ import main

output, log = Path(snakemake.output[0]), Path(snakemake.log[0])
with log.open("w", encoding="utf-8") as file, redirect_stdout(file), redirect_stderr(file):
    failed = main([str(output.parents[1]), "--output", str(output)])
if failed:
    raise SystemExit(f"the evidence contradicts a definition or a verdict; {log} says where.")
