"""Rated games: everybody is rated once, whoever dies at whatever step, and what is not counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any

import orjson
import pytest
import redis

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
from service.usecases.people.rating_games import MAX_MEETINGS
from tests.usecases.games.test_usecases import refused
from tests.usecases.killing import killed_before
from tests.usecases.players import Time, ai_acts, decide, new_of, play, player, view

CLOCK = ClockRule(60, 0, "ai", "greedy")
OWN, OPEN, AI = NewSeat("player"), NewSeat("open"), NewSeat("ai", level="greedy")
FIELD = "azul:two"
DAY_S = 86_400


def game_of(context: Context, *callers: Caller, others: tuple[NewSeat, ...] = (), **changes: Any) -> str:
    """A rated game of these players, each in the seat of their number, and these beside them."""
    seats = [OWN, *[OPEN] * (len(callers) - 1), *others]
    game, _ = new_of(context, callers[0], *seats, rated=True, clock=CLOCK, **changes)
    for caller in callers[1:]:
        seating.claim(context, caller, game, None, None)
    return game


def resign(context: Context, game: str, caller: Caller) -> None:
    playing.resign(context, Request(caller, game), None)


def keep(context: Context) -> int:
    """What a keeper does; how much."""
    return follow_ups.look_after(context).done


def rated(context: Context, *player_ids: str, field: str = FIELD) -> list[StoredRating | None]:
    return context.ratings.every(player_ids, field)


def status(context: Context, game: str) -> str:
    return str(ratings.of_game(context, Caller(), game)["status"])


def stored(context: Context, *player_ids: str, field: str = FIELD) -> list[StoredRating]:
    """The ratings of players, each of whom has one."""
    found = [one for one in rated(context, *player_ids, field=field) if one is not None]
    assert len(player_ids) == len(found)
    return found


def resigned(context: Context, loser: int) -> tuple[str, list[str]]:
    """A rated game of two new players, of whom one has resigned: (game, ids of the players)."""
    people = [player(context) for _ in range(2)]
    game = game_of(context, *(caller for _, caller in people))
    resign(context, game, people[loser][1])
    return game, [name for name, _ in people]


def are_rated_as(context: Context, player_ids: list[str], *places: int, field: str = FIELD) -> None:
    """New players have the ratings of one game with these places."""
    expected = [(one.mu, one.sigma) for one in rating.after([rating.NEW] * len(places), places)]
    assert expected == [pytest.approx(one[:2]) for one in stored(context, *player_ids, field=field)]


def test_who_resigns_has_lost_and_both_are_rated_by_the_keeper(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    assert ("unfinished", 0) == (status(context, game), keep(context))
    resign(context, game, as_ben)
    assert ("pending", [None, None]) == (status(context, game), rated(context, ana, ben))
    assert (1, 0) == (keep(context), keep(context))
    assert "applied" == status(context, game)
    are_rated_as(context, [ana, ben], 1, 2)
    assert [(1, 1), (1, 0)] == [one[2:4] for one in stored(context, ana, ben)]


def test_whose_time_is_up_has_lost_whatever_was_said_of_it(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    assert "lose" == view(context, game)["clock"]["on_timeout"]
    time.pass_(61)
    assert timeouts.keep_time(context, game)
    assert 1 == keep(context)
    assert [0, 1] == [one.wins for one in stored(context, ana, ben)]


def test_one_person_is_rated_against_ais_who_stay_as_they_are(context: Context) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    play(context, game, {0: as_ana}, 2)
    resign(context, game, as_ana)
    assert 1 == keep(context)
    level = rating.of_level(repository.load(context, game).game.ruleset, 2, "greedy")
    assert level is not None
    assert rating.after([rating.NEW, level], [2, 1])[0] == pytest.approx(stored(context, ana)[0][:2])
    told = ratings.of_game(context, Caller(), game)["seats"]
    assert (level.points, level.points, 0, False) == tuple(told[1].values())
    assert told[0]["change"] < 0


def test_of_three_the_one_who_gives_up_is_behind_the_others_and_the_ai_that_plays_on_tells_the_rest(
    context: Context,
) -> None:
    people = [player(context) for _ in range(3)]
    game = game_of(context, *(caller for _, caller in people))
    resign(context, game, people[1][1])
    assert 0 == keep(context)
    callers = {0: people[0][1], 2: people[2][1]}
    while view(context, game)["status"] == "playing":
        number = view(context, game)["to_decide"]
        decide(context, game, callers[number]) if number in callers else ai_acts(context, game)
    assert 1 == keep(context)
    places = [seat["rank"] for seat in view(context, game)["outcome"]["seats"]]
    assert 3 == places[1]
    names = [name for name, _ in people]
    are_rated_as(context, names, *places, field="azul:many")
    assert [None] * 3 == rated(context, *names)


def test_a_game_without_an_outcome_and_one_that_is_not_rated_change_nothing(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    aborted = game_of(context, as_ana, as_ben)
    playing.abort(context, Request(as_ana, aborted))
    plain, _ = new_of(context, as_ana, OWN, OPEN)
    seating.claim(context, as_ben, plain, None, None)
    resign(context, plain, as_ben)
    for game in (aborted, plain, "no-such-game"):
        rating_games.count(context, game)
    assert (1, [None, None]) == (keep(context), rated(context, ana, ben))  # that which ended is counted
    assert ("not_counted", "aborted", []) == tuple(ratings.of_game(context, Caller(), aborted).values())


def test_who_plays_an_ai_cannot_abort_once_they_have_decided(context: Context) -> None:
    _, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    play(context, game, {0: as_ana}, 1)
    with refused("game/too_late_to_abort"):
        playing.abort(context, Request(as_ana, game))


# ------------------------------------------------------------------------------------------------- exactly once


STEPS = ("load", "note", "first player", "second player", "applied", "done")


class FailedError(Exception):
    """A follow-up is put off."""


def fails_at(context: Context, step: str) -> AbstractContextManager[None]:
    """The follow-up fails before this step."""
    doors: dict[str, tuple[Any, str, int]] = {
        "load": (repository, "load", 1),
        "note": (context.ratings, "note", 1),
        "first player": (context.ratings, "apply", 1),
        "second player": (context.ratings, "apply", 2),
        "applied": (context.ratings, "note", 2),
        "done": (context.follow_ups, "done", 1),
    }
    return killed_before(*doors[step], error=FailedError)


@pytest.mark.parametrize("step", STEPS)
def test_a_rating_that_fails_before_a_step_is_done_whole_by_the_next(context: Context, time: Time, step: str) -> None:
    """Nobody is forgotten, nobody is rated twice."""
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = game_of(context, as_ana, as_ben)
    resign(context, game, as_ben)
    with fails_at(context, step):
        assert 0 == keep(context)  # it is logged, and put off
    other = game_of(context, as_ana, as_ben)  # their ratings move on meanwhile
    resign(context, other, as_ana)
    assert 1 == keep(context)
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    assert (1, 0) == (keep(context), keep(context))
    assert {"applied"} == {status(context, each) for each in (game, other)}
    assert [(2, 1), (2, 1)] == [one[2:4] for one in stored(context, ana, ben)]


def test_what_a_game_brings_is_computed_once_though_ratings_move_before_it_is_applied(
    context: Context, time: Time
) -> None:
    game, names = resigned(context, loser=1)
    with fails_at(context, "second player"):
        keep(context)
    noted = context.ratings.noted(game, rating_games.NOTE)
    time.pass_(100)
    assert 1 == keep(context)
    assert noted == context.ratings.noted(game, rating_games.NOTE)
    are_rated_as(context, names, 1, 2)


def test_many_who_rate_one_game_at_once_rate_it_once(context: Context) -> None:
    game, names = resigned(context, loser=0)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: rating_games.count(context, game), range(16)))
    assert 1 == keep(context)
    are_rated_as(context, names, 2, 1)


def test_what_is_applied_is_looked_at_no_more(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = resigned(context, loser=0)
    for _ in range(2):
        rating_games.count(context, game)
        monkeypatch.setattr(context.ratings, "apply", None)
    assert "applied" == status(context, game)


def test_who_computes_a_game_second_applies_what_the_first_has_noted(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has read ratings that the first has changed already."""
    game, names = resigned(context, loser=0)
    result = rating_games.result

    def overtaken(doors: Context, seen: Any) -> Any:
        monkeypatch.setattr(rating_games, "result", result)
        rating_games.count(doors, game)
        return result(doors, seen)

    monkeypatch.setattr(rating_games, "result", overtaken)
    rating_games.count(context, game)
    are_rated_as(context, names, 2, 1)


