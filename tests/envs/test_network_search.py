"""The network search has the same visits as a plain search, accepts batches of any size, and finds tactics with any
network."""

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from connectk import solve
from connectk.arrays import Boards
from connectk.envs import measure
from connectk.envs.network_search import EXPLORATION, BatchedSearch, Evaluate, NetworkPlayer, network_search
from connectk.errors import GameAlreadyOver, SearchStopped, UnsupportedVariant
from connectk.players import Clock
from connectk.rules import Position, Variant


def knows_nothing(planes: Any, masks: Any) -> tuple[Any, Any]:
    return np.zeros(len(planes)), np.zeros(masks.shape)


def hashed(planes: Any, masks: Any) -> tuple[Any, Any]:
    """A fixed evaluation that looks random and differs between positions."""
    weights = np.random.default_rng(1).normal(size=(planes[0].size, 1 + masks.shape[1]))
    said = planes.reshape(len(planes), -1) @ weights
    return np.tanh(said[:, 0]), said[:, 1:]


class Node:
    def __init__(self, prior: float) -> None:
        self.prior, self.visits, self.sum, self.children = prior, 0, 0.0, dict[int, Node]()


def plain_visits(position: Position, simulations: int) -> list[int]:
    """PUCT in its simplest form, one leaf at a time."""
    root = Node(1)

    def simulate(node: Node, position: Position) -> float:
        """One simulation from this node; returns its result for the side that moved into the node."""
        if position.outcome is not None:
            result = 0.0 if position.outcome.winner is None else 1.0
        elif not node.children:
            boards = Boards.from_positions([position])
            values, logits = hashed(boards.planes(dtype="float32"), boards.legal)
            shares = np.exp(np.float32(logits[0]))[list(position.legal_columns)]
            node.children = {c: Node(s / shares.sum()) for c, s in zip(position.legal_columns, shares, strict=True)}
            result = -float(np.float32(values[0]))
        else:
            mean = -node.sum / node.visits

            def worth(column: int) -> float:
                child = node.children[column]
                known = child.sum / child.visits if child.visits else mean
                return known + EXPLORATION * math.sqrt(node.visits) * child.prior / (1 + child.visits)

            column = max(node.children, key=worth)
            result = -simulate(node.children[column], position.drop(column))
        node.visits += 1
        node.sum += result
        return result

    for _ in range(simulations):
        simulate(root, position)
    return [root.children[c].visits if c in root.children else 0 for c in range(position.variant.width)]


@pytest.mark.parametrize("moves", ["", "44", "112233", "4444445"])
@pytest.mark.parametrize("size", ["7x6x4", "9x8x4"])
def test_one_leaf_at_a_time_it_is_the_plain_search(size: str, moves: str):
    position = Position.from_moves(moves, Variant.parse(size))
    found = network_search(Boards.from_positions([position]), hashed, simulations=120, batch=1)
    assert found.visits[0].tolist() == plain_visits(position, 120)
    assert found.columns[0] == found.visits[0].argmax()
    assert found.policies[0] == pytest.approx(found.visits[0] / 119)


@pytest.mark.parametrize("considered", [0, 2, 7])
@pytest.mark.parametrize("batch", [1, 7, 256])
def test_every_game_gets_its_simulations(considered: int, batch: int):
    """For any batch size, open games get all their simulations, finished games none, and full columns no visits."""
    boards = Boards.from_moves(["", "4444445", "1212121", "112233", "2"])
    sizes = []

    def counted(planes: Any, masks: Any) -> tuple[Any, Any]:
        sizes.append(len(planes))
        return hashed(planes, masks)

    found = network_search(boards, counted, simulations=50, batch=batch, considered=considered, seed=3)
    open_games = [0, 1, 3, 4]
    assert found.columns[2] == -1
    assert found.policies[2].sum() == found.visits[2].sum() == 0
    assert (found.visits[open_games].sum(axis=1) == 49).all()
    assert found.policies[open_games].sum(axis=1) == pytest.approx(1)
    assert not found.visits[~boards.legal].any()
    assert not found.policies[~boards.legal].any()
    assert boards.legal[open_games, found.columns[open_games]].all()
    assert max(sizes) <= batch
    if considered:
        assert ((found.visits > 0).sum(axis=1) <= considered).all()
    again = network_search(boards, hashed, simulations=50, batch=batch, considered=considered, seed=3)
    assert np.array_equal(again.visits, found.visits)


