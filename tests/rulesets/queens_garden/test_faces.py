"""Faces are drawn as if all expansions had been shuffled at the start, and hidden ones are not in the record."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest

from service.rulesets.kernel import generator
from service.rulesets.ruleset import Position
from tests.rulesets.playing import play
from tests.rulesets.queens_garden.build import (
    board,
    faces_on,
    passer,
    read,
    state,
    table,
    view,
)
from tests.rulesets.queens_garden.letters import (
    HEXAGONS,
    Json,
    hexagon_numbers,
    hexagons,
    names_of,
)
from tests.rulesets.queens_garden.playing import acquire, buy, deal, next_decision

FEW = "k3 k4 k5 k6 p6"
GAMES = 4000


def few_unseen(*beside: str, faces: str = FEW, phase: str = "turn") -> Position:
    """Return the last round without a stack and with five unseen faces; all others are under the supply."""
    named: Json = {"phase": "turn", "next_seat": 0} if phase == "turn" else {}
    position = table(round_number=4, stack=0, beside=[*beside, *[""] * (5 - len(beside))], **named)
    return read({**position, "unseen": hexagons(" ".join(name for name in HEXAGONS if name in faces))})


def chi_square(seen: Counter[tuple[int, ...]], possible: list[tuple[int, ...]]) -> float:
    """Return the chi-square statistic against equal frequencies. Check that every outcome is possible."""
    assert set(seen) <= set(possible)
    expected = sum(seen.values()) / len(possible)
    return sum((seen[each] - expected) ** 2 for each in possible) / expected


def seeds() -> list[bytes]:
    return [sha256(b"%d" % number).digest() for number in range(GAMES)]


def test_two_faces_turned_together_are_uniformly_distributed() -> None:
    """20 ordered pairs: a chi-square of 19 degrees, 43.8 in one case of a thousand."""
    position = few_unseen("?", "?")
    seen = Counter(position.sample(generator(seed)) for seed in seeds())
    assert chi_square(seen, list(permutations(hexagon_numbers(FEW), 2))) < 43.8


def test_two_faces_turned_one_after_another_are_uniformly_distributed() -> None:
    """As they would be from one shuffled stack."""
    position = few_unseen("b1", "b2", phase="play")
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in seeds():
        rng = generator(seed)
        first = play(position, acquire("1", "0:b1"))
        face = first.sample(rng)
        second = play(first.resolve_draw(face), acquire("2", "1:b2"))
        seen[face + second.sample(rng)] += 1
    assert chi_square(seen, list(permutations(hexagon_numbers(FEW), 2))) < 43.8


def test_drawing_all_unseen_faces_returns_each_of_them_once() -> None:
    position = few_unseen("?", "?", "?", "?", "?")
    assert {tuple(sorted(hexagon_numbers(FEW)))} == {
        tuple(sorted(position.sample(generator(seed)))) for seed in seeds()[:50]
    }


def test_single_face_is_drawn_uniformly_from_the_unseen_faces() -> None:
    """36 faces: a chi-square of 35 degrees, 66.6 in one case of a thousand."""
    position = state(phase="turn", next_seat=0, stack=4, top="b1", beside=("?",))
    seen = Counter(position.sample(generator(seed)) for seed in seeds())
    assert chi_square(seen, [(number,) for number in range(36)]) < 66.6


def test_face_on_the_table_is_never_drawn() -> None:
    boards = (board(15, "^b1 ^b2", {(4, 0): "b3"}, {0: 0}), passer(15, "^b4"))
    position = state(*boards, phase="turn", next_seat=0, stack=3, top="d1", beside=("?", "^b5"))
    seen = {position.sample(generator(seed)) for seed in seeds()[:1000]}
    assert {(number,) for number in range(5, 36)} == seen


def test_expansions_of_a_round_all_have_different_faces() -> None:
    """Every expansion of the stack turns: five faces, all different, and no longer unseen."""
    waits = state(phase="turn", next_seat=0, stack=0, beside=("?",) * 5)
    after = next_decision(waits)
    faces = faces_on(view(after))
    assert (5, 31) == (len(set(faces)), len(view(after)["unseen"]))
    assert {*HEXAGONS} - {*faces} == {*names_of(view(after)["unseen"]).split()}


@pytest.mark.parametrize("names", ["k5", "b6"])
def test_position_read_from_its_view_has_identical_bytes(names: str) -> None:
    """A position read from what is shown is the same, to the byte, before and after a face turned."""
    waits = play(state(top="d2 y3", beside=("b1",)), acquire("b", "0:b1"))
    after = deal(waits, names)
    assert [waits.to_bytes(), after.to_bytes()] == [read(view(each)).to_bytes() for each in (waits, after)]


def test_positions_reached_in_a_different_order_have_identical_bytes() -> None:
    """Two purchases for two areas, in either order, leave the same bytes."""
    position = state(board(), passer())
    one, other = play(position, buy(0), buy(3)), play(position, buy(3), buy(0))
    assert one.to_bytes() == other.to_bytes()
