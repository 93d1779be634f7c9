"""Benchmark matches with fixed seeds and simulations, so that they can be repeated; real processes, also killed."""

from __future__ import annotations

import itertools
import math
import os
import random
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import orjson
import pytest

from research.matches.match import Game, Match, Result, play
from research.matches.remote import queue
from research.matches.results import Results, UnusableResultsError
from research.matches.running import local_players, processes, run
from research.matches.sides import Searcher
from research.matches.statistics import plot, sequences
from service.levels import FALLBACK, LAST_RESORT, LEVELS
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.storage.work.queue import Queue
from tests.patience import HANG_S, wait_until
from tests.research.commands import run_command
from tests.rulesets.offers import WITH_LEVELS
from tests.sampling import one_in
from tests.workers.positions import walk
from tests.workers.processes import ROOT, Processes
from workers.search import players
from workers.search.budgets import Budget

SIDES = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
FAST = Match("azul", ("coloured", "grey"), 2, ("greedy", "random"), 9)


def match_of(first: str, second: str, ruleset: str = "azul", *variants: str, seats: int = 2) -> Match:
    return Match(ruleset, variants or RULESETS[ruleset].variants, seats, (first, second), 1)


def games_of(path: Path) -> list[tuple[int, int]]:
    return [(game["deal"], game["seat"]) for game in map(orjson.loads, path.read_bytes().splitlines()[1:])]


# ------------------------------------------------------------------------------------------------------ matches


def test_each_deal_is_played_once_from_every_seat_and_variants_alternate() -> None:
    match = match_of("random", "random", seats=3)
    places = [(game.deal, game.seat) for game in run(match, 2, local_players(1)).games]
    assert [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] == places
    assert ["coloured", "grey", "coloured"] == [match.variant(deal) for deal in range(3)]


def test_a_repeated_game_has_the_same_result() -> None:
    match = match_of("tree@40", "greedy", seats=3)
    assert play(match, 0, 2) == play(match, 0, 2)


@pytest.mark.parametrize(("ruleset", "variant"), one_in(6, SIDES))
def test_greedy_beats_random_clearly(ruleset: str, variant: str) -> None:
    assert run(match_of("greedy", "random", ruleset, variant), 12, local_players(1)).win_share >= 0.9


@pytest.mark.parametrize(("ruleset", "variant"), one_in(6, [side for side in SIDES if side[0] in WITH_LEVELS]))
def test_a_small_tree_beats_greedy(ruleset: str, variant: str) -> None:
    assert run(match_of("tree@200", "greedy", ruleset, variant), 4, local_players(1)).win_share >= 0.6


@pytest.mark.nightly
@pytest.mark.parametrize("seats", [3, 4])
def test_a_small_tree_beats_several_greedy_opponents(seats: int) -> None:
    assert (
        run(match_of("tree@300", "greedy", "azul", "coloured", seats=seats), 2, local_players(1)).win_share
        >= 1.5 / seats
    )


def test_seats_of_one_player_have_separate_searches() -> None:
    """The position after a decision of one seat is the one in which the other decides."""

    class Noting(Searcher):
        def __init__(self) -> None:
            super().__init__(players.parse_player(RULESETS["azul"], "tree@10"))
            self.made: list[object] = []

        def decide(self, position: Position, seed: bytes, budget: Budget | None = None) -> int:
            action = super().decide(position, seed, budget)
            self.made.append(self._searches._cache[position.seat])
            return action

    side, position = Noting(), walk("azul", "grey", 2, 1, 0)
    for number in range(4):
        position = position.play(side.decide(position, bytes([number + 1]) * 32))
    assert all(one is not other for one, other in itertools.pairwise(side.made))


def test_fallback_levels_exist_and_need_no_time() -> None:
    assert all(LEVELS[name].budget_s == 0 for name in (FALLBACK, LAST_RESORT))


# ------------------------------------------------------------------------------------------------------ intervals


COINS: dict[str, tuple[float, Callable[[random.Random], float]]] = {
    "a fair coin": (0.5, lambda chance: float(chance.random() < 0.5)),
    "pairs of games": (0.75, lambda chance: sum(chance.random() < 0.75 for _ in range(2)) / 2),
    "a player who nearly always wins": (0.95, lambda chance: float(chance.random() < 0.95)),
}


@pytest.mark.parametrize("coin", one_in(3, COINS))
def test_the_interval_rarely_excludes_the_true_share_even_if_checked_after_each_deal(coin: str) -> None:
    """In 150 matches of 200 deals, checked after each, at most 5 % are expected."""
    mean, deal = COINS[coin]
    chance, wrong = random.Random(5), 0
    for _ in range(150):
        deals: list[float] = []
        while len(deals) < 200 and sequences.wealth(deals, mean) < math.log(1 / sequences.ALPHA):
            deals.append(deal(chance))
        wrong += len(deals) < 200
    assert wrong <= 0.07 * 150


