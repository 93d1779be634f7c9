"""Ratings cannot be farmed: games left early are aborted, and games of the same or of new players count less."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.games import rating
from service.storage.people.ratings import Change
from service.usecases.base.context import Caller, Context
from service.usecases.games import offering, playing, seating, timeouts
from service.usecases.games.commands import Request
from service.usecases.matchmaking import challenging, seeking
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.people import rating_games, ratings
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.people.test_rated_games import (
    AI,
    CLOCK,
    FIELD,
    OPEN,
    OWN,
    existing_ratings,
    find_ratings,
    game_of,
    run_follow_ups,
)
from tests.usecases.players import Time, ai_acts, decide, new_game_of, play, player, resign, view

DAY_S = 86_400


def test_games_of_the_same_players_count_less_and_less(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game of three, each pair counts for itself."""
    (ana, as_ana), (ben, as_ben), (_, as_cleo) = (player(context) for _ in range(3))
    assert [1, 1 / 2, 1 / 3] == [weight_of(context, as_ana, as_ben) for _ in range(3)]
    assert [3, 3] == [one.games for one in existing_ratings(context, ana, ben)]
    assert 1 / 4 == weight_of(context, as_ana, as_cleo)  # another new account
    assert (1 / 4 + 1 / 2) / 2 == weight_of(context, as_ana, as_ben, as_cleo)
    monkeypatch.setattr(rating, "ESTABLISHED_GAMES", 0)
    monkeypatch.setattr(rating, "ESTABLISHED_OPPONENTS", 0)
    assert 1 / 5 == weight_of(context, as_ana, as_ben)
    time.pass_(rating.MEETING_DAYS * DAY_S + 1)
    assert 1 == weight_of(context, as_ana, as_ben)


def test_games_against_new_accounts_count_less_and_less(context: Context, time: Time) -> None:
    _, as_ana = player(context)
    others = [player(context)[1] for _ in range(4)]
    assert [1, 1 / 2, 1 / 3] == [weight_of(context, as_ana, other) for other in others[:3]]
    time.pass_(rating.MEETING_DAYS * DAY_S + 1)
    assert 1 / 4 == weight_of(context, as_ana, others[3])
    time.pass_(rating.NEW_OPPONENT_DAYS * DAY_S + 1)
    assert 1 == weight_of(context, as_ana, others[0])


def weight_of(context: Context, *callers: Caller) -> float:
    """Return how much a new game of these players counts for the first of them. The first wins it."""
    game = game_of(context, *callers)
    for caller in callers[1:]:
        resign(context, game, caller)
    while view(context, game)["status"] == "playing":
        decide(context, game, callers[0]) if view(context, game)["to_decide"] == 0 else ai_acts(context, game)
    run_follow_ups(context)
    return float(ratings.of_game(context, Caller(), game)["seats"][0]["weight"])


def test_games_against_established_players_count_fully(context: Context) -> None:
    (_, as_ana), (ben, as_ben), (cleo, as_cleo) = (player(context) for _ in range(3))
    for name, games in ((ben, 10), (cleo, 9)):
        for number in range(games):
            change = Change(FIELD, 0, 1, won=False, opponents=((f"other {number % 5}", False),))
            context.ratings.apply(name, f"game {number}", context.now_ms(), change, rating_games.SCALE)
    assert [1, 1, 1 / 2] == [weight_of(context, as_ana, other) for other in (as_ben, as_cleo, as_cleo)]


@pytest.mark.parametrize("decisions", [0, 1])
@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_game_in_which_a_player_made_no_decision_is_aborted(
    context: Context, seats: int, leaver: int, decisions: int
) -> None:
    people = [player(context) for _ in range(seats)]
    game = game_of(context, *(caller for _, caller in people))
    play(context, game, {number: caller for number, (_, caller) in enumerate(people)}, decisions)
    playing.resign(context, Request(people[leaver][1], game), None)
    shown = view(context, game)
    assert ("aborted", None, "resigned") == (shown["status"], shown["outcome"], shown["seats"][leaver]["status"])
    run_follow_ups(context)
    assert ("not_counted", "aborted", []) == tuple(ratings.of_game(context, Caller(), game).values())
    assert [None] * seats == find_ratings(context, *(name for name, _ in people))


def test_a_player_who_runs_out_of_time_without_a_decision_aborts_the_game(context: Context, time: Time) -> None:
    people = [player(context)[1] for _ in range(2)]
    game = game_of(context, *people)
    time.pass_(61)
    assert timeouts.keep_time(context, game)
    assert ("aborted", "timed_out") == (view(context, game)["status"], view(context, game)["seats"][0]["status"])


