"""Players who wait for the pairing of their seek with polls and streams, leave, and return."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from service.rulesets.wire import Json
from service.storage.matchmaking.seeks import RESUME_MS
from service.usecases.base.context import Caller, Context
from service.usecases.matchmaking import pairing, seeking
from service.usecases.matchmaking.seeking import LEAVE_S
from tests.patience import HANG_S
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.matchmaking.test_seeking import AZUL, seated_players
from tests.usecases.players import Time, player
from tests.usecases.waiting import wait_result


def test_a_wait_ends_as_soon_as_the_seek_is_paired(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    first = seeking.seek(context, as_ana, AZUL)
    wait_for_game = partial(seeking.get, context, as_ana, first["id"], HANG_S)
    assert "paired" == wait_result(context, wait_for_game, lambda: seeking.seek(context, as_ben, AZUL))["status"]


def test_followers_receive_the_pairing_of_their_seek(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    first = seeking.seek(context, as_ana, replace(AZUL, keep_s=LEAVE_S))
    items = seeking.follow(context, as_ana, first["id"], 0.05)
    number, seen = next(items) or (0, {})
    assert (1, "open") == (number, seen["status"])
    assert next(items) is None
    made = seeking.seek(context, as_ben, AZUL)
    assert [(2, made["game_id"])] == [(item[0], item[1]["game_id"]) for item in items if item]


def follow_and_leave(context: Context, caller: Caller, seek: Json) -> None:
    """Open a stream of the seek and close it."""
    items = seeking.follow(context, caller, seek["id"])
    next(items)
    seeking.leave(context, caller, seek["id"])


@pytest.mark.parametrize("way", ["stream", "poll"])
def test_a_seek_resumes_with_its_waiting_time_if_its_player_returns(context: Context, time: Time, way: str) -> None:
    (ana, as_ana), (_, as_ben), (cleo, as_cleo) = (player(context) for _ in range(3))
    first = seeking.seek(context, as_ana, replace(AZUL, keep_s=3_600))
    time.pass_(1)
    follow_and_leave(context, as_ana, first)
    assert "open" == seeking.seek(context, as_ben, AZUL)["status"]  # no player is paired with an absent one
    time.pass_(RESUME_MS / 1000 - 0.001)
    pairing.run_due(context)
    if way == "stream":
        assert "open" == (next(seeking.follow(context, as_ana, first["id"])) or (0, {}))[1]["status"]
    else:
        seeking.get(context, as_ana, first["id"], 0)
    assert 1 == pairing.run_due(context).done
    seen = seeking.get(context, as_ana, first["id"], 0)
    assert ("paired", first["created_at"]) == (seen["status"], seen["created_at"])
    assert "open" == seeking.seek(context, as_cleo, AZUL)["status"]
    assert ana in seated_players(context, seen["game_id"])
    assert cleo not in seated_players(context, seen["game_id"])


def test_a_seek_ends_if_its_player_does_not_return(context: Context, time: Time) -> None:
    _, as_ana = player(context)
    first = seeking.seek(context, as_ana, replace(AZUL, keep_s=3_600))
    follow_and_leave(context, as_ana, first)
    assert [] == seeking.lobby(context, None, None, None)
    time.pass_(RESUME_MS / 1000)
    assert 1 == pairing.run_due(context).done
    for look in (seeking.follow, seeking.withdraw):
        with raises_error("seek/not_found"):
            look(context, as_ana, first["id"])


def test_a_second_stream_keeps_a_seek_whose_first_stream_is_closed(context: Context) -> None:
    _, as_ana = player(context)
    first = seeking.seek(context, as_ana, AZUL)
    others = seeking.follow(context, as_ana, first["id"], 0.01)
    next(others)
    follow_and_leave(context, as_ana, first)
    assert [] == seeking.lobby(context, None, None, None)
    assert next(others) is None
    assert [first["id"]] == [one["id"] for one in seeking.lobby(context, None, None, None)]


def test_suspended_seeks_make_room_for_new_ones(context: Context) -> None:
    _, as_ana = player(context)
    for seats in (2, 3, 4):
        follow_and_leave(context, as_ana, seeking.seek(context, as_ana, replace(AZUL, seats=seats)))
    made = seeking.seek(context, as_ana, replace(AZUL, variant="grey"))
    assert [made["id"]] == [one["id"] for one in seeking.lobby(context, None, None, None)]


def test_a_stream_ends_when_the_seek_is_withdrawn(context: Context) -> None:
    _, as_ana = player(context)
    first = seeking.seek(context, as_ana, AZUL)
    items = seeking.follow(context, as_ana, first["id"], HANG_S)
    next(items)
    assert [] == wait_result(context, lambda: list(items), lambda: seeking.withdraw(context, as_ana, first["id"]))
