"""Removed games count for none of their players, whatever dies in between, and restored ones count as before."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from service.games import rating
from service.games.rating import Rating
from service.storage.people.ratings import StoredRating
from service.usecases.base.context import Caller, Context
from service.usecases.keeping import rated_games
from service.usecases.keeping.rated_games import REMOVE, RESTORE
from service.usecases.people import follow_ups, leaderboard_names, leaderboards, players, rating_removals, ratings
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import KilledError, before_call, killed_before
from tests.usecases.people.test_rated_games import AI, FIELD, existing_ratings, find_ratings, game_of, run_follow_ups
from tests.usecases.players import Time, player, resign

SECRET = "the-operator-s-token-of-the-tests"
ADMIN = Caller(SECRET)
DAY_S = 86_400


@pytest.fixture(autouse=True)
def _operator(context: Context) -> None:
    context.settings = replace(context.settings, admin_token=SECRET)


def lose(context: Context, loser: Caller, *winners: Caller) -> str:
    """Play a rated game that the first player loses."""
    game = game_of(context, loser, *winners)
    resign(context, game, loser)
    run_follow_ups(context)
    return game


def change(
    context: Context, word: str, act: str = REMOVE, games: list[str] | None = None, since_ms: int | None = None
) -> Any:
    return rated_games.change(context, ADMIN, word, act, games, since_ms, "Cheating.")


def run_all(context: Context, time: Time) -> None:
    time.pass_(follow_ups.RETRY_MS / 1000 + 1)
    while run_follow_ups(context):
        pass


def everything(context: Context, *player_ids: str) -> list[Any]:
    """Return ratings, histories and removed games of these players."""
    fields = [field for one in context.ratings.get_many(player_ids) for field in one]
    return [
        (context.ratings.read_field(one, field), context.ratings.history(one, field))
        for one in player_ids
        for field in sorted({*fields})
    ]


def assert_close(expected: StoredRating | None, actual: StoredRating | None) -> None:
    assert (expected is None) == (actual is None)
    if expected is not None and actual is not None:
        assert [*expected] == [None if one is None else pytest.approx(one, rel=1e-9) for one in actual]


def test_opponents_get_the_rating_that_their_other_games_give(context: Context, time: Time) -> None:
    (ana, as_ana), (ben, as_ben), (cheat, as_cheat) = (player(context) for _ in range(3))
    lost = lose(context, as_ana, as_cheat)
    time.pass_(10 * DAY_S)
    won = lose(context, as_ben, as_ana)
    (before,) = existing_ratings(context, ben)
    change(context, cheat)
    note = next(game for game in rating_removals.games_of(context, ana) if game.id == won)
    seat = note.players.index(ana)
    weights = {(seat, other): note.changes[seat]["weights"][other] for other in range(2)}
    ratings_before = [rating.NEW if one == seat else note.rating_before(one) for one in range(2)]
    (found,) = existing_ratings(context, ana)
    assert rating.rate_game(ratings_before, note.places, weights)[seat] == pytest.approx(Rating(found.mu, found.sigma))
    assert (1, 1) == (found.games, found.wins)
    assert [None] == find_ratings(context, cheat)
    assert [before] == existing_ratings(context, ben)
    assert ("not_counted", "removed") == tuple(
        ratings.of_game(context, Caller(), lost)[name] for name in ("status", "reason")
    )
    assert "applied" == ratings.of_game(context, Caller(), won)["status"]


def test_a_restored_game_counts_as_before(context: Context, time: Time) -> None:
    """The ratings of the others were stored with the games, so computing again gives the same numbers."""
    people, chance = [player(context) for _ in range(4)], Random(4)
    for _ in range(9):
        seats = chance.sample(people, chance.choice((2, 2, 2, 3)))
        game = game_of(context, *(caller for _, caller in seats), others=(AI,) if chance.random() < 0.2 else ())
        for _, caller in seats[:-1]:
            if ratings.of_game(context, Caller(), game)["status"] == "unfinished":
                resign(context, game, caller)
        run_follow_ups(context)
        time.pass_(chance.choice((60, 3 * DAY_S / 2)))
    ids = [name for name, _ in people]
    before = context.ratings.get_many(ids)
    change(context, ids[0], games=[rating_removals.games_of(context, ids[0])[1].id])
    change(context, ids[0])
    run_all(context, time)
    assert {} == context.ratings.get(ids[0])
    assert before[1:] != context.ratings.get_many(ids[1:])
    change(context, ids[0], RESTORE)
    run_all(context, time)
    for one, other in zip(before[1:], context.ratings.get_many(ids[1:]), strict=True):
        assert one.keys() == other.keys()
        for field in one:
            assert_close(one[field]._replace(best=None), other[field]._replace(best=None))


STEPS = [("ratings", "mark", 2), ("ratings", "rebuild", 2), ("leaderboards", "place", 1)]
STEPS += [("follow_ups", "replace", 1), ("follow_ups", "remove", 1)]


@pytest.mark.parametrize(("store", "step", "call"), STEPS)
def test_a_removal_that_is_killed_is_completed_by_a_keeper(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch, store: str, step: str, call: int
) -> None:
    monkeypatch.setattr(rating_removals, "STEPS_PER_RUN", 2)
    (cheat, as_cheat), *others = (player(context) for _ in range(3))
    ids = [cheat, *(name for name, _ in others)]
    for _, caller in others:
        lose(context, caller, as_cheat)
    for _, caller in others[1:]:
        lose(context, others[0][1], caller)
    with killed_before(getattr(context, store), step, call), contextlib.suppress(KilledError):
        change(context, cheat)
        run_all(context, time)
        pytest.fail("not killed")
    run_all(context, time)
    result = everything(context, *ids)
    assert [None, 1, 1] == [None if one is None else one.games for one in find_ratings(context, *ids)]
    change(context, cheat)  # changes nothing
    run_all(context, time)
    assert result == everything(context, *ids)
    assert 1 == len([entry for entry in context.moderation.log(None, 100) if entry.act == REMOVE])


def test_a_game_that_ends_meanwhile_counts_once(context: Context) -> None:
    (ana, as_ana), (_, as_ben), (cheat, as_cheat) = (player(context) for _ in range(3))
    lose(context, as_ana, as_cheat)
    with before_call(context.ratings, "rebuild", lambda: lose(context, as_ben, as_ana)):
        change(context, cheat)
    (found,) = existing_ratings(context, ana)
    assert (1, 1) == (found.games, found.wins)
    halved = {(0, 1): 1 / 2}  # by the removed game, against another new account
    assert [*rating.rate_game([rating.NEW] * 2, [1, 2], halved)[0]] == pytest.approx([*found[:2]])


def test_a_game_that_is_not_rated_yet_is_removed(context: Context) -> None:
    (ana, as_ana), (cheat, as_cheat) = player(context), player(context)
    game = game_of(context, as_ana, as_cheat)
    resign(context, game, as_ana)
    change(context, cheat)
    run_follow_ups(context)
    assert [None, None] == find_ratings(context, ana, cheat)
    assert "removed" == ratings.of_game(context, Caller(), game)["reason"]


def test_only_games_that_are_named_or_have_ended_since_are_removed(context: Context, time: Time) -> None:
    (ana, as_ana), (cheat, as_cheat) = player(context), player(context)
    first, second, third = (lose(context, as_ana, as_cheat) for _ in range(3))
    other = lose(context, as_ana, player(context)[1])
    with raises_error("request/invalid") as raised:
        change(context, cheat, games=[first, other])
    assert ["/games/1"] == [*raised.value.errors]
    listed = change(context, cheat, games=[second])
    assert {first: False, second: True, third: False} == {game["game_id"]: game["removed"] for game in listed}
    assert 3 == existing_ratings(context, ana)[0].games
    listed = change(context, cheat, since_ms=context.now_ms() + 1)
    assert 3 == existing_ratings(context, ana)[0].games
    assert [ana] == listed[0]["opponents"]


def places(context: Context) -> dict[str, int]:
    page = leaderboards.page(context, "azul", "two", "people", "quarter", 1, 10)
    return {place["player"]["id"]: place["points"] for place in page["places"]}


def test_leaderboards_and_curves_show_the_remaining_games(context: Context) -> None:
    (ana, as_ana), (ben, as_ben), (cheat, as_cheat) = (player(context) for _ in range(3))
    lose(context, as_cheat, as_ana)
    before, curve = places(context), context.ratings.history(ana, FIELD)
    second = lose(context, as_cheat, as_ana)
    lose(context, as_cheat, as_ben)
    boards = leaderboard_names.all_boards(["azul"], ["two"], context.now_ms())
    context.leaderboards.remove(boards, [cheat])  # no game in the period
    change(context, cheat, games=[second])
    assert before[ana] == places(context)[ana]
    assert {ana, ben} == places(context).keys()
    assert [pytest.approx(day[1:]) for day in curve] == [day[1:] for day in context.ratings.history(ana, FIELD)]
    change(context, cheat)
    assert {} == places(context)
    assert [] == context.ratings.history(ana, FIELD)


def test_a_deleted_opponent_or_player_does_not_prevent_a_removal(context: Context) -> None:
    (_, as_ana), (ben, as_ben), (cheat, as_cheat) = (player(context) for _ in range(3))
    games = [lose(context, as_cheat, other) for other in (as_ana, as_ben)]
    players.delete(context, as_ana)
    change(context, cheat, games=[games[0]])
    assert 1 == existing_ratings(context, cheat)[0].games
    delete = partial(players.delete, context, as_cheat)
    with before_call(context.players, "change", delete), raises_error("player/not_found"):
        change(context, cheat)
    assert 1 == existing_ratings(context, ben)[0].games
    assert 1 == len([entry for entry in context.moderation.log(None, 100) if entry.act == REMOVE])
