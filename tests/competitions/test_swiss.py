"""Rounds of a Swiss: nobody meets twice, byes go round, who begins is balanced, and the strong come up."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from service.competitions import swiss
from service.competitions.model import DRAWN, LOST, OVER, REMOVED, WITHDRAWN, WON, Contest
from service.competitions.standings import swiss_rows
from tests.competitions.field import PLAN, Play, field


def first_wins(_: Contest) -> tuple[int, int]:
    return WON, LOST


def better_wins(contest: Contest) -> tuple[int, int]:
    """Of two, the one who entered first."""
    return (WON, LOST) if contest.entrants[0] < contest.entrants[1] else (LOST, WON)


def met(play: Play) -> Counter[frozenset[int]]:
    return Counter(frozenset(contest.entrants) for contest in play.competition.contests if not contest.is_bye)


def byes(play: Play) -> Counter[int]:
    return Counter(contest.entrants[0] for contest in play.competition.contests if contest.is_bye)


def begun(play: Play) -> Counter[int]:
    """Games that each began, less those that they did not."""
    balance = Counter[int]()
    for contest in play.competition.contests:
        if not contest.is_bye:
            balance[contest.entrants[0]] += 1
            balance[contest.entrants[1]] -= 1
    return balance


@pytest.mark.parametrize("players", [64, 63])
def test_seven_rounds_of_players_of_known_strength(players: int) -> None:
    """Nobody meets twice, byes at most once, who begins is balanced, and the best quarter lands in the upper half."""
    strength = random.Random(5)
    play = Play(field(PLAN, sorted((round(strength.gauss(1500, 250)) for _ in range(players)), reverse=True)))
    for _ in range(7):
        play.round(play.by_strength)
    play.advance()
    assert OVER == play.competition.status
    assert {1} == set(met(play).values())
    assert 7 * (players // 2) == len(met(play))
    assert {1} >= set(byes(play).values())
    assert 7 * (players % 2) == byes(play).total()
    assert 3 >= max(map(abs, begun(play).values()))
    rows = swiss_rows(play.competition)
    upper = [row.entrant.number for row in rows[: players // 2] if row.entrant.number <= players // 4]
    assert len(upper) >= 0.8 * (players // 4)


def test_the_first_of_the_upper_half_plays_the_first_of_the_lower() -> None:
    first = Play(field(PLAN, [2000 - number for number in range(8)])).round(first_wins)
    assert [{1, 5}, {2, 6}, {3, 7}, {4, 8}] == [set(contest.entrants) for contest in first]


def test_who_has_won_plays_who_has_won() -> None:
    play = Play(field(PLAN, [2000 - number for number in range(8)]))
    play.round(better_wins)
    assert [{1, 3}, {2, 4}, {5, 7}, {6, 8}] == [set(contest.entrants) for contest in play.round(better_wins)]


def test_the_bye_is_the_last_ones_and_nobodys_twice() -> None:
    play = Play(field(PLAN, [1500] * 5))
    for _ in range(5):
        play.round(better_wins)
    assert dict.fromkeys(range(1, 6), 1) == byes(play)
    assert (5,) == play.competition.contests[2].entrants
    assert {1} == set(met(play).values())


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 5)])
def test_there_are_no_more_rounds_than_there_are_others_to_meet(players: int, rounds: int) -> None:
    play = Play(field(PLAN, [1500] * players))
    while play.competition.status != OVER:
        play.round(first_wins)
    assert rounds == play.competition.round
    assert {1} == set(met(play).values())


@pytest.mark.parametrize("players", [6, 7, 8, 9, 10])
def test_half_as_many_rounds_as_players_never_have_two_meet_twice(players: int) -> None:
    for seed in range(20):
        play = Play(field(replace(PLAN, rounds=players // 2), [1500] * players), seed)
        while play.competition.status != OVER:
            play.round(play.by_strength)
        assert {1} == set(met(play).values())


def test_where_it_cannot_be_avoided_two_meet_again_rather_than_not_play() -> None:
    """Of six, two groups of three have each met all of the other: a round of three games needs two who have met."""
    play = Play(field(PLAN, [1500] * 6))
    play.advance()
    across = [(one, other) for one in (1, 2, 3) for other in (4, 5, 6)]
    games = [Contest(f"x{number}", 1, pair, 0, (DRAWN, DRAWN), 0) for number, pair in enumerate(across)]
    competition = replace(play.competition, contests=tuple(games), round=3)
    pairs = swiss.pairs(competition, (), random.Random(1))
    assert 3 == len(pairs)
    assert 1 == sum(frozenset(pair) in {frozenset(one) for one in across} for pair in pairs)


def test_two_of_whom_one_has_blocked_the_other_are_not_paired_unless_nobody_else_is_left() -> None:
    play = Play(field(PLAN, [2000, 1900, 1800, 1700]))
    play.blocked = {frozenset((1, 3)), frozenset((1, 4))}
    assert {1, 2} == set(play.round(first_wins)[0].entrants)
    alone = Play(field(PLAN, [2000, 1900]))
    alone.blocked = {frozenset((1, 2))}
    assert 1 == len(alone.round(first_wins))


@pytest.mark.parametrize("status", [WITHDRAWN, REMOVED])
def test_who_has_left_is_paired_no_more_and_keeps_their_points(status: str) -> None:
    play = Play(field(PLAN, [1500] * 4))
    play.round(better_wins)
    leader = play.competition.by_number[1]
    play.competition = play.competition.with_entrant(replace(leader, status=status))
    for _ in range(2):
        assert all(1 not in contest.entrants for contest in play.round(better_wins))
    assert 1 == next(row.score for row in swiss_rows(play.competition) if row.entrant.number == 1)


def test_who_loses_by_time_without_an_action_has_left() -> None:
    play = Play(field(PLAN, [1500] * 4))
    play.advance()
    contest = play.competition.unfinished[0]
    absent = contest.entrants[1]
    competition = play.competition.with_result(contest.id, (WON, LOST), 5, [absent])
    assert WITHDRAWN == competition.by_number[absent].status


def test_the_first_result_of_a_game_is_the_only_one() -> None:
    play = Play(field(PLAN, [1500] * 2))
    play.advance()
    (contest,) = play.competition.unfinished
    play.end(contest, (WON, LOST))
    play.end(contest, (LOST, WON))
    assert [(WON, LOST)] == [one.halves for one in play.competition.contests]


def test_a_round_waits_for_its_games_and_then_for_the_pause() -> None:
    play = Play(field(replace(PLAN, pause_s=30), [1500] * 4))
    play.advance()
    one, other = play.competition.unfinished
    play.end(one, (WON, LOST))
    play.advance()
    assert (1, None) == (play.competition.round, play.competition.next_at)
    play.end(other, (WON, LOST))
    play.advance()
    assert (1, 30_000) == (play.competition.round, play.competition.next_at)
    play.now = 29_999
    play.advance()
    assert 1 == play.competition.round
    play.now = 30_000
    play.advance()
    assert (2, None) == (play.competition.round, play.competition.next_at)