@pytest.mark.parametrize("considered", [0, 7])
def test_without_any_knowledge_it_wins_and_blocks(considered: int):
    """With a network that knows nothing, the search still finds a winning drop and blocks the opponent's threat."""
    wins, block = Position.from_moves("445566"), Position.from_moves("4141426"[:6])
    found = network_search(
        Boards.from_positions([wins, block]), knows_nothing, simulations=600, considered=considered, seed=1
    )
    assert found.columns[0] in (2, 6)
    assert found.values[0] > 0.5
    assert found.columns[1] in solve(block).best_columns


def test_the_improved_policy_prefers_what_the_search_found():
    """Although the network prefers column 1, the winning column has nearly all of the improved policy after 16
    simulations."""

    def likes_the_edge(planes: Any, masks: Any) -> tuple[Any, Any]:
        logits = np.zeros(masks.shape)
        logits[:, 0] = 3
        return np.zeros(len(planes)), logits

    boards = Boards.from_moves(["112233"])
    found = network_search(boards, likes_the_edge, simulations=16, considered=7, seed=1)
    assert found.columns[0] == 3
    assert found.policies[0, 3] > 0.9


def test_gumbel_noise_differs_from_seed_to_seed_and_game_to_game():
    boards = Boards(count=40)
    one = network_search(boards, knows_nothing, simulations=4, considered=2, seed=1)
    assert len(set(one.columns.tolist())) > 3
    two = network_search(boards, knows_nothing, simulations=4, considered=2, seed=100)
    assert one.columns.tolist() != two.columns.tolist()


BAD_ANSWERS: dict[str, tuple[Any, str]] = {
    "too few": (lambda p, m: (np.zeros(len(p) - 1), np.zeros(m.shape)), "one value for each leaf"),
    "another width": (lambda p, m: (np.zeros(len(p)), np.zeros((len(p), 6))), "one value for each leaf"),
    "not finite": (lambda p, m: (np.zeros(len(p)), np.full(m.shape, np.nan)), "finite"),
    "no value": (lambda p, m: (np.full(len(p), np.nan), np.zeros(m.shape)), "from -1 to 1"),
    "beyond a win": (lambda p, m: (np.full(len(p), 1.5), np.zeros(m.shape)), "from -1 to 1"),
}


@pytest.mark.parametrize("case", BAD_ANSWERS)
def test_what_is_no_evaluation_is_refused(case: str):
    evaluate, words = BAD_ANSWERS[case]
    with pytest.raises(ValueError, match=words):
        network_search(Boards(count=3), evaluate)


def test_what_cannot_be_searched_is_refused():
    with pytest.raises(UnsupportedVariant):
        network_search(Boards("20x20x5"), knows_nothing)
    for wrong in ({"simulations": 0}, {"batch": 0}, {"considered": -1}, {"exploration": -1.0}):
        with pytest.raises(ValueError, match="simulations are 1 to"):
            network_search(Boards(), knows_nothing, **wrong)
    with pytest.raises(SearchStopped):
        network_search(Boards(), knows_nothing, simulations=1000, stop=lambda: True)


def test_one_step_is_short_where_every_visit_ends_a_game():
    """Steps stay short on a board where every visit ends a game, because a player checks its clock between steps."""
    search = BatchedSearch(Boards(Variant(3, 1, 3), 1), knows_nothing, 1 << 20, 16, 0, EXPLORATION, 0)
    steps = 0
    while search.step():
        steps += 1
    assert search.simulations == 1 << 20
    assert steps > 200


