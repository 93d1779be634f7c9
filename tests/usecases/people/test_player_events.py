"""The stream of a player: the state of their games and challenges, every change, and how it resumes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, cast
from unittest import mock

import pytest
from redis import Redis

from service.games.state.offers import TAKEBACK
from service.usecases.base.context import Caller, Context
from service.usecases.games import offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.keeping import sanctions
from service.usecases.matchmaking import challenging
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import player_events, players
from service.usecases.people.player_events import OVERLAP_MS
from tests.patience import HANG_S, wait_until
from tests.storage.commits import pass_a_millisecond
from tests.usecases.games.test_usecases import OPEN, PLAYER
from tests.usecases.players import Time, decide, elapse, new_game_of, offer_id, player, view
from tests.usecases.waiting import last_number_read, wait_result

STAFF = Caller("the-token-of-the-operator-in-this-module")
AZUL = NewSeek("azul", "coloured", 2)
Event = tuple[str, Any]


@pytest.fixture
def ana(context: Context) -> Caller:
    return player(context, "Ana")[1]


@pytest.fixture
def ben(context: Context) -> Caller:
    return player(context, "Ben")[1]


def stream(context: Context, caller: Caller, after: int | None = None) -> Any:
    return player_events.follow(context, caller, after, HANG_S)


def key_of(event: dict[str, Any]) -> Event:
    """Return the id of the game or challenge of an event, and the part of its state that the tests compare."""
    if event["kind"] == "challenge":
        return event["challenge"]["id"], event["challenge"]["status"]
    return event["game_id"], (event["status"], event["your_turn"]) if event["kind"] == "game" else event["kind"]


def read(events: Iterator[Any], count: int = 1) -> list[Event]:
    """Return the next events of a stream without its keep-alives."""
    found: list[Event] = []
    while len(found) < count:
        if (item := next(events)) is not None:
            found.append(key_of(item[1]))
    return found


def present(context: Context, caller: Caller, after: int | None = None) -> list[Event]:
    """Return the events that a new or resumed stream sends at once."""
    events: Any = player_events.follow(context, caller, after, 0.0)
    found = []
    while (item := next(events)) is not None:
        found.append(key_of(item[1]))
    events.close()
    return found


def last_id(context: Context, caller: Caller) -> int:
    """Return the id of the last event that a new stream sends at once."""
    events = player_events.follow(context, caller, None, 0.0)
    ids = []
    while (item := next(events)) is not None:
        ids.append(item[0])
    assert ids == sorted(ids)
    return int(ids[-1])


def game_of(context: Context, ana: Caller, ben: Caller, **changes: Any) -> str:
    """Start a game of two players."""
    game, tokens = new_game_of(context, ana, PLAYER, OPEN, **changes)
    seating.claim(context, ben, game, None, None, tokens["invite"])
    return game


def test_a_stream_starts_with_the_unfinished_games_and_open_challenges(
    context: Context, ana: Caller, ben: Caller, redis_client: Redis
) -> None:
    assert [] == present(context, ana)
    over, running = game_of(context, ana, ben), game_of(context, ana, ben)
    playing.abort(context, Request(ana, over))
    declined, waiting = (challenging.create(context, ana, ben.player_id or "", AZUL)["id"] for _ in range(2))
    challenging.decline(context, ben, declined, "later")
    pass_a_millisecond(redis_client)
    open_game = new_game_of(context, ana, PLAYER, OPEN)[0]
    expected = [(running, ("playing", True)), (waiting, "open"), (open_game, ("open", False))]
    assert expected == present(context, ana)
    assert [(running, ("playing", False)), (waiting, "open")] == present(context, ben)


def test_each_kind_of_change_wakes_the_streams_of_both_players(context: Context, ana: Caller, ben: Caller) -> None:
    of_ana, of_ben = stream(context, ana), stream(context, ben)

    def observe(act: Callable[[], object], for_ana: Any, for_ben: Any) -> Any:
        """Act while Ana's stream waits. Both streams then have an event of the same game or challenge."""
        (got_ana,) = wait_result(context, lambda: read(of_ana), act)
        (got_ben,) = read(of_ben)
        assert (got_ana[0], for_ana, for_ben) == (got_ben[0], got_ana[1], got_ben[1])
        return got_ana[0]

    made: list[str] = []
    challenged = observe(
        lambda: made.append(challenging.create(context, ana, ben.player_id or "", AZUL)["id"]), "open", "open"
    )
    assert made == [challenged]
    observe(lambda: challenging.decline(context, ben, challenged, "later"), "declined", "declined")
    withdrawn = observe(lambda: challenging.create(context, ben, ana.player_id or "", AZUL), "open", "open")
    observe(lambda: challenging.withdraw(context, ben, withdrawn), "withdrawn", "withdrawn")
    game, tokens = new_game_of(context, ana, PLAYER, OPEN)
    assert [(game, ("open", False))] == read(of_ana)
    observe(
        lambda: seating.claim(context, ben, game, None, None, tokens["invite"]), ("playing", True), ("playing", False)
    )
    observe(lambda: decide(context, game, ana), ("playing", False), ("playing", True))
    observe(lambda: playing.resign(context, Request(ana, game), None), ("finished", False), ("finished", False))
    accepted = observe(lambda: challenging.create(context, ana, ben.player_id or "", AZUL), "open", "open")
    challenging.accept(context, ben, accepted)
    for events in (of_ana, of_ben):
        (_, status), (_, (playing_status, _)) = sorted(read(events, 2), key=lambda event: event[0] != accepted)
        assert ("accepted", "playing") == (status, playing_status)


