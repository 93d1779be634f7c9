"""Messages and tickets: beside the log, for those who take part, and no longer than the game."""

from __future__ import annotations

import threading
from typing import Any

import orjson
import redis

from service.storage.base.keys import messages_channel
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.games import chat, playing, seating, tickets
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests.contents import everything
from tests.patience import HANG_S, until
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER, act, new, refused, seat
from tests.usecases.people.test_players import bucketed
from tests.usecases.players import new_of, player
from tests.usecases.waiting import met, waits, woken

__all__ = ["bucketed"]
ADMIN = "an operator's token of many characters"


def texts(found: list[dict[str, Any]]) -> list[str]:
    return [message["text"] for message in found]


def test_a_message_is_numbered_and_signed_and_changes_no_revision(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    before = reading.glance(context, Caller(), game)
    first = chat.say(context, seat(tokens, 1), game, "hello", None)
    second = chat.say(context, Caller(tokens["host"]), game, "welcome", None)
    assert [(1, 1, "hello"), (2, None, "welcome")] == [
        (message["number"], message["seat"], message["text"]) for message in (first, second)
    ]
    assert [first, second] == chat.messages(context, seat(tokens, 0), game, 0, 10, 0)
    assert [second] == chat.messages(context, seat(tokens, 0), game, 1, 10, 0)
    assert [first] == chat.messages(context, seat(tokens, 0), game, 0, 1, 0)
    assert before == reading.glance(context, Caller(), game)


def test_a_player_with_several_seats_speaks_for_the_one_he_names(context: Context) -> None:
    _, as_ana = player(context)
    game, _ = new_of(context, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(context, as_ana, game, 1, None)
    assert [0, 1] == [chat.say(context, as_ana, game, "x", number)["seat"] for number in (0, 1)]
    with refused("auth/wrong_seat"):
        chat.say(context, as_ana, game, "x", 2)


def test_people_may_talk_before_the_start_while_paused_and_after_the_end(context: Context) -> None:
    game, tokens = new(context, PLAYER, OPEN)
    chat.say(context, seat(tokens, 0), game, "anybody?", None)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    assert 2 == chat.say(context, seat(tokens, 0), game, "a pity", None)["number"]


def test_whose_seat_has_changed_hands_is_heard_no_more(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    seating.hand_over(context, seat(tokens, 0), game, 0, None, None)
    with refused("auth/token_unknown"):
        chat.say(context, seat(tokens, 0), game, "still here", None)
    with refused("auth/token_unknown"):
        chat.messages(context, seat(tokens, 0), game, 0, 10, 0)


def test_only_the_last_two_hundred_messages_are_kept_under_their_numbers(context: Context) -> None:
    game, tokens = new(context, PLAYER, AI)
    for number in range(205):
        chat.say(context, seat(tokens, 0), game, str(number), None)
    kept = chat.messages(context, seat(tokens, 0), game, 0, 500, 0)
    assert list(range(6, 206)) == [message["number"] for message in kept]
    assert [str(number) for number in range(5, 205)] == texts(kept)


def test_a_wait_for_a_message_ends_with_it(bucketed: Context) -> None:
    """And is not ended by a move, nor by a message in another game."""
    for _ in range(4):
        game, tokens = new(bucketed, PLAYER, PLAYER)
        other, other_tokens = new(bucketed, PLAYER, PLAYER)
        chat.say(bucketed, seat(tokens, 0), game, "one", None)
        reader = seat(tokens, 1)

        def speak(game: str = game, tokens: Any = tokens, other: str = other, other_tokens: Any = other_tokens) -> None:
            chat.say(bucketed, seat(other_tokens, 0), other, "elsewhere", None)
            act(bucketed, game, seat(tokens, 0))
            until(lambda: met(bucketed, game, game) == 4, "the hub meets the move")
            assert waits(bucketed)
            chat.say(bucketed, seat(tokens, 0), game, "two", None)

        told = woken(bucketed, lambda: chat.messages(bucketed, reader, game, 1, 10, HANG_S), speak)  # noqa: B023
        assert ["two"] == texts(told)


def test_a_message_does_not_end_a_wait_for_the_next_revision(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)

    def speak_and_move() -> None:
        chat.say(context, seat(tokens, 0), game, "hello", None)
        until(lambda: met(context, game, messages_channel(game)) == 1, "the hub meets the message")
        assert waits(context)
        act(context, game, seat(tokens, 0))

    told = woken(context, lambda: reading.wait(context, Caller(), game, 3, HANG_S), speak_and_move)
    assert (told or [None])[0] == 4


def test_a_wait_for_a_message_that_does_not_come_ends_with_its_time(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    assert [] == chat.messages(context, seat(tokens, 0), game, 0, 10, 0.01)


def test_neither_tokens_nor_seed_are_in_any_message(context: Context, redis_client: redis.Redis) -> None:
    _, as_ana = player(context)
    game, tokens = new_of(context, as_ana, PLAYER, PLAYER)
    for caller in (as_ana, seat(tokens, 1), Caller(tokens["host"])):
        chat.say(context, caller, game, "hello", None)
    ticket = tickets.give(context, as_ana, game)["ticket"]
    actual = orjson.dumps(chat.messages(context, as_ana, game, 0, 10, 0))
    secrets = [as_ana.token or "", ticket, *(tokens[role] for role in ("host", "invite", "watch"))]
    for secret in (*secrets, tokens["seats"]["1"]):
        assert secret.encode() not in actual
        assert digest_of(secret).encode() not in actual
        assert not [key for key, dump in everything(redis_client).items() if secret.encode() in key + (dump or b"")]


# Tickets


def test_a_ticket_reads_a_private_game_once(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER, visibility="private")
    ticket = tickets.give(context, Caller(tokens["watch"]), game)["ticket"]
    with_ticket = Caller(ticket=ticket)
    stream = reading.follow(context, with_ticket, game, None, 0.01)
    assert next(stream)
    with refused("auth/ticket_unknown"):
        reading.follow(context, with_ticket, game, None)
    with refused("auth/ticket_unknown"):
        reading.glance(context, with_ticket, game)


def test_a_ticket_is_for_one_game_and_no_token(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER, visibility="private")
    other, _ = new(context, PLAYER, PLAYER, visibility="private")
    ticket = tickets.give(context, seat(tokens, 0), game)["ticket"]
    with refused("auth/ticket_unknown"):
        reading.glance(context, Caller(ticket=ticket), other)
    with refused("game/not_found"):
        reading.glance(context, Caller(ticket), game)
    with refused("game/not_found"):
        act(context, other, Caller(ticket))
    assert reading.glance(context, Caller(ticket=ticket), game)[0]


def test_a_ticket_does_not_decide(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    ticket = tickets.give(context, seat(tokens, 0), game)["ticket"]
    with refused("auth/token_required"):
        act(context, game, Caller(ticket=ticket))


def test_of_many_who_show_one_ticket_at_once_one_is_let_in(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER, visibility="private")
    ticket = digest_of(tickets.give(context, seat(tokens, 0), game)["ticket"])
    actual: list[str | None] = []
    threads = [threading.Thread(target=lambda: actual.append(context.tickets.redeem(game, ticket))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ["seat:0"] == [roles for roles in actual if roles is not None]
