"""Chat messages and tickets: outside the log, for those who take part, and deleted with the game."""

from __future__ import annotations

from typing import Any

import orjson
from redis import Redis

from service.storage.base.keys import messages_channel
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.games import chat, playing, seating, tickets
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests.contents import redis_contents
from tests.patience import HANG_S, wait_until
from tests.threads import run_at_once
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER, act, new_game, raises_error, seat
from tests.usecases.people.test_players import bucket_context
from tests.usecases.players import new_game_of, player
from tests.usecases.waiting import is_waiting, last_number_read, wait_result

__all__ = ["bucket_context"]


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [message["text"] for message in messages]


def test_a_message_is_numbered_and_signed_and_changes_no_revision(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    before = reading.glance(context, Caller(), game)
    first = chat.post_message(context, seat(tokens, 1), game, "hello", None)
    second = chat.post_message(context, Caller(tokens["host"]), game, "welcome", None)
    assert [(1, 1, "hello"), (2, None, "welcome")] == [
        (message["number"], message["seat"], message["text"]) for message in (first, second)
    ]
    assert [first, second] == chat.messages(context, seat(tokens, 0), game, 0, 10, 0)
    assert [second] == chat.messages(context, seat(tokens, 0), game, 1, 10, 0)
    assert [first] == chat.messages(context, seat(tokens, 0), game, 0, 1, 0)
    assert before == reading.glance(context, Caller(), game)


def test_a_player_with_several_seats_speaks_for_the_named_seat(context: Context) -> None:
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(context, as_ana, game, 1, None)
    assert [0, 1] == [chat.post_message(context, as_ana, game, "x", number)["seat"] for number in (0, 1)]
    with raises_error("auth/wrong_seat"):
        chat.post_message(context, as_ana, game, "x", 2)


def test_people_may_talk_before_the_start_while_paused_and_after_the_end(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, OPEN)
    chat.post_message(context, seat(tokens, 0), game, "anybody?", None)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    assert 2 == chat.post_message(context, seat(tokens, 0), game, "a pity", None)["number"]


def test_a_former_seat_holder_cannot_chat(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    seating.hand_over(context, seat(tokens, 0), game, 0, None, None)
    with raises_error("auth/token_unknown"):
        chat.post_message(context, seat(tokens, 0), game, "still here", None)
    with raises_error("auth/token_unknown"):
        chat.messages(context, seat(tokens, 0), game, 0, 10, 0)


def test_only_the_last_two_hundred_messages_are_kept_under_their_numbers(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    for number in range(205):
        chat.post_message(context, seat(tokens, 0), game, str(number), None)
    kept = chat.messages(context, seat(tokens, 0), game, 0, 500, 0)
    assert list(range(6, 206)) == [message["number"] for message in kept]
    assert [str(number) for number in range(5, 205)] == texts(kept)


def test_a_wait_for_a_message_ends_when_it_is_posted(bucket_context: Context) -> None:
    """A move and a message in another game do not end it."""
    for _ in range(4):
        game, tokens = new_game(bucket_context, PLAYER, PLAYER)
        other, other_tokens = new_game(bucket_context, PLAYER, PLAYER)
        chat.post_message(bucket_context, seat(tokens, 0), game, "one", None)
        reader = seat(tokens, 1)

        def speak(game: str = game, tokens: Any = tokens, other: str = other, other_tokens: Any = other_tokens) -> None:
            chat.post_message(bucket_context, seat(other_tokens, 0), other, "elsewhere", None)
            act(bucket_context, game, seat(tokens, 0))
            wait_until(lambda: last_number_read(bucket_context, game, game) == 4, "the hub meets the move")
            assert is_waiting(bucket_context)
            chat.post_message(bucket_context, seat(tokens, 0), game, "two", None)

        result = wait_result(bucket_context, lambda: chat.messages(bucket_context, reader, game, 1, 10, HANG_S), speak)  # noqa: B023
        assert ["two"] == texts(result)


def test_a_message_does_not_end_a_wait_for_the_next_revision(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)

    def speak_and_move() -> None:
        chat.post_message(context, seat(tokens, 0), game, "hello", None)
        wait_until(lambda: last_number_read(context, game, messages_channel(game)) == 1, "the hub meets the message")
        assert is_waiting(context)
        act(context, game, seat(tokens, 0))

    result = wait_result(context, lambda: reading.wait(context, Caller(), game, 3, HANG_S), speak_and_move)
    assert (result or [None])[0] == 4


def test_a_wait_for_a_message_times_out(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    assert [] == chat.messages(context, seat(tokens, 0), game, 0, 10, 0.01)


def test_messages_and_stored_keys_contain_no_tokens(context: Context, redis_client: Redis) -> None:
    _, as_ana = player(context)
    game, tokens = new_game_of(context, as_ana, PLAYER, PLAYER)
    for caller in (as_ana, seat(tokens, 1), Caller(tokens["host"])):
        chat.post_message(context, caller, game, "hello", None)
    ticket = tickets.issue(context, as_ana, game)["ticket"]
    actual = orjson.dumps(chat.messages(context, as_ana, game, 0, 10, 0))
    secrets = [as_ana.token or "", ticket, *(tokens[role] for role in ("host", "invite", "watch"))]
    for secret in (*secrets, tokens["seats"]["1"]):
        assert secret.encode() not in actual
        assert digest_of(secret).encode() not in actual
        assert not [key for key, dump in redis_contents(redis_client).items() if secret.encode() in key + (dump or b"")]


# Tickets


def test_a_ticket_reads_a_private_game_once(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, visibility="private")
    ticket = tickets.issue(context, Caller(tokens["watch"]), game)["ticket"]
    with_ticket = Caller(ticket=ticket)
    stream = reading.follow(context, with_ticket, game, None, 0.01)
    assert next(stream)
    with raises_error("auth/ticket_unknown"):
        reading.follow(context, with_ticket, game, None)
    with raises_error("auth/ticket_unknown"):
        reading.glance(context, with_ticket, game)


def test_a_ticket_is_valid_for_one_game_and_is_not_a_token(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, visibility="private")
    other, _ = new_game(context, PLAYER, PLAYER, visibility="private")
    ticket = tickets.issue(context, seat(tokens, 0), game)["ticket"]
    with raises_error("auth/ticket_unknown"):
        reading.glance(context, Caller(ticket=ticket), other)
    with raises_error("game/not_found"):
        reading.glance(context, Caller(ticket), game)
    with raises_error("game/not_found"):
        act(context, other, Caller(ticket))
    assert reading.glance(context, Caller(ticket=ticket), game)[0]


def test_a_ticket_cannot_be_used_to_act(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    ticket = tickets.issue(context, seat(tokens, 0), game)["ticket"]
    with raises_error("auth/token_required"):
        act(context, game, Caller(ticket=ticket))


def test_a_ticket_redeemed_concurrently_is_accepted_once(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, visibility="private")
    ticket = digest_of(tickets.issue(context, seat(tokens, 0), game)["ticket"])
    actual = run_at_once(lambda _: context.tickets.redeem(game, ticket), range(10))
    assert 1 == len([credential for credential in actual if credential is not None])