def offers(context: Context, caller: Caller, game: str) -> list[tuple[str, list[int]]]:
    """Return the kinds of the game's offers and the seats that must answer, as a new stream shows them."""
    events = player_events.follow(context, caller, None, 0.0)
    shown = next(item[1] for item in events if item is not None and item[1].get("game_id") == game)
    return [(offer["kind"], offer["awaiting"]) for offer in shown["offers"]]


@pytest.mark.parametrize("accept", [True, False])
def test_offers_and_their_answers_are_events(context: Context, ana: Caller, ben: Caller, *, accept: bool) -> None:
    game = game_of(context, ana, ben)
    decide(context, game, ana)
    of_ana, of_ben = stream(context, ana), stream(context, ben)
    assert [(game, ("playing", False))] == read(of_ana)
    assert [(game, ("playing", True))] == read(of_ben)
    wait_result(context, lambda: read(of_ben), lambda: offering.take_back(context, Request(ana, game), None))
    assert [(TAKEBACK, [1])] == offers(context, ben, game)
    assert [(game, ("playing", False))] == read(of_ana)

    def answer() -> object:
        return offering.answer(context, Request(ben, game), offer_id(context, game), None, accept=accept)

    assert [(game, ("playing", accept))] == wait_result(context, lambda: read(of_ana), answer)
    assert [] == offers(context, ana, game)


def test_an_accepted_rematch_is_a_new_game(context: Context, ana: Caller, ben: Caller) -> None:
    game = game_of(context, ana, ben)
    playing.abort(context, Request(ana, game))
    after = context.now_ms()
    of_ana = stream(context, ana, after)
    assert [(game, ("aborted", False))] == read(of_ana)
    offering.rematch(context, Request(ana, game), None)
    assert [(game, ("aborted", False))] == read(of_ana)
    answered = offering.answer(context, Request(ben, game), offer_id(context, game), None, accept=True)
    assert {game, answered.rematch} == {each for each, _ in read(of_ana, 2)}


def test_a_player_who_hands_over_their_seat_has_left_the_game(context: Context, ana: Caller, ben: Caller) -> None:
    game = game_of(context, ana, ben)
    of_ben, after = stream(context, ben), context.now_ms()
    read(of_ben)
    hand_over = partial(seating.hand_over, context, ben, game, 1, "Eve")
    assert [(game, "game_left")] == wait_result(context, lambda: read(of_ben), hand_over)
    assert ([(game, "game_left")], []) == (present(context, ben, after), present(context, ben))


def test_acts_of_moderators_wake_the_stream_with_the_standing(context: Context, ana: Caller) -> None:
    context.settings = replace(context.settings, admin_token=STAFF.token or "")
    of_ana, until_ms = stream(context, ana), context.now_ms() + 3_600_000

    def act(kind: str, **details: Any) -> object:
        return sanctions.act(context, STAFF, ana.player_id or "", kind, **details)

    def standing(events: Iterator[Any]) -> tuple[str, Any]:
        event = next(item[1] for item in events if item is not None)
        return event["kind"], event["standing"]["muted_reason"]

    mute = partial(act, "mute", until_ms=until_ms, reason="Insults.")
    assert ("standing", "Insults.") == wait_result(context, lambda: standing(of_ana), mute)
    assert ("standing", "Insults.") == standing(stream(context, ana, context.now_ms()))
    assert ("standing", None) == wait_result(context, lambda: standing(of_ana), partial(act, "unmute"))
    assert [] == present(context, ana)


