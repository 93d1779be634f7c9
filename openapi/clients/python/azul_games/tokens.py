"""The file with the tokens of games, readable only by its owner. The service returns each token only once.

{"http://127.0.0.1:8000": {"games": {"<id>": {"host": "…", "invite": "…", "watch": "…", "seats": {"0": "…"}}}}}
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

MAX_GAMES = 500
"""Maximum number of stored games per service; the oldest are removed."""


def usual_path() -> Path:
    """Return the path in AZUL_GAMES_TOKENS, or ~/.azul-games.json."""
    return Path(os.environ.get("AZUL_GAMES_TOKENS") or Path.home() / ".azul-games.json")


class Tokens:
    """The tokens of the games of a service. With `path` None, they are kept in memory."""

    def __init__(self, url: str, path: Path | None) -> None:
        self._url = url
        self._path = path
        self._all: dict[str, Any] = {}

    def get(self, game_id: str) -> dict[str, Any]:
        """Return the known tokens of a game: `host`, `invite`, `watch`, and `seats` by number."""
        tokens: dict[str, Any] = self._read().get(self._url, {}).get("games", {}).get(game_id, {})
        return tokens

    def keep(self, game_id: str, tokens: dict[str, Any]) -> None:
        """Store more tokens of a game. Raise OSError if the file cannot be written."""
        services = self._read()
        games = services.setdefault(self._url, {}).setdefault("games", {})
        stored = games.pop(game_id, {})
        games[game_id] = {**stored, **tokens, "seats": {**stored.get("seats", {}), **tokens.get("seats", {})}}
        for oldest in list(games)[:-MAX_GAMES]:
            del games[oldest]
        self._write(services)

    def _read(self) -> dict[str, Any]:
        if self._path is not None and self._path.exists():
            self._all = json.loads(self._path.read_text(encoding="utf-8"))
        return self._all

    def _write(self, services: dict[str, Any]) -> None:
        self._all = services
        if self._path is None:
            return
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(services, file, indent=1)
        new.replace(self._path)  # atomic, so other processes never read a partial file
