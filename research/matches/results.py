"""The file of a match: one JSON object a line, the match first, then its games as they were played.

What is written stays, whatever ends the program: a line that was cut off is cut away when the file is opened again.
A file belongs to one match, with all its settings; it is locked while games are added.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from research.matches import programs
from research.matches.match import Game, Match
from service.rulesets.code_cache import sources_hash
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from workers.search import record_abi


class UnusableResultsError(ValueError):
    """The file holds something else, or is in use."""


def file_name(match: Match) -> str:
    """Of its results in a folder of many (Unreadable). It changes with the settings of its players, with their
    evaluation and with the search: what was won before is kept, and counts no more.
    """
    played_by = RULESETS[match.ruleset].play_hash + sources_hash(record_abi.FOLDER)
    settings = hashlib.sha256(orjson.dumps(match.described()) + played_by.encode()).hexdigest()[:8]
    names = (programs.NAME if programs.is_written(word) else word for word in match.players)
    return f"{match.ruleset}-{match.seats}-{'-'.join(names)}-{settings}.jsonl"


def game_of(entry: Json) -> Game:
    """The game that `asdict` gave."""
    pairs = {name: tuple(entry[name]) for name in ("scores", "decisions", "seconds")}
    return Game(**{**entry, **pairs})


class Results:
    """The results of a match in a file, or nowhere but here (`path` None); to be used in a `with` block."""

    def __init__(self, match: Match, path: Path | None) -> None:
        """Read what is there (Unusable; Unreadable: there is no such match)."""
        self._match = orjson.loads(orjson.dumps(match.described()))
        self.games: list[Game] = []
        self._file: int | None = None
        if path is not None:
            self._open(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            os.close(self._file)

    def add(self, game: Game) -> None:
        """Remember a game."""
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
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.ftruncate(self._file, len(whole))
        first, *games = whole.splitlines() or [b""]
        try:
            if whole and orjson.loads(first) != self._match:
                raise UnusableResultsError(
                    f"{path}: of another match, or of other settings; take another file, or delete it"
                )
            self.games = [game_of(orjson.loads(line)) for line in games]
        except (orjson.JSONDecodeError, TypeError, KeyError):
            raise UnusableResultsError(f"{path}: not the results of a match") from None
        if not whole:
            self._write(self._match)

    def _write(self, entry: Json) -> None:
        if self._file is not None:
            os.write(self._file, orjson.dumps(entry) + b"\n")