def let_pass(redis_client: Redis, caller: Caller, ms: int) -> None:
    """Make all changes of the player's games and challenges older by `ms`."""
    for name in ("games", "games_left", "challenges_told"):
        key = f"{{b00}}:{name}:{caller.player_id}"
        for member in cast("list[bytes]", redis_client.zrange(key, 0, -1)):
            redis_client.zincrby(key, -ms, member)


def test_a_resumed_stream_has_the_state_of_everything_that_changed_meanwhile(
    context: Context, ana: Caller, ben: Caller, redis_client: Redis
) -> None:
    running, ended, unchanged = (game_of(context, ana, ben) for _ in range(3))
    answered, waiting = (challenging.create(context, ana, ben.player_id or "", AZUL)["id"] for _ in range(2))
    let_pass(redis_client, ana, 2 * OVERLAP_MS)
    after = last_id(context, ana)
    let_pass(redis_client, ana, 2 * OVERLAP_MS)
    for each in (running, ended):
        decide(context, each, ana)
    decide(context, running, ben)
    playing.resign(context, Request(ben, ended), None)
    challenging.decline(context, ben, answered, "later")
    resumed = present(context, ana, after)
    expected = {running: ("playing", True), ended: ("finished", False), answered: "declined"}
    assert (expected, len(expected)) == (dict(resumed), len(resumed))
    assert {running, unchanged, waiting} == dict(present(context, ana)).keys()
    assert {*expected, unchanged, waiting} == dict(present(context, ana, 0)).keys()


def test_a_stream_can_be_resumed_at_each_of_its_events(
    context: Context, ana: Caller, ben: Caller, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_events, "OVERLAP_MS", 0)
    for _ in range(3):
        game_of(context, ana, ben)
        pass_a_millisecond(redis_client)
        challenging.create(context, ana, ben.player_id or "", AZUL)
        pass_a_millisecond(redis_client)
    events = stream(context, ana)
    items = [next(events) for _ in range(6)]
    for number, (event_id, _) in enumerate(items):
        left = [key_of(event) for _, event in items[number:]]
        assert present(context, ana, event_id) in (left, left[1:])  # the event itself may be repeated


def test_changes_by_servers_with_slower_clocks_are_not_missed(
    context: Context, ana: Caller, ben: Caller, redis_client: Redis
) -> None:
    first, second, third = (game_of(context, ana, ben) for _ in range(3))
    of_ana = stream(context, ana)
    ids = [next(of_ana)[0] for _ in range(3)]
    for game, behind_ms in ((first, 2_500), (second, 0), (third, 2_000)):
        decide(context, game, ana)
        redis_client.zincrby(f"{{b00}}:games:{ana.player_id}", -behind_ms, game)
    items = [item for item in (next(of_ana) for _ in range(3)) if item is not None]
    assert dict.fromkeys((first, second, third), ("playing", False)) == dict(key_of(item) for _, item in items)
    ids += [event_id for event_id, _ in items]
    decide(context, first, ben)
    redis_client.zincrby(f"{{b00}}:games:{ana.player_id}", -2_000, first)
    later_id, item = next(of_ana)
    assert ((first, ("playing", True)), sorted(ids)) == (key_of(item), ids)
    assert later_id >= ids[-1]


def test_a_stream_starts_with_the_games_that_changed_last(
    context: Context, ana: Caller, ben: Caller, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_events, "GAMES_AT_ONCE", 2)
    games = []
    for _ in range(3):
        games.append(game_of(context, ana, ben))
        pass_a_millisecond(redis_client)
    assert games[1:] == [game for game, _ in present(context, ana)]


def test_a_paused_game_does_not_wait_for_its_player(context: Context, ana: Caller, ben: Caller) -> None:
    game = game_of(context, ana, ben)
    offering.pause(context, Request(ana, game), None, 60)
    offering.answer(context, Request(ben, game), offer_id(context, game), None, accept=True)
    assert [(game, ("playing", False))] == present(context, ana)


