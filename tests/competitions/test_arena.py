"""Pairing in an arena: short waits, and no immediate rematches while other players are free."""

from __future__ import annotations

import itertools
import statistics
from dataclasses import replace

from service.competitions import arena
from service.competitions.model import LOST, OVER, PAUSED, WON, Contest
from service.competitions.standings import arena_rows
from tests.competitions.field import HOUR, Play, new_competition
from tests.competitions.hour import play_an_hour


def test_an_arena_hour_with_forty_players_has_short_waits() -> None:
    """Nobody has a seat three times running, and strong players finish in the upper half."""
    play, waits = play_an_hour(40)
    assert 12 < statistics.mean(len(list(play.competition.contests_of(one))) for one in range(1, 41)) < 20
    assert statistics.median(waits) < 10_000
    assert max(waits) < 60_000
    for number in range(1, 41):
        others = [contest.opponent(number) for contest in play.competition.contests_of(number)]
        assert sum(one == other for one, other in itertools.pairwise(others)) <= 2
        seats = [contest.entrants.index(number) for contest in play.competition.contests_of(number)]
        assert not [one for one in zip(seats, seats[1:], seats[2:], strict=False) if len({*one}) == 1]
    upper = [row for row in arena_rows(play.competition)[:20] if row.entrant.number <= 10]
    assert len(upper) >= 8


def two_after_a_game(players: int = 4) -> Play:
    """Return an arena in which the first two players have just ended their game, and the others still play."""
    play = Play(new_competition(HOUR, [1500] * players))
    play.advance()
    play.now = 60_000
    play.end(play.competition.contests[0], (WON, LOST))
    return play


def test_pair_waits_for_other_opponents_before_a_rematch() -> None:
    play = two_after_a_game()
    play.advance()
    assert 1 == len(play.competition.running_contests)
    play.now += arena.PATIENCE_MS
    play.advance()
    again = play.competition.contests[-1]
    assert set(again.entrants) == set(play.competition.contests[0].entrants)
    assert again.entrants[0] != play.competition.contests[0].entrants[0]


def test_only_two_players_get_a_rematch_at_once() -> None:
    play = two_after_a_game(2)
    play.advance()
    assert 2 == len(play.competition.contests)


def test_blocked_players_are_not_paired() -> None:
    play = Play(new_competition(HOUR, [1500, 1500]))
    play.blocked = {frozenset((1, 2))}
    play.now = 600_000
    play.advance()
    assert () == play.competition.contests


def test_pausing_player_is_not_paired_and_absent_player_pauses() -> None:
    play = Play(new_competition(HOUR, [1500] * 3))
    play.competition = play.competition.with_entrant(replace(play.competition.by_number[3], status=PAUSED))
    play.advance()
    (contest,) = play.competition.running_contests
    assert {1, 2} == set(contest.entrants)
    play.competition = play.competition.with_result(contest.id, (WON, LOST), 5, [contest.entrants[1]])
    assert PAUSED == play.competition.by_number[contest.entrants[1]].status


def test_arena_ends_after_the_games_that_have_begun() -> None:
    play = Play(new_competition(HOUR, [1500] * 2))
    play.advance()
    play.now = 3_600_000
    play.advance()
    assert OVER != play.competition.status
    play.end(play.competition.contests[0], (WON, LOST))
    play.advance()
    assert (OVER, 1) == (play.competition.status, len(play.competition.contests))


def test_pairs_are_near_in_the_standings() -> None:
    play = Play(new_competition(HOUR, [2000, 1000, 1900, 1100]))
    play.advance()
    found = {frozenset(contest.entrants) for contest in play.competition.contests if isinstance(contest, Contest)}
    assert {frozenset((1, 3)), frozenset((2, 4))} == found
