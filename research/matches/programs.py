"""External programs as players. They receive JSON lines on their standard input and answer on their output.

A player is written `program:COMMAND WITH ARGUMENTS`, or `program@0.2s:COMMAND …` with a time for each decision. The
command is split like in a shell, but no shell runs it.

**The protocol, version 1.** Every line is one JSON object in UTF-8; each question has one answer, at most 1 MB long.

    asked    {"type": "hello", "protocol": 1}
    answer   {"protocol": 1}                                  as soon as the program is ready: within 60 s
    asked    {"type": "decide", "ruleset": "…", "variant": "grey", "seats": 2, "seat": 0, "seconds": 0.2, "seed": 7,
              "position": {…}, "actions": [{"id": "35", "action": {…}}, …]}
    answer   {"id": "35"}                                     or {"action": {…}}; of both the id counts

- `position` has the format of the HTTP API. `actions` lists all legal actions, so a program needs no rules.
- Questions are independent: games can alternate, and decisions with one legal action are left out.
- `seconds` is the time for the answer, or null. The answer is late after ANSWER_GRACE_S more, or without a limit after
  MAX_ANSWER_S. `seed` (below 2**53) differs for each decision, but is the same when a match is repeated.
- The program must end when its input ends, or it is killed. Its error output is shown.
- Flush each answer. `{"error": "…"}` reports a failure.

An illegal, unreadable or late answer loses the game, and so does a program that ends. The next game restarts it.
`research.matches.serve` speaks this protocol with our own players.
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
MAX_ANSWER_S = 60.0
EXIT_PATIENCE_S = 2.0  # from the end of the input until the program is killed
MAX_ANSWER_BYTES = 1 << 20
MAX_REASON_CHARACTERS = 200


class ProgramFailedError(Exception):
    """A program has made no legal decision. The message is the reason."""


class Program:
    """A program. It starts with the first question, and again after a failure."""

    def __init__(self, argv: tuple[str, ...], seconds: float | None) -> None:
        self._argv, self._seconds = argv, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._received = b""

    def decide(self, position: Position, seed: bytes) -> int:
        """Return its legal action. Raises ProgramFailedError."""
        try:
            if self._process is None:
                self._start()
            patience_s = MAX_ANSWER_S if self._seconds is None else self._seconds + ANSWER_GRACE_S
            return _action(position, self._ask(self._question(position, seed), patience_s))
        except ProgramFailedError:
            self.end()
            raise

    def end(self) -> None:
        """End the program, and kill it if it does not end by itself."""
        process, self._process, self._received = self._process, None, b""
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
            process_group=0,  # an interrupt of the match must not end the program
        )
        for pipe in (self._process.stdin, self._process.stdout):
            os.set_blocking(pipe.fileno(), False)  # type: ignore[union-attr]
        protocol = self._ask({"type": "hello", "protocol": PROTOCOL}, READY_S).get("protocol")
        if protocol != PROTOCOL:
            raise ProgramFailedError(f"speaks protocol {protocol!r:.40}, not {PROTOCOL}")

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
        if self._received:
            raise ProgramFailedError("sent more than one answer")
        try:
            self._send(orjson.dumps(question) + b"\n", end)
            reply = orjson.loads(self._line(end))
        except orjson.JSONDecodeError:
            raise ProgramFailedError("unreadable: not a line of JSON") from None
        except OSError:
            raise ProgramFailedError("has ended") from None
        if not isinstance(reply, dict):
            raise ProgramFailedError("unreadable: not an object")
        return reply

    def _send(self, line: bytes, end: float) -> None:
        pipe = self._process.stdin.fileno()  # type: ignore[union-attr]  # it was started
        left = memoryview(line)
        while left:
            if not select.select([], [pipe], [], max(0.0, end - time.monotonic()))[1]:
                raise ProgramFailedError("late: it does not read")
            left = left[os.write(pipe, left) :]

    def _line(self, end: float) -> bytes:
        pipe = self._process.stdout.fileno()  # type: ignore[union-attr]  # it was started
        while b"\n" not in self._received:
            if len(self._received) > MAX_ANSWER_BYTES:
                raise ProgramFailedError("unreadable: the line does not end")
            if not select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
                raise ProgramFailedError("late")
            more = os.read(pipe, 1 << 16)
            if not more:
                raise ProgramFailedError("has ended")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        return line


def _action(position: Position, answer: Json) -> int:
    """Return the legal action in an answer. Raises ProgramFailedError."""
    if "error" in answer:
        raise ProgramFailedError(f"says: {answer['error']}"[:MAX_REASON_CHARACTERS])
    action_id, named = answer.get("id"), answer.get("action")
    if not isinstance(action_id, str | None) or not isinstance(named, dict | None):
        raise ProgramFailedError("unreadable: `id` is a string, `action` an object")
    try:
        action = read_action(position.ruleset, action_id, named if action_id is None else None)
    except GameError as error:
        reason = "; ".join(f"{pointer} {reply}" for pointer, reply in error.errors.items())
        raise ProgramFailedError(f"unreadable: {reason}"[:MAX_REASON_CHARACTERS]) from None
    if refusal := position.refusal(action):
        raise ProgramFailedError(f"illegal: {refusal}")
    return action


def is_program(word: str) -> bool:
    """Return whether a player's notation names a program."""
    return word.partition(":")[0].partition("@")[0] == NAME


def parse_word(word: str) -> tuple[tuple[str, ...], float | None]:
    """Return command and seconds per decision of `program[@SECONDSs]:COMMAND`. Raises UnreadableParametersError."""
    head, _, command = word.partition(":")
    _, _, limit = head.partition("@")
    try:
        argv = tuple(shlex.split(command))
        seconds = float(limit.removesuffix("s")) if limit else None
    except ValueError:
        argv, seconds = (), None
    if not argv or (limit and (not limit.endswith("s") or seconds is None or not 0 < seconds < MAX_ANSWER_S)):
        raise UnreadableParametersError(
            f"{word}: expected program[@SECONDSs]:COMMAND, with less than {MAX_ANSWER_S:.0f} seconds"
        )
    return argv, seconds


def check(word: str) -> None:
    """Raise UnreadableParametersError if the notation is invalid or the program does not exist."""
    argv, _ = parse_word(word)
    if shutil.which(argv[0]) is None:
        raise UnreadableParametersError(f"{argv[0]}: no such program")


@functools.cache
def running_program(word: str) -> Program:
    """Return this process's instance of a program. Raises UnreadableParametersError."""
    return Program(*parse_word(word))


def end_all(words: Iterable[str]) -> None:
    """End these programs in this process."""
    for word in words:
        running_program(word).end()