def test_an_id_of_the_future_is_treated_like_the_present(context: Context, ana: Caller, ben: Caller) -> None:
    game = game_of(context, ana, ben)
    assert [(game, ("playing", True))] == present(context, ana, 10**15 - 1)


def test_a_challenge_that_expires_is_an_event(
    context: Context, ana: Caller, ben: Caller, time: Time, redis_client: Redis
) -> None:
    challenge = challenging.create(context, ana, ben.player_id or "", replace(AZUL, keep_s=30))["id"]
    of_ben = player_events.follow(context, ben, None, 0.0)
    assert [(challenge, "open")] == read(of_ben)
    assert next(of_ben) is None
    elapse(time, redis_client, 31)
    assert [(challenge, "expired")] == read(of_ben)
    assert next(of_ben) is None


def test_the_stream_ends_when_the_player_is_deleted_and_that_of_others_goes_on(
    context: Context, ana: Caller, ben: Caller
) -> None:
    game = game_of(context, ana, ben)
    challenge = challenging.create(context, ana, ben.player_id or "", AZUL)["id"]
    of_ana, of_ben = (player_events.follow(context, each, None, 0.01) for each in (ana, ben))
    read(of_ana, 2)
    read(of_ben, 2)
    players.delete(context, ana)
    assert [] == list(of_ana)
    assert [(game, ("finished", False))] == read(of_ben)
    next_game = game_of(context, ben, player(context, "Cleo")[1])
    assert [(next_game, ("playing", True))] == read(of_ben)
    assert challenge not in dict(present(context, ben, 0))


def test_a_game_that_has_expired_is_skipped(context: Context, ana: Caller, ben: Caller, redis_client: Redis) -> None:
    expired, kept = game_of(context, ana, ben), game_of(context, ana, ben)
    redis_client.delete(context.store.keys.game(expired).game)
    assert [[kept]] * 2 == [[game for game, _ in present(context, ana, after)] for after in (None, 0)]


def test_a_stream_reads_no_games_without_news(context: Context, ana: Caller, ben: Caller) -> None:
    """It has one waiter, which games of others do not wake. Only the token is checked with each keep-alive."""
    game = game_of(context, ana, ben)
    of_ana = stream(context, ana)
    read(of_ana)
    wait_result(context, lambda: read(of_ana), lambda: decide(context, game, ana))
    wait_until(
        lambda: last_number_read(context, game, game) == view(context, game)["revision"], "the hub has its place"
    )
    wait_result(context, lambda: read(of_ana), lambda: decide(context, game, ben))
    others = [player(context)[1] for _ in range(2)]
    waiter_counts, read_counts = list[int](), list[int]()

    def play_games() -> None:
        for _ in range(3):
            decide(context, game_of(context, *others), others[0])
        waiter_counts.append(len({each for waiters in context.hub._buckets[0]._waiters.values() for each in waiters}))
        read_counts.append(reads.call_count)
        decide(context, game, ana)

    with mock.patch.object(context.players, "changed_games", wraps=context.players.changed_games) as reads:
        assert [(game, ("playing", False))] == wait_result(context, lambda: read(of_ana), play_games)
        assert ([1], [0], 1) == (waiter_counts, read_counts, reads.call_count)
    of_ana.close()
    assert {} == context.hub._buckets[0]._waiters


def test_a_stream_continues_after_its_connections_were_killed(
    context: Context, ana: Caller, ben: Caller, redis_client: Redis
) -> None:
    game = game_of(context, ana, ben)
    of_ana = stream(context, ana)
    assert [(game, ("playing", True))] == read(of_ana)

    def decide_unseen() -> None:
        redis_client.client_kill_filter(_type="normal", skipme=True)
        decide(context, game, ana)

    assert [(game, ("playing", False))] == wait_result(context, lambda: read(of_ana), decide_unseen)


def test_the_stream_of_challenges_ignores_games(context: Context, ana: Caller, ben: Caller) -> None:
    challenge = challenging.create(context, ana, ben.player_id or "", AZUL)["id"]
    events = player_events.follow_challenges(context, ana, None, HANG_S)
    items = (item[1] for item in events if item is not None)
    assert (challenge, "open") == itemgetter("id", "status")(next(items))
    game_of(context, ana, ben)
    challenging.decline(context, ben, challenge, "later")
    assert (challenge, "declined") == itemgetter("id", "status")(next(items))
