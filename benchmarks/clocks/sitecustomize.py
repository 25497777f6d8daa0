"""Notes of every Python process of a Slurm job what it took, when it ends; see `slurm.py`.

Python imports this by itself where the folder is on its path.
"""

import atexit
import json
import os
import sys
import time
from pathlib import Path


def note(began: float) -> None:
    """Write command, begin, end and processor seconds, those of ended children included."""
    used = os.times()
    fact = {
        "job": os.environ["SLURM_JOB_ID"],
        "command": sys.orig_argv[1:3],
        "began": began,
        "ended": time.time(),
        "processor": used.user + used.system + used.children_user + used.children_system,
    }
    path = Path(os.environ["SHAPAUDIT_CLOCKS"], f"{fact['job']}-{os.getpid()}.json")
    path.write_text(json.dumps(fact), encoding="utf-8")


if "SLURM_JOB_ID" in os.environ and "SHAPAUDIT_CLOCKS" in os.environ:
    atexit.register(note, time.time())