def test_games_of_one_player_that_end_at_one_time_are_all_counted(context: Context) -> None:
    ana, as_ana = player(context)
    others = [player(context) for _ in range(4)]
    games = [game_of(context, as_ana, other) for _, other in others]
    for game in games:
        resign(context, game, as_ana)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda game: rating_games.count(context, game), games))
    assert (4, 0) == stored(context, ana)[0][2:4]
    assert [1] * 4 == [one.wins for one in stored(context, *(name for name, _ in others))]


def test_a_game_that_has_expired_or_ended_long_ago_is_rated_no_more(
    context: Context, redis_client: redis.Redis
) -> None:
    (expired, some), (old, others) = (resigned(context, loser=0) for _ in range(2))
    redis_client.delete(context.store.keys.game(expired).game)
    late = {"reason": None, "ended_ms": context.now_ms() - 2 * WINDOW_MS}
    seats = [{"before": [25, 8], "after": [24, 8], "won": False}] * 2
    context.ratings.note(old, rating_games.NOTE, orjson.dumps({**late, "seats": seats}))
    assert (2, 0) == (keep(context), keep(context))
    assert [None] * 4 == rated(context, *some, *others)


def test_the_same_follow_up_is_written_for_a_game_however_it_ends_and_no_other_commit_has_one(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, real = [], context.store.commit

    def watched(game_id: str, commit: Any) -> None:
        seen.append(commit.follow_up and commit.follow_up[0].id)
        real(game_id, commit)

    monkeypatch.setattr(context.store, "commit", watched)
    people = [player(context)[1] for _ in range(2)]
    game = game_of(context, *people)
    decide(context, game, people[0])
    resign(context, game, people[1])
    for number, caller in enumerate(people):
        offering.rematch(context, Request(caller, game), number)
    assert f"result:{game}" in seen
    assert 1 == sum(one is not None for one in seen)


# ---------------------------------------------------------------------------------------------- what is not counted


def test_of_two_players_no_more_than_five_games_a_day_are_counted(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben), (cleo, as_cleo) = (player(context) for _ in range(3))
    last = ""
    for number in range(MAX_MEETINGS + 2):
        last = game_of(context, *((as_ana, as_ben) if number % 2 else (as_ben, as_ana)))
        resign(context, last, as_ben)
        assert 1 == keep(context)
    assert ("not_counted", "same_players", []) == tuple(ratings.of_game(context, Caller(), last).values())
    assert [MAX_MEETINGS] * 2 == [one.games for one in stored(context, ana, ben)]
    resign(context, game_of(context, as_ana, as_cleo), as_cleo)
    three = game_of(context, as_ana, as_cleo, as_ben)
    for caller in (as_cleo, as_ben):
        resign(context, three, caller)
    keep(context)
    assert ("not_counted", [None]) == (status(context, three), rated(context, cleo, field="azul:many"))
    time.pass_(DAY_S)
    resign(context, game_of(context, as_ana, as_ben), as_ben)
    keep(context)
    assert [MAX_MEETINGS + 2, MAX_MEETINGS + 1] == [one.games for one in stored(context, ana, ben)]


def test_a_level_that_was_not_measured_makes_a_game_not_count(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    resign(context, game, as_ana)
    monkeypatch.setattr(rating, "of_level", lambda *_: None)
    keep(context)
    assert "unmeasured_level" == ratings.of_game(context, Caller(), game)["reason"]
    assert [None] == rated(context, ana)


# ------------------------------------------------------------------------------------------------- what is agreed


def test_a_rematch_of_a_rated_game_is_rated_and_the_level_that_filled_a_seat_counts(context: Context) -> None:
    ana, as_ana = player(context)
    game, _ = new_of(context, as_ana, OWN, OPEN, rated=True, clock=CLOCK, help=True)
    creating.start(context, Request(as_ana, game))
    shown = view(context, game)
    assert (True, False, "greedy") == (shown["rated"], shown["help"], shown["seats"][1]["level"])
    resign(context, game, as_ana)
    again = offering.rematch(context, Request(as_ana, game), 0).rematch
    assert again is not None
    shown = view(context, again)
    assert (True, "lose", False) == (shown["rated"], shown["clock"]["on_timeout"], shown["help"])
    resign(context, again, as_ana)
    assert 2 == keep(context)
    assert 2 == stored(context, ana)[0].games


def test_ratings_are_kept_as_long_as_the_player_who_comes_back(context: Context) -> None:
    ana, as_ana = player(context)
    game = game_of(context, as_ana, others=(AI,))
    resign(context, game, as_ana)
    keep(context)
    store: Any = context.store._redis
    home = context.store.keys.home(ana)
    names = (home.player(ana), home.ratings(ana), home.rated_games(ana), home.rating_days(ana, FIELD))
    for name in names:
        store.expire(name, 1000)
    players.me(context, as_ana)
    assert all(store.ttl(name) > 1000 for name in names)


def test_points_are_shown_of_what_is_kept(context: Context) -> None:
    ana, as_ana = player(context)
    resign(context, game_of(context, as_ana, others=(AI,)), as_ana)
    keep(context)
    told = ratings.of_player(context, ana, "azul", "two")
    (own,) = stored(context, ana)
    points = Rating(own.mu, own.sigma).points
    assert [("azul", "two", points, True, 1, 0, None)] == [tuple(one.values()) for one in told["ratings"]]
    assert [(points, True)] == [tuple(day.values())[1:] for day in told["history"]]
    assert {"ratings": [], "history": None} == ratings.of_player(context, ana, "summer-pavilion", None)
    assert ratings.of_player(context, ana, None, "two")["history"] is None
