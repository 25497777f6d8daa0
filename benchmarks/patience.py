"""What a run of the suite may take, and which runs are not begun because smaller ones took more."""

LONGEST = 60.0  # processor seconds of a run beside the game, after which larger ones are left out
MEMORY = 8 << 30  # bytes of addresses that a run may have
TOO_SLOW, TOO_LARGE = "too slow", "too large"


class Patience:
    """Which runs were too slow or too large, so that no larger one is begun."""

    def __init__(self):
        self._found = {}

    def learn(self, key: tuple, players: int, budget: int, seconds: float, note: str) -> None:
        """Remember a run, if it asked for too much."""
        if seconds > LONGEST:
            note = f"{TOO_SLOW}: {seconds:.0f} s at {players} players, {budget} evaluations"
        if note.startswith((TOO_SLOW, TOO_LARGE)):
            self._found.setdefault(key, []).append((players, budget, note))

    def lost(self, key: tuple, players: int, budget: int) -> str:
        """Why a run is not begun, or nothing."""
        for fewer, less, note in self._found.get(key, []):
            if players >= fewer and budget >= less:
                return note
        return ""
