"""Lists that all callers fill: nobody fills them alone, a newcomer gets in, and what is in use stays."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from redis import Redis

from service.games.state.clocks import ClockRule
from service.storage.base.shares import Entry
from service.usecases.base.context import Caller, Context
from service.usecases.games.shares import entries_to_give_up
from service.usecases.matchmaking import bots, challenging, competitions, pairing, seeking
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import players
from tests.threads import run_at_once
from tests.usecases.bots import POLLING, create_bot
from tests.usecases.competing import ARENA, SWISS, competition_view
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.matchmaking.test_seeking import AZUL
from tests.usecases.players import Time, player

SCHOOL, HOME = "192.0.2.1", "198.51.100.7"
LONG_S = 3_600
SECONDS = itertools.count(10)


@pytest.fixture
def strict(context: Context) -> Context:
    """Enforce limits: three entries of a caller in each shared list."""
    context.settings = replace(context.settings, rate_limits="on", limit_share=3)
    return context


def new_caller(context: Context, address: str) -> Caller:
    """Create a player at this address."""
    return replace(player(context)[1], origin=address)


@dataclass(frozen=True)
class Kind:
    """A shared list: the name of its maximum, the error code, how to add an entry, and which entries are live."""

    maximum: str
    code: str
    add: Callable[[Context, str], str]
    live: Callable[[Context], set[str]]


def announce(context: Context, address: str) -> str:
    return str(competitions.announce(context, new_caller(context, address), SWISS)["id"])


def seek(context: Context, address: str) -> str:
    return str(seeking.seek(context, new_caller(context, address), rare())["id"])


def rare() -> NewSeek:
    """Return a seek that fits no other."""
    return replace(AZUL, keep_s=LONG_S, clock=ClockRule(next(SECONDS), 60, "ai", "greedy"))


def publish(context: Context, address: str) -> str:
    bot, caller = create_bot(context)
    bots.publish(context, replace(caller, origin=address), POLLING)
    return bot


def challenge(context: Context, address: str) -> str:
    popular = context.handles.owner("popular")
    if popular is None:
        popular, caller = player(context)
        players.set_handle(context, caller, "popular")
    return str(challenging.create(context, new_caller(context, address), popular, AZUL)["id"])


def inbox(context: Context) -> set[str]:
    popular = context.handles.owner("popular") or ""
    return {one.id for one in context.challenges.list_received(popular, context.now_ms())}


KINDS = [
    Kind("competitions.MAX_OPEN", "limit/competitions", announce, lambda c: {*c.competitions.list_public("coming")}),
    Kind("seeks.MAX_SEEKS", "limit/seeks", seek, lambda c: {one["id"] for one in seeking.lobby(c, None, None, None)}),
    Kind("bots.MAX_BOTS", "limit/bots", publish, lambda c: {bot.id for bot in c.bots.get_all()}),
    Kind("challenges.MAX_RECEIVED", "limit/challenges", challenge, inbox),
]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)


@each_kind
def test_a_caller_has_its_share_with_any_number_of_players(strict: Context, kind: Kind) -> None:
    for _ in range(3):
        kind.add(strict, SCHOOL)
    with raises_error(kind.code) as refused:
        kind.add(strict, SCHOOL)
    assert {"limit": 3} == refused.value.extra
    kind.add(strict, HOME)


@each_kind
def test_a_newcomer_gets_into_a_full_list_instead_of_the_oldest_entry_of_the_fullest_caller(
    strict: Context, kind: Kind, monkeypatch: pytest.MonkeyPatch, time: Time
) -> None:
    monkeypatch.setattr(f"service.storage.matchmaking.{kind.maximum}", 4)
    entries = []
    for address in (HOME, SCHOOL, SCHOOL, SCHOOL):
        entries.append(kind.add(strict, address))
        time.pass_(1)
    newcomer = kind.add(strict, "203.0.113.9")
    assert {entries[0], *entries[2:], newcomer} == kind.live(strict)


@each_kind
def test_a_caller_with_many_entries_gives_up_its_own_oldest_one(
    strict: Context, kind: Kind, monkeypatch: pytest.MonkeyPatch, time: Time
) -> None:
    monkeypatch.setattr(f"service.storage.matchmaking.{kind.maximum}", 3)
    entries = []
    for address in (HOME, SCHOOL, SCHOOL):
        entries.append(kind.add(strict, address))
        time.pass_(1)
    newest = kind.add(strict, SCHOOL)
    assert {entries[0], entries[2], newest} == kind.live(strict)


@each_kind
def test_without_limits_a_caller_has_no_share(context: Context, kind: Kind) -> None:
    context.settings = replace(context.settings, rate_limits="off", limit_share=1)
    assert {kind.add(context, SCHOOL) for _ in range(3)} == kind.live(context)


@each_kind
def test_simultaneous_requests_of_a_caller_do_not_exceed_its_share(strict: Context, kind: Kind) -> None:
    kind.add(strict, SCHOOL)

    def add(_: int) -> bool:
        try:
            kind.add(strict, SCHOOL)
        except Exception as error:  # noqa: BLE001 - the code is compared
            return kind.code not in str(error)
        return True

    assert 2 == sum(run_at_once(add, range(6)))
    assert 3 == len(kind.live(strict))


def test_the_first_to_give_way_are_the_fullest_callers_and_never_one_with_less() -> None:
    entries = [
        Entry(f"{caller}{number}", caller, "p", number)
        for caller, count in (("a", 3), ("b", 2), ("c", 1))
        for number in range(count)
    ]
    assert ["a0", "a1", "a2", "b0", "b1", "c0"] == entries_to_give_up(entries, "new")
    assert ["a0", "a1", "a2", "b0", "b1", "c0"] == entries_to_give_up(entries, "c")
    assert ["a0", "a1", "a2", "b0", "b1"] == entries_to_give_up(entries, "b")
    assert ["a0", "a1", "a2"] == entries_to_give_up(entries, "a")
    older = [Entry(f"old{number}", "", "", 0) for number in range(3)]
    assert ["a0", "a1", "a2", "b0", "b1", "c0", "old0", "old1", "old2"] == entries_to_give_up([*older, *entries], "new")


def test_many_players_of_one_address_cannot_keep_another_host_out(
    strict: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.matchmaking.competitions.MAX_OPEN", 2)
    strict.settings = replace(strict.settings, limit_share=200)
    for _ in range(5):
        announce(strict, SCHOOL)
    own = announce(strict, HOME)
    for _ in range(3):
        announce(strict, SCHOOL)
    assert own in strict.competitions.list_public("coming")


def test_a_competition_that_somebody_entered_is_never_given_up(
    strict: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.matchmaking.competitions.MAX_OPEN", 2)
    entered, free = announce(strict, SCHOOL), announce(strict, SCHOOL)
    competitions.join(strict, new_caller(strict, HOME), entered)
    newcomer = announce(strict, HOME)
    assert ["coming", "cancelled", "coming"] == [
        competition_view(strict, one)["status"] for one in (entered, free, newcomer)
    ]
    competitions.join(strict, new_caller(strict, SCHOOL), newcomer)
    with raises_error("limit/competitions"):
        announce(strict, "203.0.113.9")


def test_a_bot_that_plays_is_never_given_up(strict: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.storage.matchmaking.bots.MAX_BOTS", 2)
    busy, idle = publish(strict, SCHOOL), publish(strict, SCHOOL)
    strict.bots.add_game([busy], "a-game", strict.now_ms(), 60)
    newcomer = publish(strict, HOME)
    assert {busy, newcomer} == {bot.id for bot in strict.bots.get_all()}
    assert idle not in {busy, newcomer}
    strict.bots.add_game([newcomer], "another", strict.now_ms(), 60)
    with raises_error("limit/bots"):
        publish(strict, "203.0.113.9")


def test_a_challenge_that_makes_room_expires_for_its_sender(strict: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.storage.matchmaking.challenges.MAX_RECEIVED", 1)
    first = challenge(strict, SCHOOL)
    challenge(strict, HOME)
    stored = strict.challenges.get(first)
    assert stored is not None
    assert "expired" == stored.status


def test_ended_and_expired_seeks_leave_every_count_at_once(strict: Context, time: Time) -> None:
    callers = [new_caller(strict, SCHOOL) for _ in range(3)]
    seeks = [seeking.seek(strict, caller, rare())["id"] for caller in callers]
    seeking.withdraw(strict, callers[0], seeks[0])
    seek(strict, SCHOOL)
    with raises_error("limit/seeks"):
        seek(strict, SCHOOL)
    time.pass_(LONG_S)
    assert 3 == len([seek(strict, SCHOOL) for _ in range(3)])


def test_a_competition_that_expired_leaves_the_count_with_its_list(strict: Context) -> None:
    entries = [announce(strict, SCHOOL) for _ in range(3)]
    strict.competitions.forget(entries[0])
    announce(strict, SCHOOL)
    assert 3 == len(strict.competitions.shared_list.read())


def test_no_holder_of_an_ended_entry_remains(strict: Context, redis_client: Redis) -> None:
    people = {name: new_caller(strict, SCHOOL) for name in ("host", "seeker", "rival")}
    competition = competitions.announce(strict, people["host"], SWISS)["id"]
    seeking.seek(strict, people["seeker"], rare())
    sent = challenging.create(strict, people["rival"], people["seeker"].player_id or "", AZUL)["id"]
    bot, as_bot = create_bot(strict)
    bots.publish(strict, as_bot, POLLING)
    assert 8 == len([*redis_client.scan_iter("*:holders:*")])
    competitions.cancel(strict, people["host"], competition)
    pairing.forget_player(strict, people["seeker"].player_id or "")
    pairing.forget_player(strict, bot)
    assert strict.challenges.get(sent) is None
    left = [*redis_client.scan_iter("*:holders:*")]
    assert 2 == len(left)  # ids of a competition and a bot by caller, which expire
    assert {b"zset"} == {redis_client.type(name) for name in left}
    assert all(redis_client.pttl(name) > 0 for name in left)


@pytest.mark.parametrize("new", [SWISS, ARENA], ids=["swiss", "arena"])
def test_a_caller_takes_its_share_of_the_places_unless_the_host_invited_it(
    strict: Context, new: competitions.NewCompetition
) -> None:
    competition = competitions.announce(strict, new_caller(strict, HOME), new)["id"]
    people = [new_caller(strict, SCHOOL) for _ in range(4)]
    for caller in people[:3]:
        competitions.join(strict, caller, competition)
    competitions.join(strict, people[0], competition)
    with raises_error("limit/competitions") as refused:
        competitions.join(strict, people[3], competition)
    assert {"limit": 3} == refused.value.extra
    competitions.join(strict, new_caller(strict, HOME), competition)
    host = new_caller(strict, HOME)
    invited = competitions.announce(strict, host, replace(new, by_invitation=True))
    for caller in people:
        competitions.join(strict, caller, invited["id"], invited["invitation"])


def test_the_lobby_shows_seeks_of_every_caller(context: Context, monkeypatch: pytest.MonkeyPatch, time: Time) -> None:
    monkeypatch.setattr(seeking, "MAX_SHOWN", 3)
    seeks = []
    for address in (SCHOOL, SCHOOL, SCHOOL, HOME):
        seeks.append(seek(context, address))
        time.pass_(1)
    assert [*seeks[:2], seeks[3]] == [one["id"] for one in seeking.lobby(context, None, None, None)]
