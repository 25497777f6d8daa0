"""Games in files: every form that is read, and what is refused rather than misread."""

import json
from itertools import combinations

import numpy as np
import pytest
import shapiq

import shapaudit
from shapaudit.datasets.game_rows import additive_share, sizes_first
from shapaudit.games import AdditiveGame, GameError, TabularGame, all_coalitions, load, save
from shapaudit.own_files import FolderError

VALUES = np.array([1.0, 2.0, 4.0, 6.0, -3.0, 0.5, 9.0, 12.0])
ROWS = list(zip(all_coalitions(3).astype(int).tolist(), VALUES.tolist(), strict=True))


def columns_csv(rows=ROWS, header="sun,rain,wind,value"):
    lines = [",".join(map(str, [*members, value])) for members, value in rows]
    return "\n".join([header, *lines]) + "\n"


def members_csv(separator=";", names=("sun", "rain", "wind"), rows=ROWS):
    cells = (
        separator.join(n for n, there in zip(names, members, strict=True) if there)
        for members, _ in rows
    )
    lines = [f'"{cell}",{value}' for cell, (_, value) in zip(cells, rows, strict=True)]
    return "\n".join(["members,value", *lines]) + "\n"


def shapiq_game(names=None):
    game = shapiq.Game(3, normalize=True, normalization_value=1.0, player_names=names)
    game.value_function = lambda coalitions: VALUES[coalitions @ (1 << np.arange(3))]
    game.precompute()
    return game


def shapiq_json(path, **changes):
    shapiq_game().save(path)
    content = json.loads(path.read_text())
    content.update(changes)
    path.write_text(json.dumps(content))