def test_a_game_against_an_ai_without_a_decision_is_aborted(context: Context) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    playing.resign(context, Request(as_ana, game), None)
    run_follow_ups(context)
    assert ("aborted", [None]) == (view(context, game)["status"], find_ratings(context, ana))


def test_a_plain_game_without_a_decision_is_lost(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    game, _ = new_game_of(context, as_ana, OWN, OPEN)
    seating.claim(context, as_ben, game, None, None)
    playing.resign(context, Request(as_ana, game), None)
    assert "finished" == view(context, game)["status"]


def abort_games(context: Context, caller: Caller, *others: Caller, count: int) -> None:
    """Leave this number of rated games before the first decision."""
    for number in range(count):
        game = game_of(context, caller, *others)
        if number:
            playing.resign(context, Request(caller, game), None)
        else:
            playing.abort(context, Request(caller, game))  # the host leaves by aborting
        run_follow_ups(context)


def test_after_four_aborted_games_a_day_a_player_gets_no_rated_game_for_an_hour(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    abort_games(context, as_ana, as_ben, count=3)
    waiting = game_of(context, as_ana, as_ben)
    abort_games(context, as_ana, as_ben, count=1)
    with raises_error("limit/aborted_games") as raised:
        game_of(context, as_ana, as_ben)
    assert 0 < raised.value.extra["retry_after_s"] <= 3600
    game_of(context, as_ben, others=(AI,))  # the other player caused nothing
    new_game_of(context, as_ana, OWN, OPEN)  # not rated
    resign(context, waiting, as_ana)
    with raises_error("limit/aborted_games"):
        offering.rematch(context, Request(as_ben, waiting), None)
    time.pass_(3601)
    offering.rematch(context, Request(as_ben, waiting), None)
    abort_games(context, as_ana, as_ben, count=1)
    with raises_error("limit/aborted_games"):
        game_of(context, as_ana, as_ben)
    time.pass_(DAY_S)
    game_of(context, as_ana, as_ben)


def test_a_paused_player_gets_no_seat_in_a_rated_game(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    abort_games(context, as_ana, as_ben, count=4)
    game, _ = new_game_of(context, as_ben, OWN, OPEN, rated=True, clock=CLOCK)
    with raises_error("limit/aborted_games"):
        seating.claim(context, as_ana, game, None, None)


def test_aborting_games_that_have_not_started_is_no_reason_to_pause(context: Context) -> None:
    _, as_ana = player(context)
    for _ in range(5):
        game, _ = new_game_of(context, as_ana, OWN, OPEN, rated=True, clock=CLOCK)
        playing.abort(context, Request(as_ana, game))
        run_follow_ups(context)
    game_of(context, as_ana, others=(AI,))


RATED = NewSeek("azul", "coloured", 2, CLOCK, rated=True, keep_s=3600)


def test_a_waiting_seek_ends_if_its_player_is_paused(context: Context) -> None:
    (_, as_ana), (_, as_ben), (_, as_cleo) = (player(context) for _ in range(3))
    waiting = seeking.seek(context, as_ana, RATED)
    abort_games(context, as_ana, as_ben, count=4)
    other = seeking.seek(context, as_ben, RATED)
    assert "open" == other["status"]
    with raises_error("seek/not_found"):
        seeking.get(context, as_ana, waiting["id"], 0)
    assert "paired" == seeking.seek(context, as_cleo, RATED)["status"]


@pytest.mark.parametrize("paused", ["challenger", "challenged"])
def test_a_challenge_is_not_accepted_while_one_of_its_players_is_paused(
    context: Context, time: Time, paused: str
) -> None:
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    (dora, as_dora) = player(context)
    rated, plain = (challenging.create(context, as_ana, ben, one) for one in (RATED, replace(RATED, rated=False)))
    abort_games(context, as_ana if paused == "challenger" else as_ben, as_dora, count=4)
    with raises_error("limit/aborted_games"):
        challenging.accept(context, as_ben, rated["id"])
    assert challenging.accept(context, as_ben, plain["id"])["game_id"]
    time.pass_(3590)
    with raises_error("limit/aborted_games"):
        challenging.create(context, as_ana, ben, RATED)
    if paused == "challenged":
        challenging.create(context, as_ana, dora, RATED)
    time.pass_(11)
    assert challenging.create(context, as_ana, ben, RATED)
