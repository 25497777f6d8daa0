"""``python -m shapaudit.command`` is the command ``shapaudit``."""

import sys

from .main import main

sys.exit(main())