def test_alternating_variants_of_different_strength_do_not_cause_wrong_decisions() -> None:
    """A player wins four of five and one of five in turn, which is a half."""
    chance, wrong = random.Random(7), 0
    for _ in range(100):
        deals = [float(chance.random() < (0.8, 0.2)[deal % 2]) for deal in range(200)]
        wrong += any(
            sequences.wealth(deals[:count], 0.5) >= math.log(1 / sequences.ALPHA) for count in range(2, 201, 2)
        )
    assert wrong <= 0.05 * 100


def test_the_wealth_after_wins_only_matches_the_textbook() -> None:
    """Jeffreys' mixture of b^n is Gamma(n + 1/2) / (sqrt(pi) Gamma(n + 1)): 35/128 for 4 wins; over 1/16 for a half."""
    assert 16 * 35 / 128 == pytest.approx(math.exp(sequences.wealth([1.0] * 4, 0.5)), rel=1e-3)


def test_the_wealth_at_the_ends_of_the_interval_is_the_threshold() -> None:
    deals = [1.0, 0.5, 1.0, 0.0] * 10
    for end in sequences.interval(deals):
        assert math.log(20) == pytest.approx(sequences.wealth(deals, end), abs=1e-3)
    assert (0.5, 1.0) == (round(sequences.interval([1.0] * 6)[0], 1), sequences.interval([1.0] * 6)[1])


def test_without_games_the_interval_is_0_to_1_and_undecided() -> None:
    assert (0.0, 1.0) == sequences.interval([])
    assert not sequences.is_decided([], [0.5])
    assert sequences.is_decided([1.0] * 40, [0.5])


def game(deal: int, seat: int, won: float) -> Game:
    return Game(deal, seat, won, (10, 5), (1, 1), (0.1, 0.1), 0.2)


def test_only_deals_before_the_first_incomplete_one_count() -> None:
    """Otherwise stopping early would favour short games."""
    result = Result(FAST, (game(2, 0, 1), game(2, 1, 1), game(0, 1, 0), game(1, 0, 1), game(0, 0, 1)))
    assert ((0.5,), 0.5) == (result.deals, result.win_share)
    assert [(0, 0), (0, 1)] == [(one.deal, one.seat) for one in result.counted_games]


# ------------------------------------------------------------------------------------------------------ running


@pytest.mark.nightly
def test_a_match_has_the_same_result_on_several_processes() -> None:
    assert run(FAST, 3, local_players(1)).counted_games == run(FAST, 3, local_players(2)).counted_games


def test_a_match_stops_as_soon_as_it_is_decided() -> None:
    result = run(FAST, 200, local_players(1), bounds=[0.5])
    assert 4 <= len(result.deals) < 20
    assert result.interval[0] > 0.5


def test_stored_games_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "match.jsonl"
    first = run(FAST, 2, local_players(1), path=path)
    assert first.counted_games == run(FAST, 2, lambda *_: pytest.fail("played"), path=path).counted_games
    assert 4 == len(run(FAST, 4, local_players(1), path=path).deals)
    assert sorted(games_of(path)) == [(deal, seat) for deal in range(4) for seat in range(2)]


def test_an_incomplete_last_line_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    run(FAST, 1, local_players(1), path=path)
    path.write_bytes(path.read_bytes()[:-20])
    assert 2 == len(run(FAST, 2, local_players(1), path=path).deals)
    assert 4 == len(set(games_of(path)))


@pytest.mark.parametrize("content", ["{}\n", "hello\n", '{"a": 1}\n[]\n'])
def test_a_file_with_other_contents_is_refused_and_unchanged(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other"
    path.write_text(content)
    with pytest.raises(UnusableResultsError):
        Results(FAST, path)
    assert content == path.read_text()


def test_a_file_in_use_or_with_other_settings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with Results(match_of("tree@10", "random"), path), pytest.raises(UnusableResultsError, match="another match"):
        Results(match_of("tree@10", "random"), path)
    with pytest.raises(UnusableResultsError, match="other settings"):
        Results(match_of("tree@11", "random"), path)


def match_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "research.matches", *arguments]


STOPS = """
import json, os, signal, sys
for number, line in enumerate(sys.stdin):
    if number > 60 and not os.path.exists("{may_go_on}"):
        signal.pause()
    question = json.loads(line)
    print(json.dumps({{"protocol": 1}} if question["type"] == "hello" else question["actions"][0]), flush=True)
"""
"""A program that plays a game and then waits until it may continue."""


