"""Rounds of a Swiss: no rematches, fair byes, balanced first seats, and strong players at the top."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest

from service.competitions import swiss
from service.competitions.model import DRAWN, LOST, OVER, REMOVED, WITHDRAWN, WON, Contest
from service.competitions.standings import swiss_rows
from tests.competitions.field import PLAN, Play, new_competition
from tests.competitions.sequences import play_swiss, share_of


def first_wins(_: Contest) -> tuple[int, int]:
    return WON, LOST


def better_wins(contest: Contest) -> tuple[int, int]:
    """Let the player who entered first win."""
    return (WON, LOST) if contest.entrants[0] < contest.entrants[1] else (LOST, WON)


def worse_wins(contest: Contest) -> tuple[int, int]:
    """Let the player who entered last win."""
    return (LOST, WON) if contest.entrants[0] < contest.entrants[1] else (WON, LOST)


def pairs(play: Play) -> Counter[frozenset[int]]:
    return Counter(frozenset(contest.entrants) for contest in play.competition.contests if not contest.is_bye)


def byes(play: Play) -> Counter[int]:
    return Counter(contest.entrants[0] for contest in play.competition.contests if contest.is_bye)


def first_seat_balance(play: Play) -> Counter[int]:
    """Return for each player the number of games as first player minus the others."""
    balance = Counter[int]()
    for contest in play.competition.contests:
        if not contest.is_bye:
            balance[contest.entrants[0]] += 1
            balance[contest.entrants[1]] -= 1
    return balance


@pytest.mark.parametrize("players", [64, 63])
def test_seven_rounds_of_a_large_swiss_are_paired_well(players: int) -> None:
    """No pair plays twice, byes are unique, first seats are balanced, and the best quarter is in the upper half."""
    strength = random.Random(5)
    play = Play(new_competition(PLAN, sorted((round(strength.gauss(1500, 250)) for _ in range(players)), reverse=True)))
    for _ in range(7):
        play.round(play.by_strength)
    play.advance()
    assert OVER == play.competition.status
    assert {1} == set(pairs(play).values())
    assert 7 * (players // 2) == len(pairs(play))
    assert {1} >= set(byes(play).values())
    assert 7 * (players % 2) == byes(play).total()
    assert 3 >= max(map(abs, first_seat_balance(play).values()))
    rows = swiss_rows(play.competition)
    upper = [row.entrant.number for row in rows[: players // 2] if row.entrant.number <= players // 4]
    assert len(upper) >= 0.8 * (players // 4)


@pytest.mark.parametrize(("players", "simulations"), [(25, 12), (64, 3)])
def test_players_are_rarely_floated_twice_running_and_never_have_a_seat_three_times_running(
    players: int, simulations: int
) -> None:
    sequences = [one for seed in range(simulations) for one in play_swiss(players, 9, seed)]
    assert share_of(one.repeats_a_float for one in sequences) <= 0.31
    assert not [one for one in sequences if one.repeats_a_seat]


@pytest.mark.parametrize(("weight", "floated"), [(swiss.REPEATED_FLOAT, False), (0, True)])
def test_another_player_floats_down_after_a_bye(monkeypatch: pytest.MonkeyPatch, weight: int, *, floated: bool) -> None:
    """Players 1, 2 and 3 lead, and 3 has the lowest rating of them."""
    monkeypatch.setattr(swiss, "REPEATED_FLOAT", weight)
    play = Play(new_competition(PLAN, [2000, 1900, 1800, 1700, 1600, 1500]))
    games = [Contest("a", 1, (1, 4), 0, (WON, LOST), 0), Contest("b", 1, (5, 2), 0, (LOST, WON), 0)]
    competition = replace(play.competition, contests=(*games, Contest("bye:1", 1, (3,), 0, (WON,), 0)), round=1)
    pairs = swiss.pairs(competition, (), random.Random(1))
    (of_third,) = (pair for pair in pairs if 3 in pair)
    assert floated is bool({4, 5, 6} & {*of_third})


def test_the_seat_of_the_last_two_games_changes_before_scores_are_compared() -> None:
    """Players 1 and 2 lead, and both had the first seat twice."""
    contests = [
        Contest(f"{number} {one}", number, (one, other), 0, (WON, LOST), 0)
        for number, pairs in enumerate(([(1, 3), (2, 4), (5, 6)], [(1, 4), (2, 3), (6, 5)]), 1)
        for one, other in pairs
    ]
    play = Play(new_competition(PLAN, [1500] * 6))
    play.competition = replace(play.competition, contests=tuple(contests), round=2)
    assert all(pair[0] not in (1, 2) for pair in swiss.pairs(play.competition, (), random.Random(1)))


def test_the_first_of_the_upper_half_plays_the_first_of_the_lower_half() -> None:
    first = Play(new_competition(PLAN, [2000 - number for number in range(8)])).round(first_wins)
    assert [{1, 5}, {2, 6}, {3, 7}, {4, 8}] == [set(contest.entrants) for contest in first]


def test_winners_play_winners_and_losers_play_losers() -> None:
    play = Play(new_competition(PLAN, [2000 - number for number in range(8)]))
    play.round(better_wins)
    assert [{1, 3}, {2, 4}, {5, 7}, {6, 8}] == [set(contest.entrants) for contest in play.round(better_wins)]


def test_bye_goes_to_the_last_player_and_to_each_player_once() -> None:
    play = Play(new_competition(PLAN, [1500] * 5))
    for _ in range(5):
        play.round(better_wins)
    assert dict.fromkeys(range(1, 6), 1) == byes(play)
    assert (5,) == play.competition.contests[2].entrants
    assert {1} == set(pairs(play).values())


def test_a_repeated_pair_is_better_than_a_second_bye() -> None:
    """After byes of 5, 2 and 1, every pairing of round 4 has a second bye or a repeated pair."""
    play = Play(new_competition(replace(PLAN, rounds=4), [1500] * 5))
    for _ in range(4):
        play.round(worse_wins)
    assert dict.fromkeys((5, 2, 1, 4), 1) == byes(play)
    assert 1 == list(pairs(play).values()).count(2)


@pytest.mark.parametrize("leaving", [0, 0.15])
@pytest.mark.parametrize(("players", "rounds"), [(3, 3), (5, 4), (5, 5), (7, 7), (9, 8), (12, 11)])
def test_the_bye_goes_to_a_player_with_the_fewest_byes(players: int, rounds: int, leaving: float) -> None:
    """Only the players of the round count. `leaving`: probability that a player leaves before a round."""
    for seed in range(30):
        chance = random.Random(seed)
        play = Play(new_competition(replace(PLAN, rounds=rounds), [1500] * players), seed)
        while play.competition.status != OVER:
            play.round(play.by_strength)
            if chance.random() < leaving:
                leaver = replace(chance.choice(play.competition.active), status=WITHDRAWN)
                play.competition = play.competition.with_entrant(leaver)
        counts = Counter[int]()
        for _, contests in groupby(play.competition.contests, key=lambda contest: contest.round):
            entrants = [contest.entrants for contest in contests]
            fewest = min(counts[number] for pair in entrants for number in pair)
            receivers = [pair[0] for pair in entrants if len(pair) == 1]
            assert all(counts[number] == fewest for number in receivers)
            counts.update(receivers)


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 5)])
def test_number_of_rounds_is_limited_by_the_number_of_opponents(players: int, rounds: int) -> None:
    play = Play(new_competition(PLAN, [1500] * players))
    while play.competition.status != OVER:
        play.round(first_wins)
    assert rounds == play.competition.round
    assert {1} == set(pairs(play).values())


@pytest.mark.parametrize("players", [6, 7, 8, 9, 10])
def test_half_as_many_rounds_as_players_need_no_rematch(players: int) -> None:
    for seed in range(20):
        play = Play(new_competition(replace(PLAN, rounds=players // 2), [1500] * players), seed)
        while play.competition.status != OVER:
            play.round(play.by_strength)
        assert {1} == set(pairs(play).values())


def test_unavoidable_rematch_is_better_than_a_missing_game() -> None:
    """Each of two groups of three has played the whole other group, so a round of three games needs a rematch."""
    play = Play(new_competition(PLAN, [1500] * 6))
    play.advance()
    across = [(one, other) for one in (1, 2, 3) for other in (4, 5, 6)]
    games = [Contest(f"x{number}", 1, pair, 0, (DRAWN, DRAWN), 0) for number, pair in enumerate(across)]
    competition = replace(play.competition, contests=tuple(games), round=3)
    pairs = swiss.pairs(competition, (), random.Random(1))
    assert 3 == len(pairs)
    assert 1 == sum(frozenset(pair) in {frozenset(one) for one in across} for pair in pairs)


def test_blocked_players_are_paired_only_if_no_other_player_is_left() -> None:
    play = Play(new_competition(PLAN, [2000, 1900, 1800, 1700]))
    play.blocked = {frozenset((1, 3)), frozenset((1, 4))}
    assert {1, 2} == set(play.round(first_wins)[0].entrants)
    alone = Play(new_competition(PLAN, [2000, 1900]))
    alone.blocked = {frozenset((1, 2))}
    assert 1 == len(alone.round(first_wins))


@pytest.mark.parametrize("status", [WITHDRAWN, REMOVED])
def test_player_who_has_left_is_not_paired_and_keeps_their_points(status: str) -> None:
    play = Play(new_competition(PLAN, [1500] * 4))
    play.round(better_wins)
    leader = play.competition.by_number[1]
    play.competition = play.competition.with_entrant(replace(leader, status=status))
    for _ in range(2):
        assert all(1 not in contest.entrants for contest in play.round(better_wins))
    assert 1 == next(row.score for row in swiss_rows(play.competition) if row.entrant.number == 1)


def test_player_who_times_out_without_an_action_is_withdrawn() -> None:
    play = Play(new_competition(PLAN, [1500] * 4))
    play.advance()
    contest = play.competition.running_contests[0]
    absent = contest.entrants[1]
    competition = play.competition.with_result(contest.id, (WON, LOST), 5, [absent])
    assert WITHDRAWN == competition.by_number[absent].status


def test_a_second_result_of_a_game_is_ignored() -> None:
    play = Play(new_competition(PLAN, [1500] * 2))
    play.advance()
    (contest,) = play.competition.running_contests
    play.end(contest, (WON, LOST))
    play.end(contest, (LOST, WON))
    assert [(WON, LOST)] == [one.halves for one in play.competition.contests]


def test_a_round_waits_for_its_games_and_then_for_the_pause() -> None:
    play = Play(new_competition(replace(PLAN, pause_s=30), [1500] * 4))
    play.advance()
    one, other = play.competition.running_contests
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
