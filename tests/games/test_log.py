"""The log of a game, its fold, and the commands that write it. Pure, with fixed times and seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.games import chance, log
from service.games.errors import GameError
from service.games.events import DrawEvent, Event, read
from service.games.session import GameSession
from service.games.state.model import Game, Meta
from service.games.state.seats import Seat
from service.games.view import Lifetimes, view
from tests.textbook import Textbook

AT = "2026-01-01T00:00:00.000Z"
SEED = bytes(range(1, 33))
LIFETIMES = Lifetimes(60, 60, 60)


def new_session(*kinds: str, **changes: Any) -> GameSession:
    """Create the session of a new game with seats of these kinds."""
    seats = tuple(Seat(kind, level="greedy" if kind == "ai" else None) for kind in kinds)
    meta = Meta("g" * 16, "azul", 1, "coloured", "unlisted", 0, SEED.hex(), True, AT, seats)
    session = GameSession(Game.new(replace(meta, **changes)), AT)
    session.create()
    return session


def assert_refused(session: GameSession, code: str, command: Callable[..., object], *args: Any, **more: Any) -> None:
    """Check that the command raises this code and writes nothing."""
    before = session.game
    with pytest.raises(GameError) as error:
        command(*args, **more)
    assert code == error.value.code
    assert before == session.game


def fold_all(game: Game, events: Iterable[Event]) -> Game:
    """Return the game after all events."""
    for _, after in log.steps(game, events):
        game = after
    return game


def reload(game: Game) -> Game:
    """Return the game after it is written to its stored form and read again."""
    meta, state = orjson.loads(orjson.dumps([game.meta.to_json(), game.state_json()]))
    return Game.from_state(Meta.from_json(meta), game.revision, state, game.position)


def kinds(session: GameSession) -> list[str]:
    return [event.kind for event in session.events]


def legal(session: GameSession) -> list[int]:
    assert session.game.position is not None
    return session.game.position.legal_actions()


def test_a_full_game_starts_and_deals_at_once() -> None:
    session = new_session("player", "ai")
    assert ["created", "start", "draw"] == kinds(session)
    assert [1, 2, 3] == [event.revision for event in session.events]
    assert ("playing", 0) == (session.game.status, session.game.to_decide)


def test_a_random_first_seat_is_a_separate_draw() -> None:
    session = new_session("player", "player", first_seat=None)
    assert ["azul.first_seat", "azul.deal"] == [
        event.draw["type"] for event in session.events if isinstance(event, DrawEvent)
    ]


def test_a_game_with_an_open_seat_waits_and_starts_when_it_is_full() -> None:
    session = new_session("player", "open", "open")
    assert ("open", None, None) == (session.game.status, session.game.to_decide, session.game.position)
    session.join(2, "Ben")
    assert "open" == session.game.status
    session.join(1, None)
    assert "playing" == session.game.status
    assert ["player"] * 3 == [seat.kind for seat in session.game.seats]


def test_a_start_before_it_is_full_fills_the_open_seats_with_ais() -> None:
    session = new_session("player", "open")
    session.start()
    assert ("ai", "greedy") == (session.game.seats[1].kind, session.game.seats[1].level)
    assert_refused(session, "game/already_started", session.start)


def test_replaying_the_log_gives_the_game_of_the_session() -> None:
    session = new_session("player", "player")
    while not session.game.is_over:
        session.act(session.game.to_decide or 0, legal(session)[0])
    stored = [orjson.dumps(event.to_stored()) for event in session.events]
    written = [read(orjson.loads(content), revision) for revision, content in enumerate(stored, 1)]
    assert session.game == fold_all(Game.new(session.game.meta), written)
    assert session.game.revision == len(written)


def test_a_restored_game_equals_the_stored_one() -> None:
    game = new_session("player", "ai").game
    assert game == reload(game)


def test_a_draw_depends_only_on_the_seed_and_the_revision() -> None:
    """The textbook generator checks HMAC-SHA256(seed, decimal revision), as documented."""
    session = new_session("player", "player", first_seat=None)
    first = next(event for event in session.events if isinstance(event, DrawEvent))
    assert Textbook.of_draw(SEED, first.revision).integer_below(2) == first.draw["seat"]
    assert hashlib.sha256(SEED).hexdigest() == chance.commitment(SEED)


def test_only_the_seat_to_decide_acts() -> None:
    session = new_session("player", "player")
    with pytest.raises(GameError) as error:
        session.act(1, legal(session)[0])
    assert ("game/not_your_turn", {"to_decide": 0}) == (error.value.code, error.value.extra)


def test_an_illegal_action_is_refused_with_its_reason() -> None:
    session = new_session("player", "player")
    before = session.game
    with pytest.raises(GameError) as error:
        session.act(0, 9 * 30)  # the centre is empty
    assert ("game/illegal_action", {"reason": "source_empty"}) == (error.value.code, error.value.extra)
    assert before == session.game


def test_actions_before_the_start_or_after_the_end_are_refused() -> None:
    session = new_session("player", "open")
    assert_refused(session, "game/not_started", session.act, 0, 0)
    session.abort()
    assert_refused(session, "game/over", session.act, 0, 0)
    assert_refused(session, "game/over", session.resign, 0)
    assert_refused(session, "game/over", session.abort)


def test_a_resignation_between_two_ends_the_game_and_the_other_wins() -> None:
    session = new_session("player", "player")
    session.resign(0)
    actual = view(session.game, LIFETIMES)
    assert ("finished", None) == (actual["status"], actual["to_decide"])
    assert "resignation" == actual["outcome"]["reason"]
    assert [2, 1] == [seat["rank"] for seat in actual["outcome"]["seats"]]


def test_in_a_game_of_three_an_ai_plays_for_a_resigned_player_who_ranks_last() -> None:
    session = new_session("player", "player", "player")
    session.resign(0)
    assert ("playing", 0, "greedy") == (session.game.status, session.game.to_decide, session.game.level_to_decide)
    assert_refused(session, "game/resigned", session.resign, 0)
    while not session.game.is_over:
        session.act(session.game.to_decide or 0, legal(session)[0])
    outcome = view(session.game, LIFETIMES)["outcome"]
    assert "completed" == outcome["reason"]
    assert 3 == outcome["seats"][0]["rank"]


def test_a_host_can_abort_until_every_person_has_acted() -> None:
    for acted in range(3):
        session = new_session("player", "player")
        for _ in range(acted):
            session.act(session.game.to_decide or 0, legal(session)[0])
        if acted < 2:
            session.abort()
            assert ("aborted", None) == (session.game.status, view(session.game, LIFETIMES)["outcome"])
        else:
            assert_refused(session, "game/too_late_to_abort", session.abort)


def test_a_game_against_ais_alone_can_always_be_aborted() -> None:
    session = new_session("player", "ai")
    session.act(0, legal(session)[0])
    session.abort()
    assert "aborted" == session.game.status


def test_the_seed_is_in_the_view_after_the_end_and_never_before() -> None:
    session = new_session("player", "player")
    assert SEED.hex() not in orjson.dumps(view(session.game, LIFETIMES)).decode()
    session.resign(1)
    assert SEED.hex() == view(session.game, LIFETIMES)["seed"]


def test_trying_an_action_does_not_reveal_the_next_draw() -> None:
    """A trial ends before the first draw: the last draft of a round settles the walls. The next deal stays secret."""
    session = new_session("player", "player")
    while True:
        seat, action = session.game.to_decide or 0, legal(session)[0]
        trial = GameSession(session.game, AT)
        trial.act(seat, action, draw=False)
        assert ["action"] == kinds(trial)
        session.act(seat, action)
        if session.events[-1].kind == "draw":
            break
    assert ("playing", None) == (trial.game.status, trial.game.to_decide)
