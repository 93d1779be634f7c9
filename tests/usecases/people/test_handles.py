"""Handles: valid words, equal spellings, and killed changes that neither lose nor share one."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from service.games.people_text import skeleton
from service.storage.base.follow_ups import FollowUp
from service.storage.people.reservations import HANDLE
from service.usecases.base import handles, reservations
from service.usecases.base.context import Caller, Context
from service.usecases.base.handles import MAX_LENGTH, MIN_LENGTH, PATTERN, error_of
from service.usecases.people import follow_ups, players
from tests.patience import redis_now_ms
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, player
from tests.usecases.waiting import has_lifetime

TABLE = Path(__file__).parents[3] / "frontend" / "src"
WEEK_S = 7 * 86_400


@pytest.mark.parametrize("handle", ["Ana", "ana-b", "a1b", "Anna_Maria-2", "x" * 15])
def test_a_handle_is_letters_and_digits_with_single_marks_between(handle: str) -> None:
    assert error_of(handle) is None


@pytest.mark.parametrize(
    "handle",
    ["", "ab", "x" * 16, "1ana", "-ana", "ana-", "a--b", "a_-b", "an a", "änna", "ana\n", "аna", "a.b", "a/b"],
)
def test_words_with_other_characters_are_invalid_handles(handle: str) -> None:
    assert "ASCII" in (error_of(handle) or "")


def test_the_table_accepts_the_same_handles() -> None:
    form = (TABLE / "people" / "account.tsx").read_text("utf-8")
    (pattern,) = re.findall('HANDLE = "(.+)";', form)
    assert PATTERN == pattern.replace(r"\\-", "-")
    assert (str(MIN_LENGTH), str(MAX_LENGTH)) == tuple(re.findall(r"m(?:in|ax)Length=\{(\d+)\}", form))
    for language, marks in (("en", "hyphens or underscores"), ("de", "Binde- oder Unterstriche")):
        texts = (TABLE / "shared" / "words" / language / "people.ts").read_text("utf-8")
        assert re.search(rf'handleForm:\s+"{MIN_LENGTH} \w+ {MAX_LENGTH} .*{marks}', texts)


@pytest.mark.parametrize("handle", ["admin", "Ad-Min", "ADM1N", "rnoderator", "master", "nul1"])
def test_reserved_words_and_their_lookalikes_are_refused(handle: str) -> None:
    assert "is reserved; choose another handle" == error_of(handle)


def find_id(context: Context, handle: str) -> str | None:
    profile = handles.find(context, handle)
    return None if profile is None else profile.id


def test_a_handle_belongs_to_one_player_until_they_change_it(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    assert "Ana" == players.set_handle(context, as_ana, "Ana")["handle"]
    with raises_error("player/handle_taken"):
        players.set_handle(context, as_ben, "a-n-a")
    assert (ana, ana, None) == (find_id(context, ana), find_id(context, "ANA"), find_id(context, "ben"))
    assert "Anna" == players.set_handle(context, as_ana, "Anna")["handle"]
    assert (None, ana) == (find_id(context, "ana"), find_id(context, "anna"))
    assert "ana" == players.set_handle(context, as_ben, "ana")["handle"]
    assert ben == find_id(context, "ana")


def test_handles_that_look_alike_are_taken_and_find_the_player(context: Context) -> None:
    (clark, as_clark), (_, as_ben) = player(context), player(context)
    players.set_handle(context, as_clark, "Clark")
    for handle in ("CIark", "C1ark", "clark", "c-lark"):
        with raises_error("player/handle_taken"):
            players.set_handle(context, as_ben, handle)
        assert clark == find_id(context, handle)
    assert "Dark" == players.set_handle(context, as_ben, "Dark")["handle"]


def test_similar_handles_of_an_earlier_version_stay_with_their_players(context: Context, time: Time) -> None:
    """They were reserved under other names: `cl` was read as `d`, `5` as `s`, but `ci` was not."""
    names = {"Clark": "dark", "CIark": "clark", "Vera-5": "veras"}
    owners = {}
    for handle, name in names.items():
        owners[handle], as_owner = player(context)
        stored = context.players.get(owners[handle])
        assert stored is not None
        assert context.players.change(stored, {"handle": handle})
        assert context.handles.reserve(name, stored.id, 1000)
        players.get_own(context, as_owner)
        reservations.reconcile(context, stored.id, {HANDLE: [name]})
        assert (handle, stored.id) == (players.get_own(context, as_owner)["handle"], context.handles.owner(name))
        reservations.extend(context, context.players.get(stored.id) or stored, 5000)
        assert 1000 < int(str(context.store.redis.ttl(context.store.keys.reservation(HANDLE, name))))
    (_, as_ben), ids = player(context), {word: find_id(context, word) for word in ("clark", "CIARK", "vera5", "veras")}
    assert [owners["Clark"], owners["CIark"], owners["Vera-5"], None] == [*ids.values()]
    for handle in ("C1ark", "VERA_5"):
        with raises_error("player/handle_taken"):
            players.set_handle(context, as_ben, handle)
    assert "Vera5" == players.set_handle(context, as_owner, "Vera5")["handle"]
    assert (owners["Vera-5"], None) == (context.handles.owner("vera5"), context.handles.owner("veras"))
    assert "veras" == players.set_handle(context, as_ben, "veras")["handle"]


def test_a_handle_is_kept_for_a_week_but_its_spelling_may_change(context: Context, time: Time) -> None:
    _, as_ana = player(context)
    for handle in ("Ana", "Anna"):
        players.set_handle(context, as_ana, handle)
    for other in ("Hanna", None):
        with raises_error("player/handle_too_soon") as error:
            players.set_handle(context, as_ana, other)
    assert error.value.extra["until"]
    assert "AN-na" == players.set_handle(context, as_ana, "AN-na")["handle"]
    time.pass_(WEEK_S)
    assert players.set_handle(context, as_ana, None)["handle"] is None
    with raises_error("player/handle_too_soon"):
        players.set_handle(context, as_ana, "Hanna")


def test_a_handle_lives_as_long_as_its_player(context: Context) -> None:
    ana, as_ana = player(context)
    players.set_handle(context, as_ana, "Ana")
    key, handle_key = context.store.keys.player(ana), context.store.keys.reservation(HANDLE, "ana")
    store: Any = context.store.redis
    assert 1000 < store.ttl(key)
    assert 1000 < store.ttl(handle_key)
    store.expire(key, 1000)
    store.expire(handle_key, 1000)
    began = redis_now_ms(store)
    players.get_own(context, as_ana)
    for name in (key, handle_key):
        assert has_lifetime(store, name, context.settings.player_ttl_s, began)
    store.delete(key)
    assert find_id(context, "Ana") is None


@pytest.mark.parametrize("step", ["claim", "change", "settle", "give_back", "confirm", "done"])
@pytest.mark.parametrize("before", [None, "Ana"])
def test_a_change_killed_before_a_step_is_complete_or_undone(
    context: Context, time: Time, step: str, before: str | None
) -> None:
    """A keeper runs later. No player has two handles, and no handle is lost."""
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    if before is not None:
        players.set_handle(context, as_ana, before)
    places: dict[str, tuple[Any, str, int]] = {
        "claim": (context.handles, "reserve", 1),
        "change": (context.players, "change", 1),
        "settle": (follow_ups, "execute_now", 1),
        "give_back": (context.handles, "release", 1),
        "confirm": (context.handles, "reserve", 2),
        "done": (context.follow_ups, "remove", 1),
    }
    nothing_to_give_back = step == "give_back" and before is None
    with killed_before(*places[step]), contextlib.nullcontext() if nothing_to_give_back else pytest.raises(KilledError):
        players.set_handle(context, as_ana, "Berta")
    time.pass_(follow_ups.DUE_AFTER_MS / 1000 + 1)
    follow_ups.run_due(context)
    assert 0 == follow_ups.run_due(context).done
    own = players.get_own(context, as_ana)["handle"]
    assert own == (before if step in ("claim", "change") else "Berta")
    assert (own is None) == (find_id(context, own or "Ana") is None)
    store: Any = context.store.redis
    remaining = {key.decode().partition("handle:")[2] for key in store.scan_iter("*:handle:*")}
    if step == "change":  # the claim expires
        assert store.ttl(context.store.keys.reservation(HANDLE, "berta")) <= reservations.UNCONFIRMED_S
        remaining.discard("berta")
    assert {skeleton(own)} - {""} == remaining if own else not remaining
    if own == "Berta":
        assert "Ana" == players.set_handle(context, as_ben, "Ana")["handle"]
        assert ben == find_id(context, "Ana")


def test_follow_ups_are_idempotent_in_any_order(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    steps: list[FollowUp] = []
    for handle in ("Ana", "Berta", "Ana"):
        players.set_handle(context, as_ana, handle)
        steps.append(FollowUp(ana, follow_ups.NAMES, {HANDLE: ["ana", "berta"]}))
        time.pass_(WEEK_S + 1)
    for one in (*steps, *reversed(steps)):
        follow_ups.execute(context, one)
    assert (ana, None) == (find_id(context, "Ana"), find_id(context, "Berta"))
    assert context.handles.owner("berta") is None


def test_a_handle_lost_to_another_player_is_removed_from_the_profile(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    players.set_handle(context, as_ana, "Ana")
    store: Any = context.store.redis
    store.delete(context.store.keys.reservation(HANDLE, "ana"))  # the claim expired before it was confirmed
    players.set_handle(context, as_ben, "Ana")
    follow_ups.execute(context, FollowUp(ana, follow_ups.NAMES, {HANDLE: ["ana"]}))
    assert (None, ben) == (players.get_own(context, as_ana)["handle"], find_id(context, "Ana"))


def test_a_change_survives_an_outage_before_its_confirmation(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    with killed_before(reservations, "reconcile", error=RedisConnectionError):
        assert "Ana" == players.set_handle(context, as_ana, "Ana")["handle"]
    assert 0 == follow_ups.run_due(context).done
    time.pass_(follow_ups.DUE_AFTER_MS / 1000)
    assert 1 == follow_ups.run_due(context).done
    assert ana == find_id(context, "Ana")


def test_a_failed_follow_up_is_retried_and_does_not_stop_others(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    callers = [player(context) for _ in range(3)]
    with monkeypatch.context() as patch:
        patch.setattr(follow_ups, "execute_now", lambda *_: None)
        for (_, caller), handle in zip(callers, ("Ana", "Ben", "Cleo"), strict=True):
            players.set_handle(context, caller, handle)
    settle = reservations.reconcile

    def settle_or_fail(context_of_keeper: Context, player_id: str, words: Any) -> None:
        if player_id == callers[1][0]:
            raise ValueError
        settle(context_of_keeper, player_id, words)

    time.pass_(follow_ups.DUE_AFTER_MS / 1000)
    with monkeypatch.context() as patch:
        patch.setattr(reservations, "reconcile", settle_or_fail)
        assert 2 == follow_ups.run_due(context).done
    assert 0 == follow_ups.run_due(context).done
    time.pass_(follow_ups.RETRY_MS / 1000)
    assert 1 == follow_ups.run_due(context).done


def test_a_wrong_player_token_sets_no_handle(context: Context) -> None:
    ana, _ = player(context)
    with raises_error("auth/token_unknown"):
        players.set_handle(context, Caller(f"{ana}.{'x' * 43}"), "Ana")
