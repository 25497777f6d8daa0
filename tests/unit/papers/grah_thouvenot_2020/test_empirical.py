"""Claims 18 to 20: the checks on experiments, sweeps and collapse, in true and false worlds."""

import numpy as np
import pytest
from msgspec.structs import replace
from synthetic import estimates

from shapaudit_audit.audit.context import Context, Settings, StudyEstimates
from shapaudit_audit.papers import registry
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.results import write_table
from shapaudit_audit.study.sealed import write_document
from shapaudit_papers.grah_thouvenot_2020.claims.experiments import (
    collapse,
    interaction,
    outperformance,
)
from shapaudit_papers.grah_thouvenot_2020.evidence.experiments import (
    interaction as interaction_evidence,
)
from shapaudit_papers.grah_thouvenot_2020.evidence.experiments import (
    outperformance as outperformance_evidence,
)
from shapaudit_papers.theory.radial import expected_logarithms

ALPHA = 0.05
SGD = {"step": "constant", "scale": 0.005, "average": "uniform"}
ROOT = {"step": "inverse-sqrt", "scale": 0.05, "average": "uniform"}
BUDGETS = (400, 1616, 16016)


def setting(estimator, params=None, tuning=None):
    return {"estimator": estimator, "params": params or {}, "tuning": tuning}


def world(names=tuple(outperformance.PUBLISHED), explicands=30, tuning=1000, **scales):
    """Estimates of the experiments, errors proportional to the scales by estimator."""
    scales = {"plain": 1.0, "walk": 0.7, "constant": 0.5, "root": 0.5} | scales
    scales = {"constant-tuned": scales["constant"], "root-tuned": scales["root"]} | scales
    experiments = {}
    for seed, name in enumerate(names):
        small = name == "classification-large"
        sgd, root = ({**p, "scale": p["scale"] / (10 if small else 1)} for p in (SGD, ROOT))
        tuned = {"evaluations": tuning}
        settings = {
            "plain": setting("plain-monte-carlo"),
            "walk": setting("optimised-monte-carlo"),
            "constant": setting("projected-sgd", sgd),
            "root": setting("projected-sgd", root),
            "constant-tuned": setting("projected-sgd", sgd, tuned),
            "root-tuned": setting("projected-sgd", {**root, "scale": 0.3}, tuned),
            "other": setting("projected-sgd", {"step": "radius"}),
        }
        frame = estimates(scales | {"other": 99.0}, BUDGETS, explicands, seed=seed)
        experiments[name] = StudyEstimates(frame, settings)
    return Context("made-up", 1, estimates=experiments)


def observe(claim_id, context):
    claim = registry()[claim_id]
    return claim.judge(claim.gather(context), ALPHA)


def judge(claim_id, evidence):
    return registry()[claim_id].judge(evidence, ALPHA)


def test_both_outperform_in_a_world_where_they_do():
    verdict = observe("gt20-18a", world())
    assert (verdict.status, verdict.sample["experiments"]) == ("supported", 3)
    assert verdict.numbers["smaller"] == len(verdict.rows) == 3 * (2 + 2 + 1)
    assert {row["evaluations"] for row in verdict.rows} == {1616, 16016}
    walks = [r for r in verdict.rows if r["method"] == outperformance.WALK]
    assert np.mean([r["ratio"] for r in walks]) == pytest.approx(0.7, abs=0.03)
    assert np.mean([r["mean_square_ratio"] for r in walks]) == pytest.approx(0.49, abs=0.05)


@pytest.mark.parametrize("name", ["walk", "root"])
def test_one_that_does_not_outperform_refutes(name):
    verdict = observe("gt20-18a", world(**{name: 1.2}))
    assert (verdict.status, verdict.setting.status) == ("refuted", "refuted")
    assert verdict.consequence == "wrong"


