"""Pairing: which of those who wait play together, and how much work a pass may be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from service.rulesets.wire import Json
from service.storage.matchmaking.seeks import StoredSeek
from service.usecases.matchmaking import pairing
from service.usecases.matchmaking.pairing import groups
from service.usecases.matchmaking.seeking import NewSeek

SETTINGS = NewSeek("azul", "coloured", 2).settings()


def waiting(*seeks: StoredSeek, now: int = 100) -> list[list[str]]:
    """Who plays together, by id."""
    return [[seek.id for seek in group] for group in groups(seeks, now)]


def one(number: int, **changes: Any) -> StoredSeek:
    return StoredSeek(
        **{"id": str(number), "player": f"p{number}", "name": None, "settings": SETTINGS, "created_at": number}
        | changes
    )


def of_seats(seats: int) -> Json:
    return {**SETTINGS, "seats": seats}


def test_whoever_has_waited_longest_plays_first_with_whoever_has_waited_longest() -> None:
    assert [["1", "2"], ["3", "4"]] == waiting(*map(one, range(1, 6)))


def test_all_who_play_together_want_just_the_same() -> None:
    other = [replace(one(2), settings={**SETTINGS, "variant": "grey"}), replace(one(4), settings=of_seats(3))]
    timed = replace(one(5), settings={**SETTINGS, "clock": {"turn_s": 60}})
    assert [["1", "3"]] == waiting(one(1), other[0], one(3), other[1], timed)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_game_of_more_seats_waits_until_all_are_there(seats: int) -> None:
    seeks = [one(number, settings=of_seats(seats)) for number in range(1, 2 * seats)]
    assert [] == waiting(*seeks[: seats - 1])
    assert [[str(number) for number in range(1, seats + 1)]] == waiting(*seeks)


def test_nobody_plays_with_themselves_or_with_whom_they_have_blocked() -> None:
    assert [] == waiting(one(1), one(2, player="p1"))
    assert [["1", "3"]] == waiting(one(1, blocked=frozenset({"p2"})), one(2), one(3))
    assert [["1", "3"]] == waiting(one(1), one(2, blocked=frozenset({"p1"})), one(3))
    three = [one(number, settings=of_seats(3)) for number in range(1, 5)]
    three[2] = replace(three[2], blocked=frozenset({"p2"}))
    assert [["1", "2", "4"]] == waiting(*three)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_seek_that_fits_only_the_first_does_not_prevent_a_full_group(seats: int) -> None:
    alone = one(2, settings=of_seats(seats), blocked=frozenset({"p3", "p4", "p5"}))
    others = [one(number, settings=of_seats(seats)) for number in (1, *range(3, seats + 2))]
    assert [[seek.id for seek in others]] == waiting(others[0], alone, *others[1:])
    assert [] == waiting(others[0], alone, *others[2:])


def camps(count: int, *, block_own: bool) -> list[StoredSeek]:
    """Seeks of three seats in two camps, in turn; each blocks its own camp, or the other one."""
    members = [frozenset(f"p{number}" for number in range(camp, count, 2)) for camp in (0, 1)]
    return [
        one(number, settings=of_seats(3), blocked=members[number % 2 if block_own else 1 - number % 2])
        for number in range(count)
    ]


@pytest.mark.parametrize("block_own", [True, False])
def test_the_work_of_a_pass_is_bounded(monkeypatch: pytest.MonkeyPatch, *, block_own: bool) -> None:
    """Two camps that block each other play among themselves; of two that block their own no three fit."""
    fits = mock.Mock(wraps=pairing._fits)
    monkeypatch.setattr(pairing, "_fits", fits)
    count = 600
    found = waiting(*camps(count, block_own=block_own))
    assert (0 if block_own else count // 3) == len(found)
    assert 0 < fits.call_count <= pairing.MAX_CHECKS + count * pairing.MIN_CHECKS


def test_where_one_pass_cannot_compare_all_seeks_later_passes_compare_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pairing, "MAX_CHECKS", 0)
    crowd = [one(number, blocked=frozenset({"p99"})) for number in range(50)]
    same = [replace(seek, player="p0") for seek in crowd]
    assert [] == waiting(*same, one(99), now=0)
    late = one(98)
    passes = [waiting(*same, late, one(99), now=now) for now in range(60)]
    assert [["0", "98"]] in passes


def test_ratings_are_near_at_first_and_may_be_farther_while_one_waits() -> None:
    """A range of 100 points is 200 after 30 s."""
    began = 1_000_000
    near, far = one(1, points=1500, rating_range=100, created_at=began), one(2, points=1650, created_at=began)
    assert [] == waiting(near, far, now=began + 14_999)
    assert [["1", "2"]] == waiting(near, far, now=began + 15_000)
    assert [["1", "2"]] == waiting(near, replace(far, points=1600), now=began)
    assert [] == waiting(replace(near, rating_range=None), replace(far, rating_range=100), now=began)


def test_ais_fill_a_game_when_the_time_has_come_and_only_for_those_who_want_that() -> None:
    filled = one(1, fill="club", fill_at=50)
    assert [["1"]] == waiting(filled, now=50)
    assert [] == waiting(filled, now=49)
    assert [["1", "2"]] == waiting(filled, one(2), now=50)
    four = [replace(seek, settings=of_seats(4)) for seek in (filled, one(2), one(3, fill="club", fill_at=99))]
    assert [["1", "3"]] == waiting(*four, now=50)
    assert [["1"]] == waiting(*four[:2], one(3, settings=of_seats(4), fill="master", fill_at=99), now=50)
