"""Removal by a masked variational autoencoder, which completes rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Self

import numpy as np

from ..models import CountedModel
from ..nets import Network
from ..parameters import check_count
from .base import FittedRemoval, RemovalCard, RemovalError, TrainingData
from .completed import Completed, CompletedGame, EqualNumbers
from .gaussian import check_draws
from .masked_nets import NetworkRemoval, in_blocks, masked_inputs, standard_units
from .own_training import uniform_size_masks

BOUND = 4.0  # logarithms of standard deviations stay within this of 0


@dataclass(frozen=True)
class Autoencoder(NetworkRemoval):
    """Absent features are drawn from a variational autoencoder given the present ones.

    Ivanov, Figurnov & Vetrov 2019, as Chen et al. 2023, Section 5.1.3 (generative model): three
    networks, q(z | x, S), r(z | x_S, S) and p(x | z, x_S, S), all normal with diagonal
    covariances, trained together to maximise E_q log p(x_absent | ...) - KL(q, r); completions
    draw z from r, then the absent features from p. Discrete features are drawn as continuous ones.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    latent : dimension of z
    draws : rows K per value
    """

    id: ClassVar = "autoencoder"
    card: ClassVar = RemovalCard(
        definition="The mean over draws of a masked variational autoencoder given the features S.",
        source="Ivanov, Figurnov & Vetrov 2019; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="frozen",
        uses="distribution",
    )

    latent: int = 4
    draws: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count(f"{self.id}: latent", self.latent, 1, RemovalError)
        check_draws(self.id, self.draws)

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The three networks in one vector, and the units of the features."""
        rows = background.rows
        mean, spread = standard_units(rows)
        scaled = ((rows - mean) / spread).astype(np.float32)
        train, held = self.parts(len(rows), rng)
        start = Triple.start(rows.shape[1], self.latent, self.hidden, rng)
        held_out = Evidence(np.tile(scaled[held], (self.masks, 1)), self.latent, 1, rng)
        held_out.freeze()
        training = Evidence(scaled[train], self.latent, self.masks, rng)
        made, counted = self.trained(start, training, held_out, rng)
        units = {"mean": mean, "spread": spread, "trained_rows": counted}
        return {"parameters": made.parameters, **units}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The mean over K draws, whose noise is drawn here."""
        d = fitted.n_features
        networks = Triple(d, self.latent, self.hidden, fitted.arrays["parameters"])
        drawn = Generated(networks, fitted, explicand, self.draws, rng)
        return GeneratedGame(fitted, explicand, drawn)


class GeneratedGame(CompletedGame):
    """A game of completions by the networks, whose rows are counted too."""

    def auxiliary_rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the networks (m,): one of r, and one of p for each draw."""
        return np.where(coalitions.all(axis=1), 0, 1 + self.completions.size)


class Triple:
    """The networks q, r and p as one vector of parameters (P,)."""

    def __init__(self, n_features: int, latent: int, hidden: Sequence[int], parameters: np.ndarray):
        self.shape = (n_features, latent, tuple(hidden))
        self.parameters = parameters
        ends = np.cumsum([_count(sizes) for sizes in _sizes(*self.shape)])
        parts = np.split(parameters, ends[:-1])
        made = zip(_sizes(*self.shape), parts, strict=True)
        self.q, self.r, self.p = (Network(sizes, "relu", part) for sizes, part in made)

    @classmethod
    def start(
        cls, n_features: int, latent: int, hidden: Sequence[int], rng: np.random.Generator
    ) -> Self:
        """Starting values, of float32."""
        parts = [
            Network.start(sizes, "relu", rng, np.float32).parameters
            for sizes in _sizes(n_features, latent, hidden)
        ]
        return cls(n_features, latent, hidden, np.concatenate(parts))

    def copy(self) -> Self:
        """The same with parameters of its own."""
        return type(self)(*self.shape, self.parameters.copy())


