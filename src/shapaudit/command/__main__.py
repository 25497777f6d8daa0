"""``python -m shapaudit.command`` is the command ``shapaudit``."""

import sys

from .main import main

if __name__ == "__main__":
    sys.exit(main())
