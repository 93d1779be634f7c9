"""Rated games: every player is rated once, whichever process dies, and some games do not count."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import orjson
import pytest
from redis import Redis

from service.games import rating
from service.games.rating import Rating
from service.games.state.clocks import ClockRule
from service.storage.people.ratings import WINDOW_MS, StoredRating
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, offering, playing, seating, timeouts
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewSeat
from service.usecases.people import follow_ups, players, rating_games, ratings
from tests.threads import run_at_once
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import killed_before
from tests.usecases.players import (
    Time,
    ai_acts,
    decide,
    everybody_decides,
    new_game_of,
    play,
    player,
    resign,
    view,
)

CLOCK = ClockRule(60, 0, "ai", "greedy")
OWN, OPEN, AI = NewSeat("player"), NewSeat("open"), NewSeat("ai", level="greedy")
FIELD = "azul:two"


def game_of(context: Context, *callers: Caller, others: tuple[NewSeat, ...] = (), **changes: Any) -> str:
    """Create a rated game of these players, each in the seat of their number, and of other seats."""
    seats = [OWN, *[OPEN] * (len(callers) - 1), *others]
    game, _ = new_game_of(context, callers[0], *seats, rated=True, clock=CLOCK, **changes)
    for caller in callers[1:]:
        seating.claim(context, caller, game, None, None)
    return game


def run_follow_ups(context: Context) -> int:
    """Run a keeper. Return the number of follow-ups it executed."""
    return follow_ups.run_due(context).done


def find_ratings(context: Context, *player_ids: str, field: str = FIELD) -> list[StoredRating | None]:
    return context.ratings.get_field(player_ids, field)


def status(context: Context, game: str) -> str:
    return str(ratings.of_game(context, Caller(), game)["status"])


def existing_ratings(context: Context, *player_ids: str, field: str = FIELD) -> list[StoredRating]:
    """Return the ratings of players who each have one."""
    found = [one for one in find_ratings(context, *player_ids, field=field) if one is not None]
    assert len(player_ids) == len(found)
    return found


def resigned_game(context: Context, loser: int) -> tuple[str, list[str]]:
    """Create a rated game of two new players, one of whom resigns: (game, ids of the players)."""
    people = [player(context) for _ in range(2)]
    game = game_of(context, *(caller for _, caller in people))
    resign(context, game, people[loser][1])
    return game, [name for name, _ in people]


def assert_rated_as(context: Context, player_ids: list[str], *places: int, field: str = FIELD) -> None:
    """Compare the ratings of new players with those after one game with these places."""
    expected = [(one.mu, one.sigma) for one in rating.rate_game([rating.NEW] * len(places), places)]
    assert expected == [pytest.approx(one[:2]) for one in existing_ratings(context, *player_ids, field=field)]


def test_a_keeper_rates_both_players_after_a_resignation(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    assert ("unfinished", 0) == (status(context, game), run_follow_ups(context))
    resign(context, game, as_ben)
    assert ("pending", [None, None]) == (status(context, game), find_ratings(context, ana, ben))
    assert (1, 0) == (run_follow_ups(context), run_follow_ups(context))
    assert "applied" == status(context, game)
    assert_rated_as(context, [ana, ben], 1, 2)
    assert [(1, 1), (1, 0)] == [one[2:4] for one in existing_ratings(context, ana, ben)]


def test_a_timed_out_player_loses_a_rated_game(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    assert "lose" == view(context, game)["clock"]["on_timeout"]
    everybody_decides(context, game)
    late = view(context, game)["to_decide"]
    time.pass_(61)
    assert timeouts.keep_time(context, game)
    assert 1 == run_follow_ups(context)
    assert [int(late != seat) for seat in (0, 1)] == [one.wins for one in existing_ratings(context, ana, ben)]


def test_a_person_is_rated_against_ais_with_fixed_ratings(context: Context) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    play(context, game, {0: as_ana}, 2)
    resign(context, game, as_ana)
    assert 1 == run_follow_ups(context)
    level = rating.level_rating(repository.load(context, game).game.ruleset, 2, "greedy")
    assert level is not None
    assert rating.rate_game([rating.NEW, level], [2, 1])[0] == pytest.approx(existing_ratings(context, ana)[0][:2])
    shown = ratings.of_game(context, Caller(), game)["seats"]
    assert (level.points, level.points, 0, False, 1) == tuple(shown[1].values())
    assert shown[0]["change"] < 0


def test_the_mean_rating_of_a_game_counts_levels_players_and_new_players(context: Context) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    level = rating.level_rating(repository.load(context, game).game.ruleset, 2, "greedy")
    assert level is not None
    assert (rating.NEW.points + level.points) / 2 == rating_games.mean_points(context, game)
    play(context, game, {0: as_ana}, 2)
    resign(context, game, as_ana)
    run_follow_ups(context)
    (after,) = existing_ratings(context, ana)
    mean = (Rating(after.mu, after.sigma).points + level.points) / 2
    assert mean == rating_games.mean_points(context, game) < (rating.NEW.points + level.points) / 2


def test_in_a_game_of_three_a_resigned_player_is_rated_as_last(
    context: Context,
) -> None:
    people = [player(context) for _ in range(3)]
    game = game_of(context, *(caller for _, caller in people))
    resign(context, game, people[1][1])
    assert 0 == run_follow_ups(context)
    callers = {0: people[0][1], 2: people[2][1]}
    while view(context, game)["status"] == "playing":
        number = view(context, game)["to_decide"]
        decide(context, game, callers[number]) if number in callers else ai_acts(context, game)
    assert 1 == run_follow_ups(context)
    places = [seat["rank"] for seat in view(context, game)["outcome"]["seats"]]
    assert 3 == places[1]
    names = [name for name, _ in people]
    assert_rated_as(context, names, *places, field="azul:many")
    assert [None] * 3 == find_ratings(context, *names)


def test_aborted_and_unrated_games_change_no_ratings(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    aborted = game_of(context, as_ana, as_ben)
    playing.abort(context, Request(as_ana, aborted))
    plain, _ = new_game_of(context, as_ana, OWN, OPEN)
    seating.claim(context, as_ben, plain, None, None)
    resign(context, plain, as_ben)
    for game in (aborted, plain, "no-such-game"):
        rating_games.count(context, game)
    assert (2, [None, None]) == (run_follow_ups(context), find_ratings(context, ana, ben))
    assert ("not_counted", "aborted", []) == tuple(ratings.of_game(context, Caller(), aborted).values())


def test_a_rated_game_against_an_ai_cannot_be_aborted_after_a_decision(context: Context) -> None:
    _, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    play(context, game, {0: as_ana}, 1)
    with raises_error("game/too_late_to_abort"):
        playing.abort(context, Request(as_ana, game))


# ------------------------------------------------------------------------------------------------- exactly once


STEPS = ("load", "note", "first player", "second player", "applied", "done")


class FailedError(Exception):
    """Simulate a failure that postpones a follow-up."""


def fails_at(context: Context, step: str) -> AbstractContextManager[None]:
    """Make the follow-up fail before this step."""
    doors: dict[str, tuple[Any, str, int]] = {
        "load": (repository, "load", 1),
        "note": (context.ratings, "set_note", 1),
        "first player": (context.ratings, "apply", 1),
        "second player": (context.ratings, "apply", 2),
        "applied": (context.ratings, "set_note", 2),
        "done": (context.follow_ups, "remove", 1),
    }
    return killed_before(*doors[step], error=FailedError)


@pytest.mark.parametrize("step", STEPS)
def test_a_rating_that_fails_before_a_step_is_completed_once(context: Context, time: Time, step: str) -> None:
    """No player is forgotten or rated twice."""
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    resign(context, game, as_ben)
    with fails_at(context, step):
        assert 0 == run_follow_ups(context)  # logged and postponed
    other = game_of(context, as_ana, as_ben)  # changes their ratings in between
    resign(context, other, as_ana)
    assert 1 == run_follow_ups(context)
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    assert (1, 0) == (run_follow_ups(context), run_follow_ups(context))
    assert {"applied"} == {status(context, each) for each in (game, other)}
    assert [(2, 1), (2, 1)] == [one[2:4] for one in existing_ratings(context, ana, ben)]


def test_rating_changes_are_computed_once_though_ratings_change_before(context: Context, time: Time) -> None:
    game, names = resigned_game(context, loser=1)
    with fails_at(context, "second player"):
        run_follow_ups(context)
    noted = context.ratings.get_notes(game, rating_games.NOTE)
    time.pass_(100)
    assert 1 == run_follow_ups(context)
    assert noted == context.ratings.get_notes(game, rating_games.NOTE)
    assert_rated_as(context, names, 1, 2)


def test_simultaneous_keepers_rate_a_game_once(context: Context) -> None:
    game, names = resigned_game(context, loser=0)
    run_at_once(lambda _: rating_games.count(context, game), range(16))
    assert 1 == run_follow_ups(context)
    assert_rated_as(context, names, 2, 1)


def test_an_applied_rating_is_not_processed_again(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = resigned_game(context, loser=0)
    for _ in range(2):
        rating_games.count(context, game)
        monkeypatch.setattr(context.ratings, "apply", None)
    assert "applied" == status(context, game)


def test_a_second_keeper_applies_the_changes_stored_by_the_first(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second keeper has read ratings that the first has already changed."""
    game, names = resigned_game(context, loser=0)
    result = rating_games.compute_changes

    def count_first(doors: Context, seen: Any) -> Any:
        monkeypatch.setattr(rating_games, "compute_changes", result)
        rating_games.count(doors, game)
        return result(doors, seen)

    monkeypatch.setattr(rating_games, "compute_changes", count_first)
    rating_games.count(context, game)
    assert_rated_as(context, names, 2, 1)