def test_a_network_is_a_player():
    """A network player works in measurements, with a clock, and as a bot's function. Without a clock, a seed makes it
    repeatable."""
    player = NetworkPlayer(knows_nothing, simulations=30, considered=7, seed=1)
    found = measure(player, positions=["", "44", "445566"], name="net")
    assert (found.agent, found.all.positions, found.failed) == ("net", 3, 0)
    position = Position.from_moves("4455")
    player.new_game(5)
    choice = player.choose(position, Clock())
    player.new_game(5)
    assert player.column(position) == choice.column
    assert choice.thought.nodes == 30
    timed = NetworkPlayer(knows_nothing, simulations=1 << 20).choose(position, Clock(0.01))
    assert timed.thought.nodes < 1 << 20
    stopped = threading.Event()
    stopped.set()
    assert NetworkPlayer(knows_nothing, simulations=1 << 20).choose(position, Clock(stop=stopped)).column in range(7)
    with pytest.raises(GameAlreadyOver):
        player.choose(Position.from_moves("1212121"), Clock())


WEIGHTS = np.random.default_rng(1).normal(size=(84, 8)).astype(np.float32)


def by_numpy() -> Evaluate:
    def evaluate(planes: Any, masks: Any) -> tuple[Any, Any]:
        said = planes.reshape(len(planes), -1) @ WEIGHTS
        return np.tanh(said[:, :1]), said[:, 1:]

    return evaluate


def by_pytorch() -> Evaluate:
    torch = pytest.importorskip("torch", reason="PyTorch is not part of the dev extra")
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(84, 8, bias=False))
    network[1].weight = torch.nn.Parameter(torch.from_numpy(WEIGHTS.T.copy()))

    def evaluate(planes: Any, masks: Any) -> tuple[Any, Any]:
        said = network(torch.from_numpy(planes))
        return torch.tanh(said[:, 0]), said[:, 1:]

    return evaluate


def by_jax() -> Evaluate:
    jax = pytest.importorskip("jax", reason="JAX is not part of the dev extra")

    def evaluate(planes: Any, masks: Any) -> tuple[Any, Any]:
        said = jax.numpy.asarray(planes).reshape(len(planes), -1) @ WEIGHTS
        return jax.numpy.tanh(said[:, 0]), said[:, 1:]

    return evaluate


def by_onnx_runtime() -> Evaluate:
    onnx = pytest.importorskip("onnx", reason="ONNX is not part of the dev extra")
    runtime = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not part of the dev extra")
    make, floats = onnx.helper, onnx.TensorProto.FLOAT
    graph = make.make_graph(
        [
            make.make_node("Flatten", ["planes"], ["cells"]),
            make.make_node("MatMul", ["cells", "weights"], ["said"]),
            make.make_node("Split", ["said", "sizes"], ["first", "logits"], axis=1),
            make.make_node("Tanh", ["first"], ["values"]),
        ],
        "network",
        [make.make_tensor_value_info("planes", floats, ["n", 2, 6, 7])],
        [make.make_tensor_value_info(name, floats, ["n", width]) for name, width in (("values", 1), ("logits", 7))],
        [
            onnx.numpy_helper.from_array(WEIGHTS, "weights"),
            onnx.numpy_helper.from_array(np.array([1, 7], np.int64), "sizes"),
        ],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=9)
    session = runtime.InferenceSession(model.SerializeToString())
    return lambda planes, masks: session.run(None, {"planes": planes})


@pytest.mark.parametrize("library", [by_pytorch, by_jax, by_onnx_runtime])
def test_a_network_of_any_library_evaluates(library: Callable[[], Evaluate]):
    """With the same weights, networks of all libraries lead to the same search."""
    boards = Boards.from_moves(["", "44", "112233"])
    expected = network_search(boards, by_numpy(), simulations=60, considered=7, seed=1)
    found = network_search(boards, library(), simulations=60, considered=7, seed=1)
    assert np.array_equal(found.visits, expected.visits)
    assert found.policies == pytest.approx(expected.policies, abs=1e-5)