def test_equality_is_not_decided():
    verdict = observe("gt20-18a", world(root=1.0))
    assert verdict.status == "inconclusive"
    above = sum(row["high_alone"] >= 1 for row in verdict.rows)
    assert f"Not below 1 by their own limit: {above}; to decide takes about" in verdict.summary
    assert verdict.numbers["undecided"] >= above


def test_equal_errors_give_a_wrong_verdict_at_most_at_the_error_rate():
    statuses = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        errors = {
            method: np.exp(0.3 * rng.normal(size=(20, 2)))
            for method in (outperformance.WALK, *outperformance.STEPS)
        }
        experiment = {"budgets": [1616, 16016], "errors": errors, "tuning": {}, "truth_share": 0.0}
        experiment["squares"] = {
            key: np.square(value).mean(axis=0) for key, value in errors.items()
        }
        evidence = {"experiments": dict.fromkeys(outperformance.PUBLISHED, experiment)}
        statuses.append(judge("gt20-18b", evidence).status)
    assert statuses.count("inconclusive") >= 60 * (1 - ALPHA) - 3 * (60 * ALPHA) ** 0.5


def test_gain_beyond_the_factor_of_two():
    assert observe("gt20-18b", world()).status == "supported"
    none = observe("gt20-18b", world(constant=0.8, root=0.8))
    assert (none.status, none.consequence) == ("refuted", "wrong")
    context = world()
    worse = world(("regression",), constant=0.8, root=0.8).estimates
    mixed = observe("gt20-18b", Context("x", 1, estimates=context.estimates | worse))
    assert (mixed.status, mixed.consequence) == ("refuted", "hypothesis")
    assert "regression" in mixed.summary


@pytest.mark.parametrize("claim_id", ["gt20-18a", "gt20-18b", "gt20-18c"])
def test_what_did_not_run_leaves_the_claim_open(claim_id):
    nothing = observe(claim_id, Context("empty", 1))
    assert (nothing.status, nothing.sample["experiments"]) == ("inconclusive", 0)
    assert "classification with 300 players" in nothing.summary
    few = observe(claim_id, world(explicands=4))
    assert few.status == "inconclusive"
    assert "with 4 explicands only" in few.summary
    part = observe(claim_id, world(("classification", "diabetes")))
    assert part.status == "inconclusive"
    assert "Not run: regression; classification with 300 players" in part.summary


def test_experiments_beyond_the_paper_are_told_apart():
    context = world()
    other = world(("diabetes",), constant=3.0, root=3.0).estimates
    verdict = observe("gt20-18a", Context("x", 1, estimates=context.estimates | other))
    assert (verdict.status, verdict.consequence) == ("refuted", "setting")
    assert "on diabetes, PSGD" in verdict.summary
    assert verdict.setting.status == "supported"


@pytest.mark.parametrize(("scale", "status"), [(0.5, "supported"), (1.0, "inconclusive")])
def test_beyond_the_paper_steps_are_judged_that_were_chosen_there(scale, status):
    chosen = {"constant-tuned": scale, "root-tuned": scale}
    other = world(("diabetes",), constant=3.0, root=3.0, **chosen).estimates
    verdict = observe("gt20-18a", Context("x", 1, estimates=world().estimates | other))
    assert (verdict.status, verdict.consequence) == (status, "stands")
    assert "published for other games, ratios above 1 are all 6" in verdict.summary
    assert "which the paper does not claim either" in verdict.summary


def test_an_estimator_missing_in_one_experiment():
    context = world()
    estimates_ = dict(context.estimates)
    regression = estimates_["regression"]
    kept = {key: value for key, value in regression.settings.items() if key != "plain"}
    estimates_["regression"] = StudyEstimates(regression.frame, kept)
    verdict = observe("gt20-18a", Context("x", 1, estimates=estimates_))
    assert verdict.status == "inconclusive"
    assert "regression without plain Monte Carlo" in verdict.summary


