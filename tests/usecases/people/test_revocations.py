"""Tokens that are revoked, or whose player is banned or deleted, end with the streams and tokens that need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from service.games.errors import GameError
from service.storage.base import pipelining
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, Context, Credential
from service.usecases.games import chat, creating, playing, seating, tickets
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame
from service.usecases.keeping import sanctions
from service.usecases.matchmaking import challenging, competitions, seeking
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import player_events, players
from service.usecases.views import reading
from service.usecases.work import lifecycle
from service.usecases.work.lifecycle import Workload
from tests.usecases.competing import ARENA, announce, competition_view, enter_players
from tests.usecases.games.test_usecases import KEY, OPEN, PLAYER, new_game, raises_error
from tests.usecases.players import decide, new_game_of, player, roles, view
from tests.usecases.waiting import waits_without_news

ADMIN = Caller("an operator's token of many characters")
AZUL = NewSeek("azul", "coloured", 2)
Ending = Callable[[Context, Caller], object]
GOOD_FOR_NOTHING = ("auth/token_unknown", "game/not_found")


@pytest.fixture(autouse=True)
def _operator(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    context.settings = replace(context.settings, admin_token=ADMIN.token or "")
    monkeypatch.setattr(competitions, "STREAM_INTERVAL_S", 0.001)


def ban(context: Context, caller: Caller) -> None:
    sanctions.act(context, ADMIN, caller.player_id or "", "ban")


def revoke(context: Context, caller: Caller) -> None:
    """Revoke the token from another device of the player."""
    other = Caller(players.add_token(context, caller, "other", ["play"])["token"])
    (token,) = (one for one in players.tokens(context, other) if not one["current"])
    players.drop_token(context, other, token["id"])


ENDINGS: list[Ending] = [revoke, players.rotate, ban, players.delete]


def seated_people(context: Context, visibility: str = "private") -> tuple[str, dict[str, Any], Caller, Caller]:
    """Start a game of two players: (id, tokens of the host, host, other player)."""
    (_, ana), (_, ben) = player(context, "Ana"), player(context, "Ben")
    game, tokens = new_game_of(context, ana, PLAYER, OPEN, visibility=visibility)
    seating.claim(context, ben, game, None, None, tokens["invite"])
    return game, tokens, ana, ben


# ------------------------------------------------------------------------------------------------- streams of games


def by_token(_context: Context, _game: str, ana: Caller, _tokens: dict[str, Any]) -> Caller:
    return ana


def by_ticket(context: Context, game: str, ana: Caller, _tokens: dict[str, Any]) -> Caller:
    return Caller(ticket=tickets.issue(context, ana, game)["ticket"])


def by_host_token(_context: Context, _game: str, _ana: Caller, tokens: dict[str, Any]) -> Caller:
    return Caller(tokens["host"])


def by_ticket_of_watch_token(context: Context, game: str, ana: Caller, tokens: dict[str, Any]) -> Caller:
    return replace(ana, ticket=tickets.issue(context, Caller(tokens["watch"]), game)["ticket"])


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("opened", [by_token, by_ticket, by_host_token, by_ticket_of_watch_token])
def test_a_stream_of_a_private_game_delivers_nothing_after_the_token_has_ended(
    context: Context, ending: Ending, opened: Callable[..., Caller]
) -> None:
    game, tokens, ana, ben = seated_people(context)
    stream = reading.follow(context, opened(context, game, ana, tokens), game, None)
    assert "snapshot" == (next(stream) or {})["type"]
    decide(context, game, ana)
    assert "event" == (next(stream) or {})["type"]
    ending(context, ana)
    if ending is not players.delete:  # which resigns
        decide(context, game, ben)
    assert [] == list(stream)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_stream_of_an_unlisted_game_ends_at_the_next_keep_alive(context: Context, ending: Ending) -> None:
    game, _, ana, _ = seated_people(context, "unlisted")
    stream = reading.follow(context, ana, game, None, 0.01)
    assert next(stream)
    with waits_without_news(context):
        assert next(stream) is None
        ending(context, ana)
        assert not [item for item in stream if item is None or item["type"] == "snapshot"]


def test_a_busy_stream_of_a_public_game_is_checked_once_per_keep_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    now, checks = [0.0], list[float]()
    monkeypatch.setattr(access, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def is_allowed() -> bool:
        checks.append(now[0])
        return now[0] < 30

    stream = access.until_refused(range(9), is_allowed, 15.0)
    received = [next(stream, None) for now[0] in (0, 14, 15, 29, 30)]
    assert ([0, 1, 2, 3, None], [15, 30]) == (received, checks)


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_streams_without_a_token_and_those_of_others_go_on(context: Context, visibility: str) -> None:
    game, tokens, ana, ben = seated_people(context, visibility)
    (_, cleo) = player(context, "Cleo")
    readers = [ben, *([Caller(), cleo] if visibility == "unlisted" else [])]
    streams = [reading.follow(context, reader, game, None, 0.01) for reader in readers]
    for stream in streams:
        next(stream)
    decide(context, game, ana)
    ban(context, ana)
    for stream in streams:
        assert "event" == (next(stream) or {})["type"]
    assert roles(context, game, Caller(tokens["host"])) == set()


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_the_streams_of_a_replaced_game_token_end(context: Context, visibility: str) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, visibility=visibility)
    watch, seat = Caller(tokens["watch"]), Caller(tokens["seats"]["1"])
    streams = [reading.follow(context, reader, game, None, 0.01) for reader in (watch, seat)]
    for stream in streams:
        next(stream)
    seating.rotate(context, Caller(tokens["host"]), game, "watch")
    seating.hand_over(context, seat, game, 1, "Eve")
    with waits_without_news(context):
        for stream in streams:
            assert not [item for item in stream if item is None]


# ---------------------------------------------------------------------------------------------------- other streams


def seek_stream(context: Context, ana: Caller) -> tuple[Iterator[Any], Callable[[], object]]:
    own_seek = seeking.seek(context, ana, AZUL)

    def stream() -> Iterator[Any]:
        yield from seeking.follow(context, ana, own_seek["id"], 0.01)
        seeking.leave(context, ana, own_seek["id"])

    return stream(), lambda: None


def challenge_stream(context: Context, ana: Caller) -> tuple[Iterator[Any], Callable[[], object]]:
    _, ben = player(context, "Ben")
    challenging.create(context, ana, ben.player_id or "", AZUL)

    def challenge_again() -> None:
        _, cleo = player(context)
        if context.players.get(ana.player_id or ""):
            challenging.create(context, cleo, ana.player_id or "", AZUL)

    return player_events.follow_challenges(context, ana, None, 0.01), challenge_again


def player_stream(context: Context, ana: Caller) -> tuple[Iterator[Any], Callable[[], object]]:
    _, challenge_again = challenge_stream(context, ana)
    return player_events.follow(context, ana, None, 0.01), challenge_again


def competition_stream(context: Context, ana: Caller) -> tuple[Iterator[Any], Callable[[], object]]:
    competition, _ = announce(context)
    followed = competitions.follow(context, competition, None, 0.01)
    return access.until_revoked(context, ana, followed), lambda: enter_players(context, competition, 1)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("opened", [seek_stream, challenge_stream, player_stream, competition_stream])
def test_other_streams_deliver_nothing_after_the_token_has_ended(
    context: Context, ending: Ending, opened: Callable[..., Any]
) -> None:
    _, ana = player(context, "Ana")
    stream, then = opened(context, ana)
    assert next(stream)
    ending(context, ana)
    then()
    assert [] == list(stream)
    assert [] == seeking.lobby(context, None, None, None)


def test_a_public_stream_ignores_a_token_that_was_never_valid(context: Context) -> None:
    competition, _ = announce(context)
    ana, _ = player(context, "Ana")
    for reader in (Caller(), Caller("nonsense"), Caller(f"{ana}.{'x' * 43}")):
        stream = access.until_revoked(context, reader, competitions.follow(context, competition, None, 0.01))
        assert [True, False] == [next(stream) is not None for _ in range(2)]


# ------------------------------------------------------------------------------------------------------- long polls


def poll_turns(context: Context, ana: Caller) -> object:
    return players.turns(context, ana, 1)


def poll_seek(context: Context, ana: Caller) -> object:
    return seeking.get(context, ana, seeking.seek(context, ana, AZUL)["id"], 1)


def poll_challenges(context: Context, ana: Caller) -> object:
    return challenging.list_challenges(context, ana, 1)


def poll_challenge(context: Context, ana: Caller) -> object:
    _, ben = player(context, "Ben")
    return challenging.get(context, ana, challenging.create(context, ana, ben.player_id or "", AZUL)["id"], 1)


def poll_competition(context: Context, ana: Caller) -> object:
    competition = competitions.announce(context, ana, replace(ARENA, public=False))["id"]
    return competitions.get(context, ana, competition, competition_view(context, competition)["version"], 1)


def poll_game(context: Context, ana: Caller) -> object:
    game, _ = new_game_of(context, ana, PLAYER, OPEN, visibility="private")
    return reading.wait(context, ana, game, view(context, game)["revision"], 1)


def poll_messages(context: Context, ana: Caller) -> object:
    game, _ = new_game_of(context, ana, PLAYER, OPEN, visibility="private")
    return chat.messages(context, ana, game, 0, 10, 1)


POLLS = [poll_turns, poll_seek, poll_challenges, poll_challenge, poll_competition, poll_game, poll_messages]


@pytest.mark.parametrize("poll", POLLS)
def test_a_long_poll_is_refused_when_its_token_has_ended_meanwhile(context: Context, poll: Any) -> None:
    _, ana = player(context, "Ana")

    def wait(*_: Any, **__: Any) -> bool:
        ban(context, ana)
        return True

    with mock.patch.object(context.hub, "_wait", wait), pytest.raises(GameError) as error:
        poll(context, ana)
    assert error.value.code in GOOD_FOR_NOTHING


# ----------------------------------------------------------------------------------------------------------- tokens


def tokens_of_a_player(context: Context, ana: Caller) -> tuple[str, dict[str, str]]:
    """Create a private game of the player: (its id, every kind of token that the player can get)."""
    game, made = new_game_of(context, ana, PLAYER, PLAYER, PLAYER, PLAYER, visibility="private")
    tokens = {name: made[name] for name in ("host", "invite", "watch")} | {"seat": made["seats"]["3"]}
    tokens["seat handed over"] = seating.hand_over(context, ana, game, 0, "Eve")["token"]
    seats = [Caller(made["seats"][number]) for number in ("1", "2")]
    tokens["seat handed over by its token"] = seating.hand_over(context, seats[0], game, 1, "Eve")["token"]
    tokens["seat claimed again"] = seating.claim(context, seats[1], game, 2, "Ana")["token"]
    tokens["invite"] = seating.rotate(context, Caller(tokens["host"]), game, "invite")["token"]
    tokens["watch"] = seating.rotate(context, ana, game, "watch")["token"]
    return game, tokens


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_token_that_a_player_got_ends_with_the_players_token(context: Context, ending: Ending) -> None:
    _, ana = player(context, "Ana")
    game, tokens = tokens_of_a_player(context, ana)
    assert dict.fromkeys(tokens, True) == {
        name: bool(roles(context, game, Caller(token))) for name, token in tokens.items()
    }
    ticket = tickets.issue(context, Caller(tokens["seat"]), game)["ticket"]
    ending(context, ana)
    for name, token in tokens.items():
        assert set() == roles(context, game, Caller(token)), name
        for command in (
            lambda bearer: playing.abort(context, Request(bearer, game)),
            lambda bearer: playing.resign(context, Request(bearer, game), None),
            lambda bearer: chat.post_message(context, bearer, game, "hello", None),
            lambda bearer: tickets.issue(context, bearer, game),
            lambda bearer: seating.claim(context, Caller(), game, 0, "Eve", bearer.token),
            lambda bearer: reading.glance(context, bearer, game),
        ):
            with pytest.raises(GameError) as error:
                command(Caller(token))
            assert error.value.code in GOOD_FOR_NOTHING, name
    with raises_error("game/not_found"):
        reading.follow(context, Caller(ticket=ticket), game, None)


def test_tokens_work_again_after_the_ban(context: Context) -> None:
    _, ana = player(context, "Ana")
    game, tokens = tokens_of_a_player(context, ana)
    before = {name: roles(context, game, Caller(token)) for name, token in tokens.items()}
    ban(context, ana)
    sanctions.act(context, ADMIN, ana.player_id or "", "unban")
    assert before == {name: roles(context, game, Caller(token)) for name, token in tokens.items()}


def test_the_tokens_of_a_revoked_device_end_and_those_of_other_devices_do_not(context: Context) -> None:
    _, ana = player(context, "Ana")
    phone = Caller(players.add_token(context, ana, "phone", ["play"])["token"])
    of_desk, of_phone = (new_game_of(context, device, OPEN, OPEN) for device in (ana, phone))
    revoke_id = next(one["id"] for one in players.tokens(context, phone) if one["current"])
    players.drop_token(context, ana, revoke_id)
    assert {"host"} == roles(context, of_desk[0], Caller(of_desk[1]["host"]))
    assert set() == roles(context, of_phone[0], Caller(of_phone[1]["host"]))
    assert {"host"} == roles(context, of_phone[0], ana)


def test_a_seat_that_somebody_else_claimed_by_invitation_is_theirs(context: Context) -> None:
    _, ana = player(context, "Ana")
    game, tokens = new_game_of(context, ana, PLAYER, OPEN, visibility="private")
    bens = seating.claim(context, Caller(tokens["invite"]), game, None, "Ben")["token"]
    ban(context, ana)
    assert {"seat:1"} == roles(context, game, Caller(bens))


def test_tokens_of_a_game_without_a_player_depend_on_nobody(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, OPEN)
    assert all("." not in tokens[name] for name in ("host", "invite", "watch"))
    rotated = seating.rotate(context, Caller(tokens["host"]), game, "watch")["token"]
    assert ("." in rotated, {"watch"}) == (False, roles(context, game, Caller(rotated)))


def test_a_repeated_create_of_an_older_version_returns_its_tokens(context: Context) -> None:
    _, ana = player(context, "Ana")
    game = NewGame("azul", "coloured", (PLAYER, OPEN), first_seat=0)
    with mock.patch.object(Credential, "issuer", ""):  # older versions
        made = creating.create(context, ana, game, KEY)
    assert "." not in made["tokens"]["host"]
    assert made == creating.create(context, ana, game, KEY)


def test_a_token_is_checked_in_the_round_trip_that_loads_the_game(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ana = player(context, "Ana")
    game, tokens = tokens_of_a_player(context, ana)
    trips, send = list[Any](), pipelining._send

    def count_and_send(*sent: Any) -> list[Any]:
        trips.append(sent)
        return send(*sent)

    monkeypatch.setattr(pipelining, "_send", count_and_send)
    for token in (ana.token, *tokens.values()):
        trips.clear()
        assert repository.load(context, game, Caller(token)).roles or token == ana.token
        assert 1 == len(trips)


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ended_token_cancels_no_task(context: Context, ending: Ending) -> None:
    _, ana = player(context, "Ana")
    workload = Workload("analysis", 1)
    task = lifecycle.create(context, ana, "analysis", {})
    ending(context, ana)
    with raises_error("auth/not_owner"):
        lifecycle.cancel(context, ana, "analysis", task.id, lambda _: workload)
