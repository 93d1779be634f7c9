"""The file of a match: one JSON object a line, first the match, then its games in the order of play.

A program that is killed can leave an incomplete last line, which is removed when the file is opened. A file belongs to
one match with its settings. It is locked while games are added.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from dataclasses import asdict
from pathlib import Path
from typing import Self

import orjson

from research.matches import programs
from research.matches.match import Game, Match
from service.rulesets.code_cache import sources_hash
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from workers.search import record_abi


class UnusableResultsError(ValueError):
    """A file of results that contains something else, is in use or cannot be written."""


def file_name(match: Match) -> str:
    """Return the name of a match's file. Raises UnreadableParametersError for an invalid match.

    The name depends on the players' settings, their evaluation and the search, so older results no longer count.
    """
    code = RULESETS[match.ruleset].play_hash + sources_hash(record_abi.FOLDER)
    settings = hashlib.sha256(orjson.dumps(match.describe()) + code.encode()).hexdigest()[:8]
    names = (programs.NAME if programs.is_program(word) else word for word in match.players)
    return f"{match.ruleset}-{match.seats}-{'-'.join(names)}-{settings}.jsonl"


def game_of(entry: Json) -> Game:
    """Return the game from the output of `asdict`."""
    pairs = {name: tuple(entry[name]) for name in ("scores", "decisions", "seconds")}
    return Game(**{**entry, **pairs})


class Results:
    """The results of a match in a file, or only in memory if `path` is None. Use it in a `with` block."""

    def __init__(self, match: Match, path: Path | None) -> None:
        """Read the file. Raises UnusableResultsError, or UnreadableParametersError for an invalid match."""
        self._match = orjson.loads(orjson.dumps(match.describe()))
        self.games: list[Game] = []
        self._file: int | None = None
        if path is not None:
            self._open(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)

    def add(self, game: Game) -> None:
        """Store a game."""
        self.games.append(game)
        self._write(asdict(game))

    def _open(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UnusableResultsError(f"{path}: another match is writing into it") from None
        except OSError as error:
            raise UnusableResultsError(f"{path}: {error.strerror}") from None
        content = path.read_bytes()
        lines = content[: content.rfind(b"\n") + 1]
        if len(lines) < len(content):
            os.ftruncate(self._file, len(lines))
        first, *games = lines.splitlines() or [b""]
        try:
            if lines and orjson.loads(first) != self._match:
                raise UnusableResultsError(
                    f"{path}: belongs to another match or other settings. Use another file, or delete this one."
                )
            self.games = [game_of(orjson.loads(line)) for line in games]
        except (orjson.JSONDecodeError, TypeError, KeyError):
            raise UnusableResultsError(f"{path}: not the results of a match") from None
        if not lines:
            self._write(self._match)

    def _write(self, entry: Json) -> None:
        if self._file is not None:
            os.write(self._file, orjson.dumps(entry) + b"\n")
