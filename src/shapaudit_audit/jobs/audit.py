"""Jobs that gather evidence, judge claims by it, and check both."""

from functools import cached_property
from glob import glob
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

from ..papers import PAPERS, file_of, package_of, sources
from ..study.blocks.games import GameBlock
from ..study.blocks.runs import ExperimentBlock
from ..study.blocks.study import part_of
from ..study.places import Places
from .base import Job, schema_path

PRINTED = "config/published"  # folder of the values that papers print


def published_of(papers: tuple[str, ...]) -> list[str]:
    """Files of the values that some papers print."""
    return [str(file_of(paper, f"{PRINTED}/{paper}.csv")) for paper in papers]


def claims() -> list[str]:
    """Folders in which claims are found."""
    return [sources(paper, "claims") for paper in PAPERS]


class GatherEvidence(Job):
    """Gather what the claims of a paper are judged by."""

    script = "gather_evidence"

    def __init__(self, *planned: Any):
        super().__init__(*planned)
        self.part = self.plan.repeated if self.run else self.study
        self.paper, self.looks_at = self.names["paper"], PAPERS[self.names["paper"]].evidence_from
        self.audited, self.audited_games = self.part.audited()
        self.own = part_of(self.part.experiments, self.paper)

    @cached_property
    def experiments(self) -> dict[str, ExperimentBlock]:
        """Experiments whose estimates the evidence looks at.

        Of the audited ones the paper's own and those that name no paper; of the others, which no
        repetition runs, its own.
        """
        chosen = {}
        if "estimates" in self.looks_at:
            seen = (None, self.paper)
            chosen = {name: own for name, own in self.audited.items() if own.paper in seen}
        if "own estimates" in self.looks_at and not self.run:
            chosen |= {name: own for name, own in self.own.items() if name not in self.audited}
        return chosen

    @cached_property
    def games(self) -> dict[str, GameBlock]:
        """Games whose tables the evidence looks at: they make every expectation exact."""
        seen = self.audited_games if "games" in self.looks_at else {}
        return {name: game for name, game in seen.items() if game.tabulated}

    @cached_property
    def own_games(self) -> dict[str, GameBlock]:
        """Games with tables of the paper's own experiments that no other evidence looks at.

        None in a repetition, which is about what rests on samples.
        """
        seen = {} if self.run or "own games" not in self.looks_at else self.own
        games = {block.game: self.part.game_of(block) for block in seen.values()}
        return {
            name: game
            for name, game in games.items()
            if game.tabulated and name not in self.audited_games
        }

    def inputs(self) -> dict[str, Any]:
        return {
            "games": [self.places.games(name) for name in self.games],
            "own": [self.places.games(name) for name in self.own_games],
            "estimates": self.places.all_estimates(self.experiments),
            "settings": self.places.all_settings(self.experiments),
            "published": published_of(PAPERS[self.paper].reads),
            "schema": schema_path("evidence"),
            "tables": schema_path("estimates"),
        }

    def asked(self) -> dict[str, Any]:
        """Settings, experiments, and how many explicands of each game are looked at.

        Checks look at what experiments are for, which no other result depends on. The error rate
        is what the claims are judged by.
        """
        return {
            "seed": self.seed,
            "study": self.study.study,
            "package": package_of(self.paper),
            "settings": asdict(self.study.claims.settings),
            "experiments": {name: to_builtins(block) for name, block in self.experiments.items()},
            "players": {
                name: self.part.game_of(block).players for name, block in self.experiments.items()
            },
            "explicands": [game.explicands for game in self.games.values()],
            "own_explicands": [game.explicands for game in self.own_games.values()],
        }

    def sources(self) -> list[str]:
        return [sources(self.paper, "evidence")]


class JudgeClaims(Job):
    """Judge all claims."""

    script = "judge_claims"

    def inputs(self) -> dict[str, Any]:
        of_the_study = Places(self.study.results)
        return {
            "evidence": [self.places.evidence(paper) for paper in PAPERS],
            # Parts of claims that rest on no sample are the same in every repetition.
            "fixed": [of_the_study.evidence(paper) for paper in PAPERS if self.run],
            "schema": schema_path("claims"),
            "gathered": schema_path("evidence"),
        }

    def asked(self) -> dict[str, Any]:
        return {"study": self.study.study, "alpha": self.study.claims.alpha}

    def sources(self) -> list[str]:
        return claims()


class VerifyEvidence(Job):
    """Check evidence and verdicts by what shares nothing with them."""

    script = "verify_evidence"

    def inputs(self) -> dict[str, Any]:
        return {
            "evidence": [self.places.evidence(paper) for paper in PAPERS],
            "claims": self.places.claims,
            "checker": sorted(glob("src/shapaudit_verify/*.py")),
        }

    def asked(self) -> dict[str, Any]:
        return {}

    def sources(self) -> list[str]:
        return []
