"""Pairing: which seeks form a game, and the limit on the work of a pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from service.rulesets.wire import Json
from service.storage.matchmaking.seeks import StoredSeek
from service.usecases.matchmaking import pairing
from service.usecases.matchmaking.pairing import find_groups
from service.usecases.matchmaking.seeking import NewSeek

SETTINGS = NewSeek("azul", "coloured", 2).settings()


def paired_ids(*seeks: StoredSeek, now: int = 100) -> list[list[str]]:
    """Return the ids of the seeks that play together, by game."""
    return [[seek.id for seek in group] for group in find_groups(seeks, now)]


def new_seek(number: int, **changes: Any) -> StoredSeek:
    return StoredSeek(
        **{"id": str(number), "player": f"p{number}", "name": None, "settings": SETTINGS, "created_at": number}
        | changes
    )


def settings_of(seats: int) -> Json:
    return {**SETTINGS, "seats": seats}


def test_the_longest_waiting_seeks_are_paired_first() -> None:
    assert [["1", "2"], ["3", "4"]] == paired_ids(*map(new_seek, range(1, 6)))


def test_only_seeks_with_equal_settings_are_paired() -> None:
    other = [
        replace(new_seek(2), settings={**SETTINGS, "variant": "grey"}),
        replace(new_seek(4), settings=settings_of(3)),
    ]
    timed = replace(new_seek(5), settings={**SETTINGS, "clock": {"turn_s": 60}})
    assert [["1", "3"]] == paired_ids(new_seek(1), other[0], new_seek(3), other[1], timed)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_game_of_more_seats_waits_for_enough_seeks(seats: int) -> None:
    seeks = [new_seek(number, settings=settings_of(seats)) for number in range(1, 2 * seats)]
    assert [] == paired_ids(*seeks[: seats - 1])
    assert [[str(number) for number in range(1, seats + 1)]] == paired_ids(*seeks)


def test_players_are_not_paired_with_themselves_or_blocked_players() -> None:
    assert [] == paired_ids(new_seek(1), new_seek(2, player="p1"))
    assert [["1", "3"]] == paired_ids(new_seek(1, blocked=frozenset({"p2"})), new_seek(2), new_seek(3))
    assert [["1", "3"]] == paired_ids(new_seek(1), new_seek(2, blocked=frozenset({"p1"})), new_seek(3))
    three = [new_seek(number, settings=settings_of(3)) for number in range(1, 5)]
    three[2] = replace(three[2], blocked=frozenset({"p2"}))
    assert [["1", "2", "4"]] == paired_ids(*three)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_seek_that_fits_only_the_first_does_not_prevent_a_full_group(seats: int) -> None:
    alone = new_seek(2, settings=settings_of(seats), blocked=frozenset({"p3", "p4", "p5"}))
    others = [new_seek(number, settings=settings_of(seats)) for number in (1, *range(3, seats + 2))]
    assert [[seek.id for seek in others]] == paired_ids(others[0], alone, *others[1:])
    assert [] == paired_ids(others[0], alone, *others[2:])


def camps(count: int, *, block_own: bool) -> list[StoredSeek]:
    """Create seeks of three seats in two camps, alternating. Each blocks its own camp or the other one."""
    members = [frozenset(f"p{number}" for number in range(camp, count, 2)) for camp in (0, 1)]
    return [
        new_seek(number, settings=settings_of(3), blocked=members[number % 2 if block_own else 1 - number % 2])
        for number in range(count)
    ]


@pytest.mark.parametrize("block_own", [True, False])
def test_the_work_of_a_pass_is_bounded(monkeypatch: pytest.MonkeyPatch, *, block_own: bool) -> None:
    """Camps that block each other play among themselves. Of camps that block their own members no three fit."""
    fits = mock.Mock(wraps=pairing._fits)
    monkeypatch.setattr(pairing, "_fits", fits)
    count = 600
    games = paired_ids(*camps(count, block_own=block_own))
    assert (0 if block_own else count // 3) == len(games)
    assert 0 < fits.call_count <= pairing.MAX_CHECKS + count * pairing.MIN_CHECKS


def test_seeks_beyond_the_limit_of_a_pass_are_compared_by_later_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pairing, "MAX_CHECKS", 0)
    crowd = [new_seek(number, blocked=frozenset({"p99"})) for number in range(50)]
    seeks_of_one_player = [replace(seek, player="p0") for seek in crowd]
    assert [] == paired_ids(*seeks_of_one_player, new_seek(99), now=0)
    late = new_seek(98)
    passes = [paired_ids(*seeks_of_one_player, late, new_seek(99), now=now) for now in range(60)]
    assert [["0", "98"]] in passes


def test_the_rating_range_of_a_seek_grows_while_it_waits() -> None:
    """A range of 100 points is 200 after 30 s."""
    began = 1_000_000
    near, far = new_seek(1, points=1500, rating_range=100, created_at=began), new_seek(2, points=1650, created_at=began)
    assert [] == paired_ids(near, far, now=began + 14_999)
    assert [["1", "2"]] == paired_ids(near, far, now=began + 15_000)
    assert [["1", "2"]] == paired_ids(near, replace(far, points=1600), now=began)
    assert [] == paired_ids(replace(near, rating_range=None), replace(far, rating_range=100), now=began)


def test_ais_fill_a_game_after_the_wait_and_only_with_consent_of_all() -> None:
    filled = new_seek(1, fill="club", fill_at=50)
    assert [["1"]] == paired_ids(filled, now=50)
    assert [] == paired_ids(filled, now=49)
    assert [["1", "2"]] == paired_ids(filled, new_seek(2), now=50)
    four = [
        replace(seek, settings=settings_of(4)) for seek in (filled, new_seek(2), new_seek(3, fill="club", fill_at=99))
    ]
    assert [["1", "3"]] == paired_ids(*four, now=50)
    assert [["1"]] == paired_ids(*four[:2], new_seek(3, settings=settings_of(4), fill="master", fill_at=99), now=50)