@pytest.mark.parametrize("kill", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)])
def test_a_killed_match_can_be_resumed(tmp_path: Path, kill: signal.Signals) -> None:
    """Its processes end with it, no game is played twice, and none is missing."""
    path, program, may_go_on = (tmp_path / name for name in ("match.jsonl", "program.py", "may_go_on"))
    program.write_text(STOPS.format(may_go_on=may_go_on))
    players = (f"program:{sys.executable} {program}", "greedy")
    asked = ("azul", "--players", *players, "--deals", "8", "--results", str(path))
    command = match_command(*asked, "--jobs", "2")
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: path.exists() and len(path.read_bytes().splitlines()) > 1)
        os.kill(process.pid, kill)
        _, output = process.communicate(timeout=HANG_S)  # returns when all processes that hold the pipe have ended
    assert b"Traceback" not in output
    assert ((130 if kill == signal.SIGINT else -9), True) == (process.returncode, len(games_of(path)) < 16)
    may_go_on.touch()
    ended = run_command("research.matches.__main__", *asked, "--jobs", "1")
    assert "of 16 games" in ended.stdout
    assert sorted(games_of(path)) == [(deal, seat) for deal in range(8) for seat in range(2)]


def send_half_a_result(sent: Path) -> None:
    """Send the beginning of a result that is larger than the pipe's buffer, and hang."""
    to_parent = sys._getframe(1).f_locals["result_queue"]._writer
    os.write(to_parent.fileno(), struct.pack("!i", 1_000_000) + b"the beginning")
    sent.touch()
    signal.pause()


@pytest.mark.nightly
def test_processes_can_be_ended_while_they_send_a_result(tmp_path: Path) -> None:
    """Neither the reading thread nor the end of the program waits for the rest."""
    before = set(threading.enumerate())
    with processes(1) as pool:
        pool.submit(send_half_a_result, tmp_path / "sent")
        wait_until((tmp_path / "sent").exists)
    wait_until(lambda: set(threading.enumerate()) <= before)


def test_a_killed_process_of_a_match_is_reported_in_one_line() -> None:
    players = ("program:sh -c 'kill -9 $PPID'", "random")
    ended = run_command("research.matches.__main__", "azul", "--jobs", "2", "--players", *players, "--deals", "1")
    assert (2, 1) == (ended.returncode, len(ended.stderr.splitlines())), ended.stderr
    assert "was killed" in ended.stderr


BAD = {
    "an unknown level": (
        ["--players", "nobody", "random"],
        "nobody: must be a level or one of tree, preference, uct, taste, program",
    ),
    "an unknown search parameter": (["--players", "tree:depth=3", "random"], "the search has the parameters"),
    "an invalid number": (["--players", "tree:playout_candidates=many", "random"], "NAME"),
    "no simulations": (["--players", "tree@0", "random"], "tree@0"),
    "an infinite time": (["--players", "tree@infs", "random"], "tree@infs"),
    "a missing program": (["--players", "program:nowhere-at-all", "random"], "no such program"),
    "too many seats": (["--players", "greedy", "random", "--seats", "5"], "2, 3, 4 seats"),
    "an unknown variant": (["--players", "greedy", "random", "--variant", "pink"], "coloured, grey"),
    "no processes": (["--players", "greedy", "random", "--jobs", "0"], "--jobs"),
    "no queue URL": (["--players", "greedy", "random", "--queue"], "QUEUE_URL"),
    "a folder instead of a file": (["--players", "greedy", "random", "--results", "/"], "/: "),
}


@pytest.mark.parametrize("what", BAD)
def test_invalid_arguments_are_reported_in_one_line(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments, why = BAD[what]
    for name in ("QUEUE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    ended = run_command("research.matches.__main__", "azul", *arguments)
    assert (2, 1) == (ended.returncode, len(ended.stderr.splitlines())), ended.stderr
    assert why in ended.stderr


# ------------------------------------------------------------------------------------------------------ the queue


def test_background_workers_play_a_match_and_remove_their_keys(processes: Processes, valkey: EmbeddedRedis) -> None:
    """One of two workers is killed. Each game is returned once, with the same result as without the queue."""
    jobs = Queue(valkey.url)
    workers = [processes.start("workers", "--background") for _ in range(2)]
    wait_until(lambda: jobs.count_living("background") == 2, processes.output)
    workers[0].kill()
    result = run(FAST, 4, queue(valkey.url))
    assert result.counted_games == run(FAST, 4, local_players(1)).counted_games
    assert [] == list(jobs.redis.scan_iter("arena:*"))


def test_a_match_on_the_queue_fails_if_no_worker_runs(
    valkey: EmbeddedRedis, redis_client: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("research.matches.remote.WORKER_PATIENCE_S", 0.5)
    with pytest.raises(ConnectionError, match="no background worker"):
        run(FAST, 1, queue(valkey.url))


# ------------------------------------------------------------------------------------------------------ pictures


@pytest.mark.parametrize("deals", [0, 1, 700])
def test_the_picture_of_a_match_contains_its_result_and_is_small(deals: int) -> None:
    result = Result(FAST, tuple(game(deal, seat, deal % 3 / 2) for deal in range(deals) for seat in (0, 1)))
    picture = plot.of_match(result, [0.5])
    assert len(picture) < 40_000
    words = " ".join(ET.fromstring(picture).itertext())  # noqa: S314 - our own SVG
    assert f"wins {result.win_share:.1%}" in words
    assert "greedy against random" in words
