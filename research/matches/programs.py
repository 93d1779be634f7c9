"""A program of anybody's as a player: it is asked by lines of JSON on its standard input, and answers on its output.

A player is written `program:COMMAND WITH ARGUMENTS`, or `program@0.2s:COMMAND …` with a time for each decision. The
command is divided as a shell does it, but no shell runs it.

**The protocol, version 1.** Every line is one JSON object in UTF-8; each question has one answer, at most 1 MB long.

    asked    {"type": "hello", "protocol": 1}
    answer   {"protocol": 1}                                  as soon as the program is ready: within 60 s
    asked    {"type": "decide", "ruleset": "…", "variant": "grey", "seats": 2, "seat": 0, "seconds": 0.2, "seed": 7,
              "position": {…}, "actions": [{"id": "35", "action": {…}}, …]}
    answer   {"id": "35"}                                     or {"action": {…}}; of both the id counts

- `position` is what the HTTP API tells of it, `actions` everything that is legal: a first program needs no rules.
- Each question stands alone: games may come in any order, and a decision with one legal action is not asked for.
- `seconds` is the time for the answer, null where there is no limit. SPARE_S later it is late; without a limit, after
  LONGEST_S. `seed` (below 2**53) is another for each decision, but the same in a repetition of the match.
- When its input ends the program ends; if it does not, it is killed. What it writes on its error output is shown.
- An answer that is not flushed is never heard. `{"error": "…"}` says why there is none.

An answer that is illegal, unreadable or late, or a program that has ended, loses the game; the next game starts the
program anew. The other side of the protocol, with our own players, is research.matches.serve.
"""

from __future__ import annotations

import contextlib
import functools
import os
import select
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable

import orjson

from service.games.errors import GameError
from service.operate.parent_death import tied_to_this_process
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.usecases.positions.actions import read_action
from workers.search.players import UnreadableParametersError

PROTOCOL = 1
NAME = "program"
READY_S = 60.0  # from the start to the answer to hello
ANSWER_GRACE_S = 0.25  # for pipes and a busy machine
LONGEST_S = 60.0
EXIT_PATIENCE_S = 2.0  # from the end of its input to its being killed
LONGEST_ANSWER = 1 << 20  # bytes
LONGEST_WORDS = 200  # of why it has failed


class ProgramFailedError(Exception):
    """A program has not made its decision; the message says why."""


