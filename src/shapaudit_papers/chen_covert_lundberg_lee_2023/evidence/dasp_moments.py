"""Evidence on claim 52: where the bias of DASP comes from, baselines, moments of activations."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import scipy

from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.gaussian_moments import activation_moments
from shapaudit.games import all_coalitions
from shapaudit.models import NetworkRegression
from shapaudit.models.read_layers import Layers, read_layers
from shapaudit.models.shapnet import butterfly
from shapaudit.nets import ACTIVATIONS
from shapaudit.nets.shapnet import Stage, stage_forward
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_audit.audit.exact import vector_cases

from .network_biases import PLAYERS, TRAINED, groups
from .networks import exact_values, numbers, random_stage

UNIT = ((2, 1, 1), (-1, 1, 1))  # explicands of max(0, a + b + c - 1)
DECIMALS = 9  # that are kept


def arrays_of(layers: Layers) -> dict[str, np.ndarray | str]:
    """Return a network as DASP reads it, in floating point."""
    arrays: dict[str, np.ndarray | str] = {}
    for k, (weight, bias) in enumerate(zip(layers.weights, layers.biases, strict=True)):
        arrays |= {f"weight{k}": weight.astype(float), f"bias{k}": bias.astype(float)}
    return arrays | {f"activation{k}": name for k, name in enumerate(layers.activations)}


def sum_unit() -> Layers:
    """max(0, a + b + c - 1)."""
    weights = (rationals([1, 1, 1])[:, None], rationals([1])[:, None])
    return Layers(weights, (rationals([-1]), rationals([0])), ("relu",))


def by_dasp(layers: Layers, explicand: np.ndarray) -> np.ndarray:
    """Return the values (d,) of DASP against a baseline of zeros."""
    fitted = Dasp().fit(arrays_of(layers), np.zeros(len(explicand)))
    return fitted.explain(explicand.astype(float)).values


def unit_rows(explain: Callable) -> list[Evidence]:
    """Return DASP and Shapley values of one unit, which has no inputs from an earlier layer."""
    rows = []
    for explicand in UNIT:
        x = rationals(explicand)
        dasp, exact = explain(sum_unit(), x), exact_values(sum_unit(), x[None], 0 * x[None])
        for j, (a, b) in enumerate(zip(dasp, exact, strict=True)):
            row = {"explicand": " ".join(map(str, explicand)), "feature": j + 1}
            rows.append(row | {"dasp": round(float(a), DECIMALS), "exact": b})
    return rows


def size_means(n_players: int) -> np.ndarray:
    """Return means (2, d, d, 2^d) over coalitions with and without i that have k of the others."""
    members = all_coalitions(n_players)
    sizes = members.sum(axis=1)[None, None, :]
    inside = np.stack([members.T, ~members.T])[:, :, None]  # (2, d, 1, 2^d)
    others = sizes - np.array([1, 0])[:, None, None]  # beside i
    chosen = inside & (others[:, None] == np.arange(n_players)[:, None])
    return chosen / chosen.sum(axis=-1, keepdims=True)


def with_exact_moments(layers: Layers, explicand: np.ndarray) -> dict[str, np.ndarray]:
    """Return values (d,) of DASP on two hidden layers, with moments by enumeration.

    "own moments" has the exact mean and variance of every unit of the first layer, taken as
    independent; "dependence" the exact mean and variance of the inputs of the second layer.
    """
    d = len(explicand)
    rows = np.where(all_coalitions(d), explicand, 0.0)
    entering, second, _ = layers.entered(rows)
    first = ACTIVATIONS[layers.activations[0]].value(entering)
    means = size_means(d)
    mean = means @ second
    spread = means @ first**2 - (means @ first) ** 2
    variances = {
        "own moments": np.maximum(spread, 0.0) @ layers.weights[1] ** 2,
        "dependence": np.maximum(means @ second**2 - mean**2, 0.0),
    }
    values = {}
    for name, variance in variances.items():
        out, _ = activation_moments(layers.activations[1], mean, variance, with_variance=False)
        sides = (out @ layers.weights[2])[..., 0]
        values[name] = (sides[0] - sides[1]).mean(axis=1)
    return values


METHODS = ("DASP", "own moments", "dependence")


@sampled
def gather_causes(
    context: Context, better: Callable = with_exact_moments, explain: Callable = by_dasp
) -> Evidence:
    """Return relative errors (networks, methods) of DASP with and without exact moments.

    They are given by group, on the networks with two hidden layers of claim 52a, random and
    trained. ``rows`` are those of one unit.
    """
    errors = {}
    for name, count, depth, make in groups(context):
        if depth != 2:
            continue
        # the random ones are as many as all random networks of claim 52a together
        rows = []
        for k in range(count if name == TRAINED else 3 * count):
            rng = context.generator("ccll23-52f", name, k)
            model, explicand = make(rng, depth), rng.normal(size=PLAYERS)
            rows.append(oracle_errors(model, explicand, better))
        errors[name] = np.array(rows)
    return {"errors": errors, "methods": METHODS, "rows": unit_rows(explain)}


def oracle_errors(model: NetworkRegression, explicand: np.ndarray, better: Callable) -> list[float]:
    """Return the distance from the exact values over their norm, by method."""
    table = model.predict(np.where(all_coalitions(PLAYERS), explicand, 0.0))
    exact = shapley_from_table(table[None])[0]
    plain = Dasp().fit(model, np.zeros(PLAYERS)).explain(explicand).values
    estimates = [plain, *better(read_layers(model), explicand).values()]
    return [
        float(np.linalg.norm(estimate - exact) / np.linalg.norm(exact)) for estimate in estimates
    ]


def propagated(stages: tuple[Stage, ...], rows: np.ndarray, baselines: np.ndarray) -> np.ndarray:
    """Return the outputs (n, d) of a deep ShapNet's last stage for rows against one baseline.

    Both pass the earlier stages as they always do; the last stage replaces absent features by
    the transformed baseline.
    """
    handed, references = rows[:, :, None], baselines[:, :, None]
    for stage in stages[:-1]:
        handed, references = stage_forward(stage, handed)[0], stage_forward(stage, references)[0]
    return stage_forward(stages[-1], handed, references)[0][..., 0]


def gather_baselines(context: Context, explain: Callable = propagated) -> Evidence:
    """Return deep ShapNets and DASP against baselines other than zero.

    The cases compare sums of deep ShapNets' values with the difference of the output, in
    fractions. ``dasp_off`` is how far DASP is from DASP of the network that is shifted to the
    baseline, for which the baseline is zero.
    """
    cases, furthest, pairs = [], 0.0, butterfly(2)
    for k in range(context.settings.random_games):
        rng = context.generator("ccll23-52h", k)
        stages = (random_stage(rng, pairs[0], (1, 2)), random_stage(rng, pairs[1], (2, 1)))
        x, r = numbers(rng, 2, 1, 4)
        sums = [_handed_sum(stages, row) for row in (x, r)]
        values = explain(stages, x, r)
        cases += vector_cases(f"network {k + 1}, sum", [values.sum()], [sums[0] - sums[1]])
        zero = 0 * r
        own = explain(stages, x, zero)[0]
        cases += vector_cases(f"network {k + 1}, zero", own, _handed(stages, x))
        furthest = max(furthest, _shifted_off(rng))
    return {"cases": cases, "dasp_off": furthest}


def _handed(stages, row):
    handed = row[:, :, None]
    for stage in stages:
        handed = stage_forward(stage, handed)[0]
    return handed[0, :, 0]


def _handed_sum(stages, row) -> Fraction:
    return Fraction(_handed(stages, row).sum())


def _shifted_off(rng: np.random.Generator) -> float:
    """Return the largest difference between DASP against a baseline and on the shifted network."""
    shapes = ((4, 5), (5, 3), (3, 1))
    weights = tuple(rng.normal(size=shape) for shape in shapes)
    biases = tuple(rng.normal(size=shape[1]) for shape in shapes)
    layers = Layers(weights, biases, ("relu", "tanh"))
    x, r = rng.normal(size=(2, 4))
    shifted = Layers(weights, (biases[0] + r @ weights[0], *biases[1:]), layers.activations)
    against_baseline = Dasp().fit(arrays_of(layers), r).explain(x).values
    other = Dasp().fit(arrays_of(shifted), 0 * r).explain(x - r).values
    return float(np.abs(against_baseline - other).max())


MEANS, VARIANCES = (-2.0, 0.0, 0.5, 3.0), (0.01, 1.0, 9.0)
CLOSE = 1e-4


def gather_moments(context: Context, moments: Callable = activation_moments) -> Evidence:
    """Return mean and variance of each activation of a normal variable, and by quadrature."""
    rows = []
    for name, activation in ACTIVATIONS.items():
        furthest = 0.0
        for mean in MEANS:
            for variance in VARIANCES:
                closed_form = moments(name, np.array([mean]), np.array([variance]))
                wanted = integrated(activation.value, mean, variance)
                off = (abs(float(a[0]) - b) for a, b in zip(closed_form, wanted, strict=True))
                furthest = max(furthest, *off)
        rows.append({"activation": name, "within": bool(furthest <= CLOSE)})
    return {"rows": rows, "cases": len(MEANS) * len(VARIANCES), "close": CLOSE}


def integrated(value: Callable, mean: float, variance: float) -> tuple[float, float]:
    """Return mean and variance by adaptive quadrature, split at 0, where ReLU has its kink."""
    spread = np.sqrt(variance)
    kink = min(max(-mean / spread, -9.0), 9.0)

    def moment(power: int, centre: float = 0.0) -> float:
        def integrand(u):
            output = float(value(np.array([mean + spread * u]))[0])
            return (output - centre) ** power * np.exp(-u * u / 2) / np.sqrt(2 * np.pi)

        ends = (-9.0, kink, 9.0)
        return sum(
            scipy.integrate.quad(integrand, *piece, epsabs=1e-13)[0] for piece in pairwise(ends)
        )

    first = moment(1)
    return first, moment(2, first)