def test_choice_of_the_step_pays_when_it_is_cheap():
    assert observe("gt20-18c", world(tuning=1000)).status == "supported"
    dear = observe("gt20-18c", world(tuning=10**9))
    assert (dear.status, dear.consequence) == ("refuted", "wrong")
    # N B (1/rho^2 - 1) evaluations are saved by a ratio rho of errors.
    row = dear.rows[0]
    saved = row["evaluations"] * (row["ratio"] ** -2 - 1)
    assert row["explicands_to_pay"] == pytest.approx(1e9 / saved)
    threshold = (1 + 1e9 / (row["explicands"] * row["evaluations"])) ** -0.5
    assert row["threshold"] == pytest.approx(threshold)
    assert "never" in observe("gt20-18c", world(constant=0.9, root=0.9)).summary


def test_variance_of_the_truth_is_taken_off():
    frame = estimates({"a": 1.0})
    inflated = frame.assign(squared_error=frame["squared_error"] + 0.5, truth_variance=0.5)
    np.testing.assert_allclose(outperformance_evidence.errors_of(inflated), frame["error"])
    assert outperformance_evidence.errors_of(frame.assign(truth_variance=1e9)).eq(0).all()


def test_estimates_are_read_from_the_results(tmp_path):
    folder = tmp_path / "estimates" / "classification"
    folder.mkdir(parents=True)
    frame = estimates({"plain": 1.0}).drop(columns="error")
    write_table(frame, folder / "plain.parquet", "estimates")
    settings = {"plain": setting("plain-monte-carlo")}
    block = ExperimentBlock(game="g", budgets=[100], repetitions=2, estimators=["plain"])
    write_document(folder / "plain.json", settings)
    loaded = StudyEstimates.load(tmp_path, "classification", block, 16)
    assert outperformance_evidence.role_of(loaded.settings["plain"], {}) == outperformance.PLAIN
    assert len(loaded.frame) == len(frame)
    assert loaded.players == 16
    with pytest.raises(FileNotFoundError, match=r"walk\.parquet"):
        StudyEstimates.load(tmp_path, "classification", replace(block, estimators=["walk"]), 16)


@pytest.fixture(scope="module")
def swept():
    context = Context("tiny", 3, settings=Settings(interaction_games=10))
    return interaction.gather_sweep(context)


def sweep_world(published, free=0.5, games=40, **more):
    """Errors with the given ratio (kinds, strengths) of the published rule to the walk.

    A tuned step has the ratio of the published one at full strength.
    """
    rng = np.random.default_rng(0)
    sweep, tuned = {}, {}
    for name, ratio in published.items():
        means = np.stack([np.ones(len(ratio)), ratio, np.full(len(ratio), free)], axis=-1)
        sweep[name] = means * np.exp(0.1 * rng.normal(size=(games, *means.shape)))
        tuned[name] = sweep[name][:, -1, :2]
    additive = {interaction.PUBLISHED: 0.1, interaction.FREE: 0.1}
    found = {"sweep": sweep, "tuned": tuned, "one_walk": 1e-15, "additive": additive}
    return found | {"experiment": None} | more


def test_one_walk_is_exact_and_gradients_are_not_on_additive_games(swept):
    assert swept["one_walk"] < interaction.ERROR_ROUNDING
    assert min(swept["additive"].values()) > 1e-3
    assert all(errors.shape == (10, 4, 3) for errors in swept["sweep"].values())
    # The even part of a game has no Shapley values, and pairs cancel it.
    assert swept["sweep"]["parities of 4"][:, -1, 2].max() < 1e-10
    assert judge("gt20-19a", swept).status == "supported"


def test_ratio_must_fall_for_every_kind():
    falling, rising, level = [4.0, 2.0, 1.0, 0.8], [0.5, 0.6, 0.8, 1.2], [1.0, 1.0, 1.0, 1.0]
    assert judge("gt20-19a", sweep_world({"a": falling})).status == "supported"
    one_rises = judge("gt20-19a", sweep_world({"a": falling, "b": rising}))
    assert one_rises.status == "refuted"
    assert "for: b" in one_rises.summary
    assert judge("gt20-19a", sweep_world({"a": falling, "b": level})).status == "inconclusive"
    assert judge("gt20-19a", sweep_world({"a": falling}, one_walk=0.1)).status == "refuted"


