"""Write the configuration that the results were made with, for notebooks and report to read."""

from pathlib import Path

import yaml

from shapaudit_audit.study.logs import log_to


class WithoutAliases(yaml.SafeDumper):
    """Writes out what a configuration says once and refers to again."""

    def ignore_aliases(self, data):
        """All that is the same."""
        return True


logger = log_to(snakemake.log[0])
study = snakemake.params.asked["study"]
text = yaml.dump(dict(study), Dumper=WithoutAliases, sort_keys=False, allow_unicode=True)
Path(snakemake.output[0]).write_text(text, encoding="utf-8")
logger.info("study %s", study["study"])