class Evidence:
    """Minus the mean lower bound of the evidence, per row; an `Objective` of `shapaudit.nets`.

    Masks and noise are drawn anew for each batch, or once by `freeze`.
    """

    def __init__(self, rows: np.ndarray, latent: int, masks: int, rng: np.random.Generator):
        self.rows, self.latent, self.rng = rows, latent, rng
        self.n_rows, self.counted = len(rows) * masks, 0
        self.frozen: tuple[np.ndarray, np.ndarray] | None = None

    def freeze(self) -> None:
        """Draw masks and noise of all rows now."""
        self.frozen = self._drawn(self.n_rows)

    def _drawn(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        coalitions = uniform_size_masks(count, self.rows.shape[1], self.rng)
        return coalitions, self.rng.standard_normal((count, self.latent), dtype=np.float32)

    def gradient(self, networks: Triple, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) on the chosen rows."""
        rows = self.rows[chosen % len(self.rows)]
        return self._both(networks, rows, *self._drawn(len(chosen)))[1]

    def value(self, networks: Triple) -> float:
        """The objective on all rows, with what was frozen."""
        if self.frozen is None:
            raise ValueError("the value is that of masks and noise that `freeze` draws")
        return self._both(networks, self.rows, *self.frozen)[0]

    def _both(
        self, networks: Triple, rows: np.ndarray, coalitions: np.ndarray, noise: np.ndarray
    ) -> tuple[float, np.ndarray]:
        self.counted += len(rows)
        given, latent = masked_inputs(rows, coalitions), self.latent
        inside = given[:, rows.shape[1] :]
        q = networks.q.trace(np.concatenate([rows, inside], axis=1))
        r = networks.r.trace(given)
        (q_mean, q_log, q_slope), (r_mean, r_log, r_slope) = (_halves(t.outputs) for t in (q, r))
        z = q_mean + np.exp(q_log) * noise
        p = networks.p.trace(np.concatenate([z, given], axis=1))
        mean, log, slope = _halves(p.outputs)
        absent, scaled = 1 - inside, (rows - mean) * np.exp(-log)
        apart = (q_mean - r_mean) * np.exp(-r_log)
        ratio = np.exp(2 * (q_log - r_log))
        loss = (absent * (0.5 * scaled**2 + log)).sum()
        loss += (r_log - q_log + 0.5 * (ratio + apart**2 - 1)).sum()
        p_errors = _joined(-absent * scaled * np.exp(-log), absent * (1 - scaled**2) * slope)
        z_errors = networks.p.input_gradient(p, p_errors)[:, :latent]
        pull = apart * np.exp(-r_log)
        q_errors = _joined(
            pull + z_errors, (ratio - 1 + z_errors * np.exp(q_log) * noise) * q_slope
        )
        r_errors = _joined(-pull, (1 - ratio - apart**2) * r_slope)
        parts = [(networks.q, q, q_errors), (networks.r, r, r_errors), (networks.p, p, p_errors)]
        gradients = [network.backward(trace, e / len(rows)) for network, trace, e in parts]
        return float(loss) / len(rows), np.concatenate(gradients)


class Generated(EqualNumbers):
    """Completions by the networks, from noise that is drawn once."""

    def __init__(
        self,
        networks: Triple,
        fitted: FittedRemoval,
        explicand: np.ndarray,
        draws: int,
        rng: np.random.Generator,
    ):
        self.networks, self.fitted, self.explicand, self.size = networks, fitted, explicand, draws
        arrays = fitted.arrays
        self.row = ((explicand - arrays["mean"]) / arrays["spread"]).astype(np.float32)[None]
        latent = networks.shape[1]
        self.latent_noise = rng.standard_normal((draws, latent), dtype=np.float32)
        self.noise = rng.standard_normal((draws, explicand.size), dtype=np.float32)

    def complete(self, coalitions: np.ndarray) -> Completed:
        """K rows of each coalition."""
        m, size, arrays = len(coalitions), self.size, self.fitted.arrays
        given = masked_inputs(self.row, coalitions)
        mean, log, _ = _halves(in_blocks(self.networks.r, given))
        z = mean[:, None] + np.exp(log)[:, None] * self.latent_noise
        inputs = np.concatenate(
            [z.reshape(m * size, self.latent_noise.shape[1]), np.repeat(given, size, axis=0)],
            axis=1,
        )
        mean, log, _ = _halves(in_blocks(self.networks.p, inputs))
        drawn = mean + np.exp(log) * np.tile(self.noise, (m, 1))
        inside = np.repeat(coalitions, size, axis=0)
        rows = np.where(inside, self.explicand, arrays["mean"] + arrays["spread"] * drawn)
        return Completed(rows, np.ones(m * size), np.arange(m + 1) * size)

    def single(self, rng: np.random.Generator) -> "Generated":
        """One draw."""
        return Generated(self.networks, self.fitted, self.explicand, 1, rng)


def _sizes(d: int, latent: int, hidden: Sequence[int]) -> list[list[int]]:
    """Widths of the layers of q, r and p."""
    return [
        [2 * d, *hidden, 2 * latent],
        [2 * d, *hidden, 2 * latent],
        [latent + 2 * d, *hidden, 2 * d],
    ]


def _count(sizes: list[int]) -> int:
    return sum((a + 1) * b for a, b in pairwise(sizes))


def _halves(outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, logarithms of standard deviations within `BOUND`, and the latter's derivatives."""
    half = outputs.shape[1] // 2
    bent = np.tanh(outputs[:, half:] / BOUND)
    return outputs[:, :half], BOUND * bent, 1 - bent**2


def _joined(means: np.ndarray, logs: np.ndarray) -> np.ndarray:
    return np.concatenate([means, logs], axis=1)
