"""Handles: what may be one, when two are one, and that no change that is cut off leaves one lost or shared."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from service.storage.base.follow_ups import FollowUp
from service.storage.people.claims import HANDLE
from service.usecases.base import claims, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.handles import fault_of, folded
from service.usecases.people import follow_ups, players
from tests.patience import by_redis
from tests.usecases.games.test_usecases import refused
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, player
from tests.usecases.waiting import lives

WEEK_S = 7 * 86_400


@pytest.mark.parametrize("handle", ["Ana", "ana-b", "a1b", "Anna_Maria-2", "x" * 15])
def test_a_handle_is_letters_and_digits_with_single_marks_between(handle: str) -> None:
    assert fault_of(handle) is None


@pytest.mark.parametrize(
    "handle",
    ["", "ab", "x" * 16, "1ana", "-ana", "ana-", "a--b", "a_-b", "an a", "änna", "ana\n", "аna", "a.b", "a/b"],
)
def test_other_words_are_no_handle(handle: str) -> None:
    assert "ASCII" in (fault_of(handle) or "")


@pytest.mark.parametrize("handle", ["admin", "Ad-Min", "ADM1N", "rnoderator", "master", "nul1"])
def test_some_words_and_what_looks_like_them_are_reserved(handle: str) -> None:
    assert "is reserved; choose another handle" == fault_of(handle)


def test_handles_that_look_alike_are_one() -> None:
    for pair in ("Ana ANA", "anabel ana-bel", "mia rnia", "bill bi11", "Illi lIll", "wow vvow"):
        one, other = pair.split()
        assert folded(one) == folded(other), pair


def found(context: Context, handle: str) -> str | None:
    seen = handles.find(context, handle)
    return None if seen is None else seen.id


def test_a_handle_is_one_players_until_they_choose_another(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    assert "Ana" == players.set_handle(context, as_ana, "Ana")["handle"]
    with refused("player/handle_taken"):
        players.set_handle(context, as_ben, "a-n-a")
    assert (ana, ana, None) == (found(context, ana), found(context, "ANA"), found(context, "ben"))
    assert "Anna" == players.set_handle(context, as_ana, "Anna")["handle"]
    assert (None, ana) == (found(context, "ana"), found(context, "anna"))
    assert "ana" == players.set_handle(context, as_ben, "ana")["handle"]
    assert ben == found(context, "ana")


def test_a_handle_is_kept_for_a_week_but_its_spelling_may_change(context: Context, time: Time) -> None:
    _, as_ana = player(context)
    for handle in ("Ana", "Anna"):
        players.set_handle(context, as_ana, handle)
    for other in ("Hanna", None):
        with refused("player/handle_too_soon") as error:
            players.set_handle(context, as_ana, other)
    assert error.value.extra["until"]
    assert "AN-na" == players.set_handle(context, as_ana, "AN-na")["handle"]
    time.pass_(WEEK_S)
    assert players.set_handle(context, as_ana, None)["handle"] is None
    with refused("player/handle_too_soon"):
        players.set_handle(context, as_ana, "Hanna")


def test_a_handle_lives_as_long_as_its_player(context: Context) -> None:
    ana, as_ana = player(context)
    players.set_handle(context, as_ana, "Ana")
    key, handle_key = context.store.keys.player(ana), context.store.keys.claim(HANDLE, "ana")
    store: Any = context.store._redis
    assert 1000 < store.ttl(key)
    assert 1000 < store.ttl(handle_key)
    store.expire(key, 1000)
    store.expire(handle_key, 1000)
    began = by_redis(store)
    players.me(context, as_ana)
    for name in (key, handle_key):
        assert lives(store, name, context.settings.player_ttl_s, began)
    store.delete(key)
    assert found(context, "Ana") is None


@pytest.mark.parametrize("step", ["claim", "change", "settle", "give_back", "confirm", "done"])
@pytest.mark.parametrize("before", [None, "Ana"])
def test_a_change_that_is_killed_before_a_step_is_done_whole_or_not_at_all(
    context: Context, time: Time, step: str, before: str | None
) -> None:
    """Afterwards a keeper looks, an hour passes; nobody has two handles, and none is lost."""
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    if before is not None:
        players.set_handle(context, as_ana, before)
    places: dict[str, tuple[Any, str, int]] = {
        "claim": (context.handles, "claim", 1),
        "change": (context.players, "change", 1),
        "settle": (follow_ups, "do_at_once", 1),
        "give_back": (context.handles, "give_back", 1),
        "confirm": (context.handles, "claim", 2),
        "done": (context.follow_ups, "done", 1),
    }
    nothing_to_give_back = step == "give_back" and before is None
    with killed_before(*places[step]), contextlib.nullcontext() if nothing_to_give_back else pytest.raises(KilledError):
        players.set_handle(context, as_ana, "Berta")
    time.pass_(follow_ups.DUE_AFTER_MS / 1000 + 1)
    follow_ups.look_after(context)
    assert 0 == follow_ups.look_after(context).done
    own = players.me(context, as_ana)["handle"]
    assert own == (before if step in ("claim", "change") else "Berta")
    assert (own is None) == (found(context, own or "Ana") is None)
    store: Any = context.store._redis
    left = {key.decode().partition("handle:")[2] for key in store.scan_iter("*:handle:*")}
    if step == "change":  # the claim runs out by itself
        assert store.ttl(context.store.keys.claim(HANDLE, "berta")) <= claims.UNCONFIRMED_S
        left.discard("berta")
    assert {folded(own)} - {""} == left if own else not left
    if own == "Berta":
        assert "Ana" == players.set_handle(context, as_ben, "Ana")["handle"]
        assert ben == found(context, "Ana")


def test_follow_ups_may_be_done_in_any_order_and_twice(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    noted: list[FollowUp] = []
    for handle in ("Ana", "Berta", "Ana"):
        players.set_handle(context, as_ana, handle)
        noted.append(FollowUp(ana, follow_ups.NAMES, {HANDLE: ["ana", "berta"]}))
        time.pass_(WEEK_S + 1)
    for one in (*noted, *reversed(noted)):
        follow_ups.do(context, one)
    assert (ana, None) == (found(context, "Ana"), found(context, "Berta"))
    assert context.handles.owner("berta") is None


def test_a_handle_that_was_lost_to_another_player_is_taken_from_the_profile(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    players.set_handle(context, as_ana, "Ana")
    store: Any = context.store._redis
    store.delete(context.store.keys.claim(HANDLE, "ana"))  # the claim ran out before anybody confirmed it
    players.set_handle(context, as_ben, "Ana")
    follow_ups.do(context, FollowUp(ana, follow_ups.NAMES, {HANDLE: ["ana"]}))
    assert (None, ben) == (players.me(context, as_ana)["handle"], found(context, "Ana"))


def test_a_change_is_made_though_the_store_goes_away_before_it_is_confirmed(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    with killed_before(claims, "settle", error=RedisConnectionError):
        assert "Ana" == players.set_handle(context, as_ana, "Ana")["handle"]
    assert 0 == follow_ups.look_after(context).done
    time.pass_(follow_ups.DUE_AFTER_MS / 1000)
    assert 1 == follow_ups.look_after(context).done
    assert ana == found(context, "Ana")


def test_a_follow_up_that_fails_is_tried_again_and_others_go_on(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = [player(context) for _ in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr(follow_ups, "do_at_once", lambda *_: None)
        for (_, caller), handle in zip(callers, ("Ana", "Ben", "Cleo"), strict=True):
            players.set_handle(context, caller, handle)
    settle = claims.settle

    def failing(doors: Context, player_id: str, words: Any) -> None:
        if player_id == callers[1][0]:
            raise ValueError
        settle(doors, player_id, words)

    time.pass_(follow_ups.DUE_AFTER_MS / 1000)
    with monkeypatch.context() as patch:
        patch.setattr(claims, "settle", failing)
        assert 2 == follow_ups.look_after(context).done
    assert 0 == follow_ups.look_after(context).done
    time.pass_(follow_ups.RETRY_MS / 1000)
    assert 1 == follow_ups.look_after(context).done


def test_the_callers_token_is_the_players(context: Context) -> None:
    ana, _ = player(context)
    with refused("auth/token_unknown"):
        players.set_handle(context, Caller(f"{ana}.{'x' * 43}"), "Ana")
