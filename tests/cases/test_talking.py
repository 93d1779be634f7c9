"""Messages and tickets: beside the log, for those who take part, and no longer than the game."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import orjson
import pytest
import redis

from service.cases import Caller, Cases, playing, reading, seating, talking, tickets
from service.cases.context import digest_of
from tests.cases.people import new_of, player
from tests.cases.test_cases import AI, OPEN, PLAYER, act, everything, new, refused, seat
from tests.cases.test_players import bucketed
from tests.patience import SOON_S

__all__ = ["bucketed"]
ADMIN = "an operator's token of many characters"


def texts(found: list[dict[str, Any]]) -> list[str]:
    return [message["text"] for message in found]


def test_a_message_is_numbered_and_signed_and_changes_no_revision(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    before = reading.glance(cases, Caller(), game)
    first = talking.say(cases, seat(tokens, 1), game, "hello", None)
    second = talking.say(cases, Caller(tokens["host"]), game, "welcome", None)
    assert [(1, 1, "hello"), (2, None, "welcome")] == [
        (message["number"], message["seat"], message["text"]) for message in (first, second)
    ]
    assert [first, second] == talking.said(cases, seat(tokens, 0), game, 0, 10, 0)
    assert [second] == talking.said(cases, seat(tokens, 0), game, 1, 10, 0)
    assert [first] == talking.said(cases, seat(tokens, 0), game, 0, 1, 0)
    assert before == reading.glance(cases, Caller(), game)


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_seats_and_host_write_and_those_who_watch_read(cases: Cases, visibility: str) -> None:
    cases.settings = replace(cases.settings, admin_token=ADMIN)
    game, tokens = new(cases, PLAYER, OPEN, visibility=visibility)
    hidden = visibility == "private"
    for caller in (seat(tokens, 0), Caller(tokens["host"])):
        talking.say(cases, caller, game, "hello", None)
    for caller in (seat(tokens, 0), Caller(tokens["host"]), Caller(tokens["watch"]), Caller(ADMIN)):
        assert ["hello"] * 2 == texts(talking.said(cases, caller, game, 0, 10, 0))
    for caller, code in (
        (Caller(tokens["watch"]), "auth/wrong_seat"),
        (Caller(ADMIN), "auth/wrong_seat"),
        (Caller(tokens["invite"]), "auth/not_taking_part"),
        (Caller(), "game/not_found" if hidden else "auth/token_required"),
        (Caller("no token"), "game/not_found" if hidden else "auth/token_unknown"),
    ):
        with refused(code):
            talking.say(cases, caller, game, "hello", None)
    for caller, code in (
        (Caller(tokens["invite"]), "auth/not_taking_part"),
        (Caller(), "game/not_found" if hidden else "auth/token_required"),
        (Caller("no token"), "game/not_found" if hidden else "auth/token_unknown"),
    ):
        with refused(code):
            talking.said(cases, caller, game, 0, 10, 0)


def test_a_player_with_several_seats_speaks_for_the_one_he_names(cases: Cases) -> None:
    _, as_ana = player(cases)
    game, _ = new_of(cases, as_ana, PLAYER, OPEN, OPEN)
    seating.claim(cases, as_ana, game, 1, None)
    assert [0, 1] == [talking.say(cases, as_ana, game, "x", number)["seat"] for number in (0, 1)]
    with refused("auth/wrong_seat"):
        talking.say(cases, as_ana, game, "x", 2)


def test_people_may_talk_before_the_start_while_paused_and_after_the_end(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, OPEN)
    talking.say(cases, seat(tokens, 0), game, "anybody?", None)
    playing.abort(cases, Caller(tokens["host"]), game, None)
    assert 2 == talking.say(cases, seat(tokens, 0), game, "a pity", None)["number"]


def test_whose_seat_has_changed_hands_is_heard_no_more(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    seating.hand_over(cases, seat(tokens, 0), game, 0, None, None)
    with refused("auth/token_unknown"):
        talking.say(cases, seat(tokens, 0), game, "still here", None)
    with refused("auth/token_unknown"):
        talking.said(cases, seat(tokens, 0), game, 0, 10, 0)


def test_only_the_last_two_hundred_messages_are_kept_under_their_numbers(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, AI)
    for number in range(205):
        talking.say(cases, seat(tokens, 0), game, str(number), None)
    kept = talking.said(cases, seat(tokens, 0), game, 0, 500, 0)
    assert list(range(6, 206)) == [message["number"] for message in kept]
    assert [str(number) for number in range(5, 205)] == texts(kept)


def test_a_wait_for_a_message_ends_with_it(bucketed: Cases) -> None:
    """And is not ended by a move, nor by a message in another game."""
    for _ in range(4):
        game, tokens = new(bucketed, PLAYER, PLAYER)
        other, other_tokens = new(bucketed, PLAYER, PLAYER)
        talking.say(bucketed, seat(tokens, 0), game, "one", None)
        found: list[Any] = []

        def wait(found: list[Any] = found, game: str = game, tokens: dict[str, Any] = tokens) -> None:
            found.append((texts(talking.said(bucketed, seat(tokens, 1), game, 1, 10, 20)), time.monotonic()))

        waiter = threading.Thread(target=wait)
        waiter.start()
        act(bucketed, game, seat(tokens, 0))
        talking.say(bucketed, seat(other_tokens, 0), other, "elsewhere", None)
        time.sleep(0.2)
        assert waiter.is_alive()
        began = time.monotonic()
        talking.say(bucketed, seat(tokens, 0), game, "two", None)
        waiter.join(30)
        ((told, woken),) = found
        assert (["two"], True) == (told, woken - began < SOON_S)


def test_a_message_does_not_end_a_wait_for_the_next_revision(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    timer = threading.Timer(0.1, talking.say, (cases, seat(tokens, 0), game, "hello", None))
    timer.start()
    assert reading.wait(cases, Caller(), game, 3, 0.5) is None
    timer.join()


def test_a_wait_for_a_message_that_does_not_come_ends_with_its_time(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    began = time.monotonic()
    assert [] == talking.said(cases, seat(tokens, 0), game, 0, 10, 0.3)
    assert 0.3 <= time.monotonic() - began < SOON_S


def test_neither_tokens_nor_seed_are_in_any_message(cases: Cases, redis_client: redis.Redis) -> None:
    _, as_ana = player(cases)
    game, tokens = new_of(cases, as_ana, PLAYER, PLAYER)
    for caller in (as_ana, seat(tokens, 1), Caller(tokens["host"])):
        talking.say(cases, caller, game, "hello", None)
    ticket = tickets.give(cases, as_ana, game)["ticket"]
    told = orjson.dumps(talking.said(cases, as_ana, game, 0, 10, 0))
    secrets = [as_ana.token or "", ticket, *(tokens[role] for role in ("host", "invite", "watch"))]
    for secret in (*secrets, tokens["seats"]["1"]):
        assert secret.encode() not in told
        assert digest_of(secret).encode() not in told
        assert not [key for key, dump in everything(redis_client).items() if secret.encode() in key + (dump or b"")]


# Tickets


def test_a_ticket_reads_a_private_game_once(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, visibility="private")
    ticket = tickets.give(cases, Caller(tokens["watch"]), game)["ticket"]
    with_ticket = Caller(ticket=ticket)
    stream = reading.follow(cases, with_ticket, game, None, 0.01)
    assert next(stream)
    with refused("auth/ticket_unknown"):
        reading.follow(cases, with_ticket, game, None)
    with refused("auth/ticket_unknown"):
        reading.glance(cases, with_ticket, game)


def test_a_ticket_is_for_one_game_and_no_token(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, visibility="private")
    other, _ = new(cases, PLAYER, PLAYER, visibility="private")
    ticket = tickets.give(cases, seat(tokens, 0), game)["ticket"]
    with refused("auth/ticket_unknown"):
        reading.glance(cases, Caller(ticket=ticket), other)
    with refused("game/not_found"):
        reading.glance(cases, Caller(ticket), game)
    with refused("game/not_found"):
        act(cases, other, Caller(ticket))
    assert reading.glance(cases, Caller(ticket=ticket), game)[0]


def test_a_ticket_does_not_decide(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    ticket = tickets.give(cases, seat(tokens, 0), game)["ticket"]
    with refused("auth/token_required"):
        act(cases, game, Caller(ticket=ticket))


def test_of_many_who_show_one_ticket_at_once_one_is_let_in(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, visibility="private")
    ticket = digest_of(tickets.give(cases, seat(tokens, 0), game)["ticket"])
    found: list[str | None] = []
    threads = [threading.Thread(target=lambda: found.append(cases.beside.take_ticket(game, ticket))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ["seat:0"] == [roles for roles in found if roles is not None]


def test_a_ticket_is_good_for_a_minute(cases: Cases, redis_client: redis.Redis) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    given = tickets.give(cases, seat(tokens, 0), game)
    key = cases.store.keys.game(game).ticket(digest_of(given["ticket"]))
    assert 59_000 < redis_client.pttl(key) <= 60_000


def test_who_has_no_part_in_a_game_gets_no_ticket(cases: Cases) -> None:
    game, _ = new(cases, PLAYER, PLAYER)
    hidden, _ = new(cases, PLAYER, PLAYER, visibility="private")
    with refused("auth/token_required"):
        tickets.give(cases, Caller(), game)
    with refused("auth/token_unknown"):
        tickets.give(cases, Caller("no token"), game)
    for stranger in (Caller(), Caller("no token")):
        with refused("game/not_found"):
            tickets.give(cases, stranger, hidden)