def test_strong_interaction_of_every_kind():
    good, bad, equal = [4.0, 2.0, 1.0, 0.8], [4.0, 2.0, 1.5, 1.3], [4.0, 2.0, 1.5, 1.0]

    def judged(kinds, scale):
        return judge("gt20-19b", sweep_world(kinds, experiment=large(scale)))

    assert judged({"a": good, "b": good}, 0.5).status == "supported"
    mixed = judged({"a": good, "b": bad}, 1.5)
    assert (mixed.status, mixed.consequence) == ("refuted", "hypothesis")
    assert judged({"b": bad}, 1.5).consequence == "wrong"
    assert judged({"b": bad}, 0.5).consequence == "setting"
    assert judged({"a": good, "b": equal}, 0.5).status == "inconclusive"


def test_the_step_that_was_chosen_decides_and_not_the_published_one():
    bad, good = sweep_world({"a": [4.0, 2.0, 1.5, 1.3]}), sweep_world({"a": [4.0, 2.0, 1.0, 0.8]})
    assert judge("gt20-19b", bad | {"tuned": good["tuned"]}).status == "supported"
    assert judge("gt20-19b", good | {"tuned": bad["tuned"]}).status == "refuted"
    summary = judge("gt20-19b", bad | {"tuned": good["tuned"]}).summary
    assert (
        "other games of the kind, is below that of the walk for a, and above it for none" in summary
    )