class Program:
    """A program, started when it is first asked and again after it has failed."""

    def __init__(self, argv: tuple[str, ...], seconds: float | None) -> None:
        self._argv, self._seconds = argv, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = b""

    def decide(self, position: Position, seed: bytes) -> int:
        """Its action, which is legal (Failed)."""
        try:
            if self._process is None:
                self._start()
            patience_s = LONGEST_S if self._seconds is None else self._seconds + ANSWER_GRACE_S
            return _action(position, self._ask(self._question(position, seed), patience_s))
        except ProgramFailedError:
            self.end()
            raise

    def end(self) -> None:
        """Let it end, by force if it does not do so by itself."""
        process, self._process, self._heard = self._process, None, b""
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are pipes
        try:
            process.wait(EXIT_PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            tied_to_this_process(self._argv),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,  # an interrupt of the match is none of the program's: it would lose its game
        )
        for pipe in (self._process.stdin, self._process.stdout):
            os.set_blocking(pipe.fileno(), False)  # type: ignore[union-attr]
        spoken = self._ask({"type": "hello", "protocol": PROTOCOL}, READY_S).get("protocol")
        if spoken != PROTOCOL:
            raise ProgramFailedError(f"speaks protocol {spoken!r:.40}, not {PROTOCOL}")

    def _question(self, position: Position, seed: bytes) -> Json:
        ruleset = position.ruleset
        legal = position.legal_actions()
        return {
            "type": "decide",
            "ruleset": ruleset.id,
            "variant": position.variant,
            "seats": position.seats,
            "seat": position.seat,
            "seconds": self._seconds,
            "seed": int.from_bytes(seed[:7], "big") >> 3,
            "position": ruleset.view(position),
            "actions": [{"id": str(action), "action": ruleset.wire.decode(action)} for action in legal],
        }

    def _ask(self, question: Json, patience_s: float) -> Json:
        end = time.monotonic() + patience_s
        if self._heard:
            raise ProgramFailedError("said more than it was asked")
        try:
            self._say(orjson.dumps(question) + b"\n", end)
            reply = orjson.loads(self._line(end))
        except orjson.JSONDecodeError:
            raise ProgramFailedError("unreadable: not a line of JSON") from None
        except OSError:
            raise ProgramFailedError("has ended") from None
        if not isinstance(reply, dict):
            raise ProgramFailedError("unreadable: not an object")
        return reply

    def _say(self, line: bytes, end: float) -> None:
        pipe = self._process.stdin.fileno()  # type: ignore[union-attr]  # it was started
        left = memoryview(line)
        while left:
            if not select.select([], [pipe], [], max(0.0, end - time.monotonic()))[1]:
                raise ProgramFailedError("late: it does not read")
            left = left[os.write(pipe, left) :]

    def _line(self, end: float) -> bytes:
        pipe = self._process.stdout.fileno()  # type: ignore[union-attr]  # it was started
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_ANSWER:
                raise ProgramFailedError("unreadable: the line does not end")
            if not select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
                raise ProgramFailedError("late")
            more = os.read(pipe, 1 << 16)
            if not more:
                raise ProgramFailedError("has ended")
            self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        return line


def _action(position: Position, answer: Json) -> int:
    """The legal action that an answer names (Failed)."""
    if "error" in answer:
        raise ProgramFailedError(f"says: {answer['error']}"[:LONGEST_WORDS])
    action_id, named = answer.get("id"), answer.get("action")
    if not isinstance(action_id, str | None) or not isinstance(named, dict | None):
        raise ProgramFailedError("unreadable: `id` is a string, `action` an object")
    try:
        action = read_action(position.ruleset, action_id, named if action_id is None else None)
    except GameError as error:
        why = "; ".join(f"{pointer} {reply}" for pointer, reply in error.errors.items())
        raise ProgramFailedError(f"unreadable: {why}"[:LONGEST_WORDS]) from None
    reason = position.refusal(action)
    if reason:
        raise ProgramFailedError(f"illegal: {reason}")
    return action


def is_written(word: str) -> bool:
    """Whether a player's word names a program."""
    return word.partition(":")[0].partition("@")[0] == NAME


def parsed(word: str) -> tuple[tuple[str, ...], float | None]:
    """(command, seconds for a decision) of `program[@SECONDSs]:COMMAND` (Unreadable)."""
    head, _, command = word.partition(":")
    _, _, limit = head.partition("@")
    try:
        argv = tuple(shlex.split(command))
        seconds = float(limit.removesuffix("s")) if limit else None
    except ValueError:
        argv, seconds = (), None
    if not argv or (limit and (not limit.endswith("s") or seconds is None or not 0 < seconds < LONGEST_S)):
        raise UnreadableParametersError(f"{word}: program[@SECONDSs]:COMMAND, with less than {LONGEST_S:.0f} seconds")
    return argv, seconds


def check(word: str) -> None:
    """Whether a program is written so, and is there (Unreadable)."""
    argv, _ = parsed(word)
    if shutil.which(argv[0]) is None:
        raise UnreadableParametersError(f"{argv[0]}: no such program here")


@functools.cache
def running(word: str) -> Program:
    """The program of that word: one a process, which takes part in all its games (Unreadable)."""
    return Program(*parsed(word))


def end_all(words: Iterable[str]) -> None:
    """End the programs of these words that run in this process."""
    for word in words:
        running(word).end()
