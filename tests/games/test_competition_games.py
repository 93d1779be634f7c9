"""Games of a competition: only clocks delay them, and their result can be adjudicated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import orjson
import pytest

from service.games.game_export import replay_game
from service.games.state.endpoints import Endpoint
from service.games.state.model import Game
from service.games.state.seats import Seat
from service.games.state.statuses import DOUBLE_FORFEIT, DRAW, WIN
from service.games.view import outcome
from tests.games.tables import BEGAN_MS, LOSING, Table, json_copy, table
from tests.games.test_log import SEED

ENDPOINT = Endpoint("https://bot.example/", "whsec_" + "A" * 32, 2.5, 10, "ai")
MINUTE = replace(LOSING, turn_s=10, bank_s=60)


def of_competition(*endpoints: Endpoint | None) -> Table:
    """Create a game of a competition between endpoints and (for None) people, with a clock of 70 s."""
    seats = tuple(Seat("player") if one is None else Seat("http", "Bot", "random") for one in endpoints or (None, None))
    return table("player", "player", seats=seats, endpoints=endpoints, clock=MINUTE, competition="c")


# ------------------------------------------------------------------------------------------------ delays


@pytest.mark.parametrize(
    "delay",
    [
        lambda made: made.session.pause(0, 60),
        lambda made: made.session.pause(1, 60),
        lambda made: made.take_back(0),
        lambda made: made.session.hand_over(0, "Zoe"),
    ],
    ids=["pause", "pause of the other seat", "takeback", "handover"],
)
def test_players_cannot_delay_a_game_of_a_competition(delay: Callable[[Table], None]) -> None:
    made = of_competition()
    made.act()
    made.assert_refused("game/in_competition", delay, made)


def test_an_opponent_with_an_endpoint_does_not_let_a_player_pause_the_clock() -> None:
    made = of_competition(None, ENDPOINT)
    made.assert_refused("game/in_competition", made.session.pause, 0, 60)
    assert 70 == made.deadline_s()


def test_claiming_a_seat_again_does_not_stop_its_clock() -> None:
    made = of_competition()
    made.wait_until(30).session.join(0, "Ana")
    assert 70 == made.deadline_s()
    made.wait_until(70).session.keep_time()
    assert "timed_out" == made.game.seats[0].status


def test_an_endpoint_that_never_answers_loses_when_its_time_is_up() -> None:
    made = of_competition(ENDPOINT, None)
    assert (70, 0) == (made.deadline_s(), made.game.due_at)
    for seconds in (5, 11, 25, 55):
        made.wait_until(seconds).session.fail("late")
        assert "playing" == made.game.status
    assert BEGAN_MS + 70_000 == made.game.due_at  # not after another pause of a minute
    made.wait_until(70).session.fail("late")
    assert ("finished", "failed") == (made.game.status, made.game.seats[0].status)
    assert ("lose", None) == (made.log[-1]["then"], made.log[-1]["retry_at"])
    meta = replace(made.game.meta, seats=(Seat("ai", "Bot", "random"), Seat("player")), endpoints=())
    assert replay_game(meta, made.log, SEED).game.seats[0].status == "failed"


def test_a_slow_endpoint_uses_up_its_bank() -> None:
    made = of_competition(ENDPOINT, None)
    made.wait_until(15).session.fail("late")
    made.wait_until(40).act()
    assert [30, 60] == made.banks_s()
    made.assert_refused("game/time_is_up", made.wait_until(140).session.act, 1, made.position.legal_actions()[0])


def test_an_endpoint_outside_a_competition_has_no_clock() -> None:
    seats = (Seat("http", "Bot", "random"), Seat("player"))
    made = table("player", "player", seats=seats, endpoints=(ENDPOINT, None), clock=MINUTE)
    made.wait_until(500).session.fail("late")
    assert (None, "playing") == (made.deadline_s(), made.game.status)


# ------------------------------------------------------------------------------------------------ adjudication


@pytest.mark.parametrize(
    ("result", "seat", "ranks", "won"),
    [
        (WIN, 0, [1, 2], [True, False]),
        (WIN, 1, [2, 1], [False, True]),
        (DRAW, None, [1, 1], [True, True]),
        (DOUBLE_FORFEIT, None, [2, 2], [False, False]),
    ],
)
def test_an_adjudicated_game_ends_with_the_given_result(
    result: str, seat: int | None, ranks: list[int], won: list[bool]
) -> None:
    made = of_competition()
    made.act()
    made.session.adjudicate(result, seat)
    ended = outcome(made.game)
    assert ended is not None
    assert ("finished", "adjudication") == (made.game.status, ended["reason"])
    assert (ranks, won) == ([one["rank"] for one in ended["seats"]], [one["won"] for one in ended["seats"]])
    assert (None, None) == (made.game.due, made.deadline_s())
    stored = orjson.loads(orjson.dumps(made.game.state_json()))
    assert made.game == Game.from_state(made.game.meta, made.game.revision, stored, made.position)
    assert made.game.ranks == replay_game(made.game.meta, json_copy({"log": made.log})["log"], SEED).game.ranks


def test_a_repeated_adjudication_changes_nothing_and_another_one_is_refused() -> None:
    made = of_competition()
    made.session.adjudicate(WIN, 0)
    ended = made.game
    made.session.adjudicate(WIN, 0)
    assert ended is made.game
    for other in ((WIN, 1), (DRAW, None), (DOUBLE_FORFEIT, None)):
        made.assert_refused("game/over", made.session.adjudicate, *other)


def test_a_game_that_is_over_or_has_not_begun_cannot_be_adjudicated() -> None:
    made = of_competition()
    made.session.resign(0)
    made.assert_refused("game/over", made.session.adjudicate, WIN, 1)
    waiting = table("player", "open")
    waiting.assert_refused("game/not_started", waiting.session.adjudicate, DRAW, None)


def test_a_state_stored_without_ranks_is_read() -> None:
    game = of_competition().game
    state = game.state_json()
    del state["ranks"]
    assert game == Game.from_state(game.meta, game.revision, state, game.position)