def test_simultaneous_games_of_one_player_all_count(context: Context) -> None:
    ana, as_ana = player(context)
    others = [player(context) for _ in range(4)]
    games = [game_of(context, as_ana, other) for _, other in others]
    for game in games:
        resign(context, game, as_ana)
    run_at_once(lambda game: rating_games.count(context, game), games)
    assert (4, 0) == existing_ratings(context, ana)[0][2:4]
    assert [1] * 4 == [one.wins for one in existing_ratings(context, *(name for name, _ in others))]


def test_an_expired_or_old_game_is_not_rated(context: Context, redis_client: Redis) -> None:
    (expired, some), (old, others) = (resigned_game(context, loser=0) for _ in range(2))
    redis_client.delete(context.store.keys.game(expired).game)
    late = {"reason": None, "ended_ms": context.now_ms() - 2 * WINDOW_MS}
    seats = [{"before": [25, 8], "after": [24, 8], "won": False}] * 2
    context.ratings.set_note(old, rating_games.NOTE, orjson.dumps({**late, "seats": seats}))
    assert (2, 0) == (run_follow_ups(context), run_follow_ups(context))
    assert [None] * 4 == find_ratings(context, *some, *others)


def test_only_the_commit_that_ends_a_game_has_a_follow_up(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, real = [], context.store.commit

    def record_follow_up(game_id: str, commit: Any) -> None:
        seen.append(commit.follow_up and commit.follow_up[0].id)
        real(game_id, commit)

    monkeypatch.setattr(context.store, "commit", record_follow_up)
    people = [player(context)[1] for _ in range(2)]
    game = game_of(context, *people)
    decide(context, game, people[0])
    resign(context, game, people[1])
    for number, caller in enumerate(people):
        offering.rematch(context, Request(caller, game), number)
    assert f"result:{game}" in seen
    assert 1 == sum(one is not None for one in seen)


# ---------------------------------------------------------------------------------------------- what is not counted


def test_a_game_against_an_unmeasured_level_does_not_count(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    resign(context, game, as_ana)
    monkeypatch.setattr(rating, "level_rating", lambda *_: None)
    run_follow_ups(context)
    assert "unmeasured_level" == ratings.of_game(context, Caller(), game)["reason"]
    assert [None] == find_ratings(context, ana)


# ------------------------------------------------------------------------------------------------- what is agreed


def test_a_rematch_is_rated_against_the_level_that_filled_a_seat(context: Context) -> None:
    ana, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, OWN, OPEN, rated=True, clock=CLOCK, help=True)
    creating.start(context, Request(as_ana, game))
    shown = view(context, game)
    assert (True, False, "greedy") == (shown["rated"], shown["help"], shown["seats"][1]["level"])
    resign(context, game, as_ana)
    rematch = offering.rematch(context, Request(as_ana, game), 0).rematch
    assert rematch is not None
    shown = view(context, rematch)
    assert (True, "lose", False) == (shown["rated"], shown["clock"]["on_timeout"], shown["help"])
    resign(context, rematch, as_ana)
    assert 2 == run_follow_ups(context)
    assert 2 == existing_ratings(context, ana)[0].games


def test_a_player_who_returns_prolongs_their_ratings(context: Context) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    resign(context, game, as_ana)
    run_follow_ups(context)
    store: Any = context.store.redis
    home = context.store.keys.home(ana)
    names = (home.player(ana), home.ratings(ana), home.rated_games(ana), home.rating_days(ana, FIELD))
    for name in names:
        store.expire(name, 1000)
    players.get_own(context, as_ana)
    assert all(store.ttl(name) > 1000 for name in names)


def test_points_are_computed_from_stored_ratings(context: Context) -> None:
    ana, as_ana = player(context)
    resign(context, game_of(context, as_ana, others=(AI,)), as_ana)
    run_follow_ups(context)
    shown = ratings.of_player(context, ana, "azul", "two")
    (own,) = existing_ratings(context, ana)
    points = Rating(own.mu, own.sigma).points
    assert [("azul", "two", points, True, False, 1, 0, None)] == [tuple(one.values()) for one in shown["ratings"]]
    assert [(points, True)] == [tuple(day.values())[1:] for day in shown["history"]]
    assert {"ratings": [], "history": None} == ratings.of_player(context, ana, "summer-pavilion", None)
    assert ratings.of_player(context, ana, None, "two")["history"] is None