def test_a_tuned_step_errs_least_on_other_games_of_its_kind():
    draw = interaction_evidence.kinds()["independent values"]
    rule = interaction_evidence.tuned_rule(draw, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    tables = [interaction_evidence.standardised(draw(rng)) for _ in range(30)]
    published = interaction_evidence.estimators()[interaction.PUBLISHED]
    chosen, before = (
        interaction_evidence.mean_error(some, tables, np.random.default_rng(3))
        for some in (rule, published)
    )
    assert chosen < 1.05 * before


def test_kinds_of_interaction_are_what_they_say():
    rng = np.random.default_rng(0)
    tables = {name: draw(rng) for name, draw in interaction_evidence.kinds().items()}
    even, odd = tables["parities of 4"], tables["parities of 3"]
    np.testing.assert_allclose(even, even[::-1])
    np.testing.assert_allclose(odd, -odd[::-1])
    assert set(np.unique(tables["threshold"])) == {0.0, 1.0}
    assert (tables["threshold"][0], tables["threshold"][-1]) == (0.0, 1.0)
    assert all(table.shape == (1 << interaction_evidence.PLAYERS,) for table in tables.values())


@pytest.fixture(scope="module")
def radial():
    return collapse.gather_radial(Context("tiny", 3, settings=Settings(radial_explicands=20)))


def test_regression_values_collapse(radial):
    verdict = judge("gt20-20a", radial)
    assert verdict.status == "supported"
    slope = next(limit for limit in verdict.limits if "log norm" in limit.name)
    assert slope.low < radial["rate_values"] < slope.high
    assert "at $d=300$, where all explicands are below 1e-06." in verdict.summary
    assert "to the power" not in verdict.summary


def test_rates_are_those_of_the_factors():
    rate, rate_values = expected_logarithms()
    assert rate == pytest.approx(0.5 * np.log(np.pi / 2) - 0.5, rel=1e-12)
    rows = np.random.default_rng(0).standard_normal((2, 400_000))
    rho = np.sqrt(np.pi / 2) * np.exp(-0.5 * rows**2)
    assert rate_values == pytest.approx(np.log(rho.mean(axis=0)).mean(), abs=5e-3)


def collapse_world(log_norms):
    rng = np.random.default_rng(0)
    series = {
        d: {"log_norm": mean + rng.normal(size=60), "log_total": mean + rng.normal(size=60)}
        for d, mean in log_norms.items()
    }
    return {"series": series, "rate": -0.3, "rate_values": -0.2}


@pytest.mark.parametrize(
    ("log_norms", "status"),
    [
        ({16: -2.0, 300: -50.0}, "supported"),
        ({16: -2.0, 300: -4.0}, "refuted"),
        ({16: -60.0, 300: -50.0}, "refuted"),
        ({16: -2.0, 300: np.log(1e-6)}, "inconclusive"),
    ],
)
def test_collapse_in_other_worlds(log_norms, status):
    assert judge("gt20-20a", collapse_world(log_norms)).status == status


def test_the_rows_of_a_collapse_are_those_of_its_norms():
    world = collapse_world({16: -2.0, 300: -20.0})
    for row, (d, record) in zip(
        judge("gt20-20a", world).rows, world["series"].items(), strict=True
    ):
        norms, totals = record["log_norm"], record["log_total"]
        below = float((np.exp(norms) < 1e-6).mean())
        expected = {"players": d, "explicands": 60, "share_below": below}
        expected |= {"median_norm": np.exp(np.median(norms))}
        expected |= {"median_total": np.exp(np.median(totals))}
        expected |= {"log_norm_per_player": norms.sum() / 60 / d}
        expected |= {"log_total_per_player": totals.sum() / 60 / d}
        assert row["share_low"] <= below <= row["share_high"]
        assert row == pytest.approx(expected | {k: row[k] for k in ("share_low", "share_high")})


def large(scale):
    """Errors of the classification with 300 players, gradients ``scale`` times the walk."""
    context = world((interaction_evidence.EXPERIMENT,), walk=1.0, constant=scale, root=scale)
    experiments = outperformance_evidence.gather_errors(context)["experiments"]
    return experiments[interaction_evidence.EXPERIMENT]


@pytest.mark.parametrize(
    ("scale", "status"), [(0.5, "supported"), (2.0, "refuted"), (1.0, "inconclusive")]
)
def test_the_experiment_that_strong_interaction_is_said_of_decides_in_the_setting(scale, status):
    verdict = judge("gt20-19b", sweep_world({"a": [4.0, 2.0, 1.5, 1.3]}, experiment=large(scale)))
    assert verdict.setting.status == status
    assert f"after {BUDGETS[-1]:,} evaluations" in verdict.setting.summary
    assert judge("gt20-19b", sweep_world({"a": [1.0] * 4})).setting.status == "inconclusive"


def test_the_sweep_brings_that_experiment_along():
    name = interaction_evidence.EXPERIMENT
    settings = Settings(interaction_games=2)
    context = Context("tiny", 3, estimates=world((name,)).estimates, settings=settings)
    assert interaction.gather_sweep(context)["experiment"]["budgets"] == list(BUDGETS)


@pytest.mark.parametrize("last", [False, True])
def test_ratios_are_compared_at_the_published_budgets_or_the_last(last):
    claim = registry()["gt20-18a"]
    experiments = claim.gather(world())["experiments"]
    rows = outperformance.compare(
        experiments, [outperformance.WALK], outperformance.PLAIN, last, ALPHA
    )
    for name, experiment in experiments.items():
        published = [b for b in BUDGETS[:-1] if b in outperformance.PUBLISHED[name]]
        wanted = [BUDGETS[-1]] if last else [*published, BUDGETS[-1]]
        mine = [row for row in rows if row["experiment"] == name]
        assert [row["evaluations"] for row in mine] == wanted
        for row in mine:
            k = BUDGETS.index(row["evaluations"])
            walk, plain = (
                experiment["errors"][method][:, k]
                for method in (outperformance.WALK, outperformance.PLAIN)
            )
            assert row["ratio"] == pytest.approx(np.median(walk / plain))
            assert row["low"] < row["ratio"] < row["high"]