@pytest.fixture
def text(tmp_path):
    def write(content, name="game.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


@pytest.fixture
def archive(tmp_path):
    def write(**arrays):
        np.savez(tmp_path / "game.npz", **arrays)
        return tmp_path / "game.npz"

    return write


def test_what_is_saved_is_read_with_its_names_and_the_same_bytes(tmp_path):
    game = TabularGame(np.random.default_rng(0).normal(size=8), "weather", ("a", "b b", "ü"))
    for name in ("one.npz", "two.npz"):
        save(game, tmp_path / name)
    again = shapaudit.games.load(tmp_path / "one.npz")
    np.testing.assert_array_equal(again.values, game.values)
    assert (again.name, again.players) == ("weather", ("a", "b b", "ü"))
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_values_of_single_precision_take_half_the_place_and_lose_nothing(tmp_path):
    values = np.random.default_rng(0).normal(size=1 << 10)
    save(TabularGame(values), tmp_path / "double.npz")
    save(TabularGame(values.astype(np.float32)), tmp_path / "single.npz")
    np.testing.assert_array_equal(load(tmp_path / "single.npz").values, np.float32(values))
    sizes = [(tmp_path / f"{name}.npz").stat().st_size for name in ("single", "double")]
    assert sizes[0] < 0.6 * sizes[1]
    save(TabularGame([0.0, 1e300]), tmp_path / "large.npz")
    assert load(tmp_path / "large.npz").values[1] == 1e300


def test_only_games_of_ours_are_overwritten(tmp_path, archive):
    path = tmp_path / "mine.npz"
    save(TabularGame([0.0, 1.0]), path)
    save(TabularGame([0.0, 2.0]), path)
    assert load(path).values[1] == 2.0
    theirs = archive(values=VALUES)
    before = theirs.read_bytes()
    (tmp_path / "linked.npz").symlink_to(tmp_path / "nowhere")
    (tmp_path / "notes.npz").write_text("not to be lost")
    for kept in (theirs, tmp_path / "linked.npz", tmp_path / "notes.npz"):
        with pytest.raises(FolderError, match=f"{kept} was not written by shapaudit"):
            save(TabularGame([0.0, 1.0]), kept)
    assert theirs.read_bytes() == before


def test_a_game_that_is_no_table_and_other_suffixes_are_not_saved(tmp_path):
    with pytest.raises(GameError, match=r"save tabulate\(game\)"):
        save(AdditiveGame(np.ones(3)), tmp_path / "game.npz")
    with pytest.raises(GameError, match=r"end in \.npz"):
        save(TabularGame([0.0, 1.0]), tmp_path / "game.npy")


def test_arrays_are_read_in_binary_order(tmp_path, archive):
    np.save(tmp_path / "plain.npy", VALUES)
    for path in (tmp_path / "plain.npy", archive(anything=VALUES), archive(values=VALUES)):
        np.testing.assert_array_equal(load(path).values, VALUES)
    assert load(tmp_path / "plain.npy").name == "plain"


def test_coalitions_of_an_archive_may_have_any_order(archive):
    order = np.random.default_rng(1).permutation(8)
    path = archive(values=VALUES[order], coalitions=all_coalitions(3)[order], n_players=3)
    np.testing.assert_array_equal(load(path).values, VALUES)
    with pytest.raises(GameError, match="names its coalitions; leave out order='size'"):
        load(path, order="size")


@pytest.mark.parametrize("name", ["game.npz", "game.json"])
def test_games_of_shapiq_are_read_as_it_writes_them(tmp_path, name):
    shapiq_game().save_values(tmp_path / name)
    np.testing.assert_array_equal(load(tmp_path / name).values, VALUES)


def test_names_that_shapiq_keeps_are_kept(tmp_path):
    shapiq_game(["sun", "rain", "wind"]).save(tmp_path / "game.json")
    assert load(tmp_path / "game.json").players == ("sun", "rain", "wind")


@pytest.mark.parametrize(
    "content",
    [
        columns_csv(ROWS[::-1]),
        columns_csv([([bool(m) for m in members], value) for members, value in ROWS]),
        members_csv(),
        members_csv(", "),
        members_csv(" "),
    ],
)
def test_tables_of_coalitions_are_read_in_any_order(text, content):
    game = load(text(content))
    np.testing.assert_array_equal(game.values, VALUES)
    assert game.players == ("sun", "rain", "wind")


def test_members_may_be_numbers_and_tuples_of_python(text):
    game = load(text(members_csv(",", ("2", "9", "10"), ROWS[::-1])))
    assert game.players == ("2", "9", "10")
    np.testing.assert_array_equal(game.values, VALUES)
    cells = ["()", "(0,)", "(1,)", "(0, 1)"]
    lines = [f'"{cell}",{k}' for k, cell in enumerate(cells)]
    np.testing.assert_array_equal(
        load(text("\n".join(["members,value", *lines]))).values, [0, 1, 2, 3]
    )


def test_incomplete_tables_and_those_with_a_coalition_twice_are_refused(text, archive, tmp_path):
    with pytest.raises(GameError, match=r"7 of the 8 .*\['sun', 'wind'\] is missing"):
        load(text(columns_csv([row for row in ROWS if row[0] != [1, 0, 1]])))
    with pytest.raises(GameError, match=r"coalition \['rain'\] more than once"):
        load(text(columns_csv([*ROWS, ROWS[2]])))
    with pytest.raises(GameError, match=r"7 of the 8 coalitions"):
        load(archive(values=VALUES[1:], coalitions=all_coalitions(3)[1:]))
    data = {"Empty": 0.0, "0": 1.0, "1": 2.0, "0,1": 3.0, "1,0": 4.0}
    path = tmp_path / "game.json"
    shapiq_json(path, data=data, metadata={"n_players": 2})
    with pytest.raises(GameError, match=r"\[0, 1\] more than once"):
        load(path)
    path.write_text('{"metadata": {"n_players": 1}, "data": {"Empty": 0, "0": 1, "0": 2}}')
    with pytest.raises(GameError, match="'0' is there more than once"):
        load(path)


def test_wrong_sizes_are_refused(tmp_path, archive):
    for values in (VALUES[:7], VALUES[:1], VALUES[:0]):
        np.save(tmp_path / "game.npy", values)
        with pytest.raises(GameError, match=r"game\.npy has "):
            load(tmp_path / "game.npy")
    np.save(tmp_path / "game.npy", VALUES.reshape(2, 4))
    with pytest.raises(GameError, match=r"shape \(2, 4\)"):
        load(tmp_path / "game.npy")
    with pytest.raises(GameError, match="says 4 players and has 8 values"):
        load(archive(values=VALUES, n_players=4))
    with pytest.raises(GameError, match=r"coalitions of shape \(4, 3\) for 8 values"):
        load(archive(values=VALUES, coalitions=all_coalitions(3)[:4]))
    with pytest.raises(GameError, match="has the arrays values, shapley"):
        load(archive(values=VALUES, shapley=VALUES[:3]))
    with pytest.raises(GameError, match="25 players, and a table has 1 to 24"):
        load(archive(values=VALUES, coalitions=np.zeros((8, 25))))


@pytest.mark.parametrize("said", ["x", -2, 2.5, [2, 3], 1 << 40, [], True])
def test_another_number_of_players_is_refused(archive, said):
    path = archive(values=VALUES, n_players=said)
    with pytest.raises(GameError) as refused:
        load(path)
    assert f"{path} says {said!r} players and has 8 values" in str(refused.value)
    assert "correct n_players" in str(refused.value)


def test_a_damaged_archive_is_refused_wherever_it_is_damaged(tmp_path):
    """Zeros in what is compressed, headers that do not end, bits that say encrypted."""
    path = tmp_path / "game.npz"
    save(TabularGame(np.random.default_rng(0).normal(size=64)), path)
    whole = path.read_bytes()
    zeros = [whole[:k] + bytes(40) + whole[k + 40 :] for k in range(0, len(whole) - 40, 10)]
    flips = [whole[:k] + bytes([whole[k] ^ 1]) + whole[k + 1 :] for k in range(len(whole))]
    refused = []
    for content in zeros + flips:
        path.write_bytes(content)
        try:
            load(path)  # dates, for one, may be anything
        except GameError as error:
            refused.append(str(error))
    assert len(refused) > len(whole) / 2
    assert all(str(path) in text for text in refused)


@pytest.mark.parametrize("said", [np.array("ab"), np.array(2), np.array([["a", "b", "c"]])])
def test_names_that_are_no_list_are_refused(archive, said):
    path = archive(format="shapaudit game 1", name="own", values=VALUES, players=said)
    with pytest.raises(GameError, match="must have a name for each player"):
        load(path)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite_are_refused_by_coalition(text, archive, bad):
    values = np.where(np.arange(8) == 5, bad, VALUES)
    with pytest.raises(GameError, match=rf"value {bad} for the coalition \[0, 2\]"):
        load(archive(values=values))
    rows = [(members, value) for (members, _), value in zip(ROWS, values, strict=True)]
    with pytest.raises(GameError, match=rf"value {bad} for the coalition \['sun', 'wind'\]"):
        load(text(columns_csv(rows)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (columns_csv(header="a,b,c,v"), "needs a column 'value'"),
        (columns_csv(header="a,a,c,value"), "column 'a' more than once"),
        (columns_csv([([0, 2, 0], 1.0)]), "'2' stands in column 'rain'"),
        (columns_csv([([0, 1, 0], "high")]), "cell that is no number"),
        ("value\n1\n2\n", "needs a column 'value'"),
        ('members,value\n"",0\n"a;a",1\n', "has 'a' twice"),
        ('members,value\n"",0\n', "has 0 players"),
    ],
)
def test_other_tables_are_refused(text, content, message):
    with pytest.raises(GameError, match=message):
        load(text(content))


def test_other_files_are_refused(tmp_path, text, archive):
    for name, message in [
        ("none.npz", "does not exist"),
        ("game.pkl", "A pickle runs code"),
        ("broken.npz", "cannot be read as arrays"),
        ("broken.json", "cannot be read as JSON"),
        ("list.json", "no game that shapiq has saved"),
        ("other.json", "no game that shapiq has saved"),
    ]:
        if name != "none.npz":
            text({"list.json": "[1]", "other.json": '{"data": {}}'}.get(name, "{"), name)
        with pytest.raises(GameError, match=message):
            load(tmp_path / name)
    with pytest.raises(GameError, match="without objects"):
        load(archive(values=np.array([None, 1], dtype=object)))
    with pytest.raises(GameError, match="real numbers"):
        load(archive(values=VALUES * 1j))
    with pytest.raises(GameError, match="format 'shapaudit game 9'"):
        load(archive(format="shapaudit game 9", values=VALUES))
    shapiq_json(tmp_path / "sii.json", data_type="interaction_values")
    with pytest.raises(GameError, match="holds 'interaction_values'"):
        load(tmp_path / "sii.json")
    shapiq_json(tmp_path / "far.json", data={"Empty": 0.0, "7": 1.0})
    with pytest.raises(GameError, match="has 7 and the players are"):
        load(tmp_path / "far.json")


def test_sizes_come_first_as_combinations_have_them():
    listed = [sum(1 << j for j in c) for k in range(6) for c in combinations(range(5), k)]
    assert sizes_first(5).tolist() == listed


def test_the_share_of_main_effects_is_that_of_least_squares():
    values = np.random.default_rng(3).normal(size=32).cumsum()
    design = np.column_stack([np.ones(32), all_coalitions(5)])
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    np.testing.assert_allclose(additive_share(values), fitted.var() / values.var())
    assert additive_share(np.ones(8)) == 0.0


def test_values_that_are_likely_to_be_in_another_order_are_refused(tmp_path):
    rng = np.random.default_rng(4)
    values = all_coalitions(6) @ rng.normal(size=6) + 0.1 * rng.normal(size=64)
    path = tmp_path / "listed.npy"
    np.save(path, values[sizes_first(6)])
    with pytest.raises(GameError, match=r"likely to be listed by the size.*order='size'"):
        load(path)
    np.testing.assert_array_equal(load(path, order="size").values, values)
    np.testing.assert_array_equal(load(path, order="binary").values, values[sizes_first(6)])
    np.save(path, values)
    np.testing.assert_array_equal(load(path).values, values)
    with pytest.raises(GameError, match="unknown order 'gray'"):
        load(path, order="gray")
    save(TabularGame(values[sizes_first(6)]), tmp_path / "own.npz")  # says its order
    np.testing.assert_array_equal(load(tmp_path / "own.npz").values, values[sizes_first(6)])
    with pytest.raises(GameError, match="leave out another order"):
        load(tmp_path / "own.npz", order="size")


def test_a_loaded_game_has_the_shapley_values_of_the_game(tmp_path):
    weights = np.array([0.5, -1.0, 2.0])
    rows = [(members, float(np.dot(members, weights))) for members, _ in ROWS]
    (tmp_path / "game.csv").write_text(columns_csv(rows))
    game = load(tmp_path / "game.csv")
    np.testing.assert_allclose(shapaudit.shapley_exact(game).values, weights)


def test_names_are_as_many_as_players():
    for names in (("a",), ("a", "a")):
        with pytest.raises(GameError, match="give each its own"):
            TabularGame([0.0, 1.0, 1.0, 2.0], "pair", names)
