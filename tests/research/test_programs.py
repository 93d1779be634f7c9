"""External programs in benchmark matches: valid ones play, failing ones lose, and no traceback is shown."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from research.matches import match as matches
from research.matches import programs
from research.matches.match import Game, Match
from research.matches.programs import Program, ProgramFailedError
from research.matches.serve import RESERVED_S, Server
from research.matches.sides import Searcher
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.operate.conftest import is_alive
from tests.patience import HANG_S, wait_until
from tests.research.commands import RANDOM_PROGRAM, run_command
from tests.workers.positions import walk
from tests.workers.processes import ROOT
from workers.search.budgets import MAX_STRETCH, Budget
from workers.search.players import UnreadableParametersError

EXAMPLE = shlex.join(["program:" + sys.executable, str(RANDOM_PROGRAM)])
SEED = bytes(32)
HELLO = 'import json, os, signal, sys\nsys.stdin.readline(); print(json.dumps({"protocol": 1}), flush=True)\n'
ANSWER = "print(json.dumps(question['actions'][-1]), flush=True)\n"
ASKED = "question = json.loads(sys.stdin.readline())\n"


@pytest.fixture
def position() -> Position:
    return walk("azul", "grey", 2, 1, 3)


@pytest.fixture
def write_program(tmp_path: Path) -> Iterator[Any]:
    """Return a function that creates a program from its source. Programs end with the test."""
    written: list[Program] = []

    def write(source: str, seconds: float | None = None) -> Program:
        path = tmp_path / f"{len(written)}.py"
        path.write_text(source)
        written.append(Program((sys.executable, str(path)), seconds))
        return written[-1]

    yield write
    for program in written:
        program.end()


def play_deals(ruleset: str, *players: str, seats: int = 2) -> list[Game]:
    variants = RULESETS[ruleset].variants
    match = Match(ruleset, variants, seats, (players[0], players[1]), 5)
    try:
        return [matches.play(match, deal, deal % seats) for deal in range(2)]
    finally:
        programs.end_all(filter(programs.is_program, players))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_example_program_plays_whole_games_of_every_ruleset(ruleset: str) -> None:
    games = play_deals(ruleset, EXAMPLE, "greedy")
    assert [None, None] == [game.failed for game in games]
    assert all(game.decisions[0] > 5 for game in games)


def test_games_of_a_program_are_repeatable_because_it_gets_seeds() -> None:
    assert play_deals("azul", EXAMPLE, "greedy", seats=3) == play_deals("azul", EXAMPLE, "greedy", seats=3)


def test_our_own_players_can_serve_as_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ours = f"program@59s:{shlex.quote(sys.executable)} -m research.matches.serve tree@20"
    games = play_deals("summer-pavilion", ours, "random")
    assert [(1.0, None), (1.0, None)] == [(game.won, game.failed) for game in games]


BAD = {
    "an answer that is not JSON": ('print("e4", flush=True)', "unreadable: not a line of JSON"),
    "an answer that is not an object": ('print("[]", flush=True)', "unreadable: not an object"),
    "an answer without an action": ('print("{}", flush=True)', "unreadable"),
    "an invalid id": ('print(\'{"id": "x"}\', flush=True)', "unreadable"),
    "an id that is a number": ("print('{\"id\": 3}', flush=True)", "unreadable: `id` is a string"),
    "an unknown action": ('print(\'{"action": {"type": "fly"}}\', flush=True)', "unreadable"),
    "an illegal action": ('print(\'{"id": "999999"}\', flush=True)', "illegal: "),
    "an error instead of an action": ('print(\'{"error": "I am tired"}\', flush=True)', "says: I am tired"),
    "no answer": ("signal.pause()", "late"),
    "an endless answer": ("os.write(1, b'x' * 3_000_000); signal.pause()", "the line does not end"),
    "an exit": ("raise SystemExit(0)", "has ended"),
    "a death by a signal": ("os.kill(os.getpid(), 9)", "has ended"),
}


@pytest.mark.parametrize("what", BAD)
def test_the_error_describes_the_invalid_answer(what: str, position: Position, write_program: Any) -> None:
    source, why = BAD[what]
    with pytest.raises(ProgramFailedError, match=why):
        write_program(HELLO + ASKED + source, 0.1 if why == "late" else HANG_S).decide(position, SEED)


def test_a_program_with_another_protocol_version_is_refused(position: Position, write_program: Any) -> None:
    with pytest.raises(ProgramFailedError, match="speaks protocol 2, not 1"):
        write_program(HELLO.replace(": 1", ": 2")).decide(position, SEED)


def test_a_program_that_does_not_exit_is_killed_with_its_children(
    position: Position, write_program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "EXIT_PATIENCE_S", 0.1)
    source = f"child = os.fork() or signal.pause()\nopen('{tmp_path}/pid', 'w').write(str(child))\n"
    program = write_program(HELLO + source + ASKED + ANSWER + "signal.pause()")
    program.decide(position, SEED)
    child = int((tmp_path / "pid").read_text())
    assert is_alive(child)
    program.end()
    wait_until(lambda: not is_alive(child))


def test_a_second_answer_to_one_question_is_an_error(position: Position, write_program: Any) -> None:
    program = write_program(HELLO + ASKED + "print(json.dumps(question['actions'][0]) + '\\n{}', flush=True)\n" + ASKED)
    program.decide(position, SEED)
    with pytest.raises(ProgramFailedError, match="more than one answer"):
        program.decide(position, SEED)


def test_a_program_restarts_after_a_failure(position: Position, write_program: Any) -> None:
    program = write_program(HELLO + ASKED + ANSWER)
    assert position.legal_actions()[-1] == program.decide(position, SEED)
    with pytest.raises(ProgramFailedError, match="has ended"):
        program.decide(position, SEED)
    assert position.legal_actions()[-1] == program.decide(position, SEED)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_failing_program_loses_and_the_result_contains_the_reason(seat: int) -> None:
    match = Match("azul", ("grey",), 2, ("program:false", "random"), 1)
    game = matches.play(match, 0, seat)
    assert (0.0, "program:false: has ended") == (game.won, game.failed)
    turned = matches.play(Match("azul", ("grey",), 2, ("random", "program:false"), 1), 0, seat)
    assert (1.0, "program:false: has ended") == (turned.won, turned.failed)


@pytest.mark.parametrize(
    "word", ["program:", "program", "program@2:true", "program@xs:true", "program@-1s:true", 'program:"']
)
def test_an_invalid_program_argument_is_unreadable(word: str) -> None:
    with pytest.raises(UnreadableParametersError, match="COMMAND"):
        programs.check(word)


def test_a_missing_program_is_reported_before_the_match() -> None:
    with pytest.raises(UnreadableParametersError, match="no such program"):
        programs.check("program:no-such-program-anywhere --fast")


def test_the_server_reports_invalid_questions_and_continues(position: Position) -> None:
    server = Server("greedy")
    for line in (b"hello", b"[]", b"{}", b'{"type": "decide", "ruleset": "chess"}'):
        assert {"error"} == server.answer(line).keys()
    nowhere = {"type": "decide", "ruleset": "azul", "position": {}}
    assert "the position is invalid" == server.answer(orjson.dumps(nowhere))["error"]
    asked = {"type": "decide", "ruleset": "azul", "position": RULESETS["azul"].view(position), "seconds": None}
    assert int(server.answer(orjson.dumps(asked))["id"]) in position.legal_actions()


@pytest.mark.parametrize(
    ("seconds", "cpu_s", "elapsed_s"),
    [
        (0.06, 0.04, 0.04),
        (2 * LEVELS["master"].budget_s, LEVELS["master"].budget_s, 2 * LEVELS["master"].budget_s - RESERVED_S),
        (60, LEVELS["master"].budget_s, MAX_STRETCH * LEVELS["master"].budget_s),
        (None, LEVELS["master"].budget_s, MAX_STRETCH * LEVELS["master"].budget_s),
        (0, 0, 0),
    ],
)
def test_the_server_respects_the_time_limit_of_the_question(
    position: Position, monkeypatch: pytest.MonkeyPatch, seconds: float | None, cpu_s: float, elapsed_s: float
) -> None:
    budgets = []

    def decide(_: object, at: Position, _seed: bytes, budget: Budget) -> int:
        budgets.append((budget.cpu_s, budget.elapsed_s))
        return at.legal_actions()[0]

    monkeypatch.setattr(Searcher, "decide", decide)
    asked = {"type": "decide", "ruleset": "azul", "position": RULESETS["azul"].view(position), "seconds": seconds}
    Server("master").answer(orjson.dumps(asked))
    assert [pytest.approx((cpu_s, elapsed_s))] == budgets


def test_a_server_of_an_unknown_player_exits_with_one_line() -> None:
    ended = run_command("research.matches.serve", "nobody")
    assert 2 == ended.returncode
    assert 1 == len(ended.stderr.splitlines())
