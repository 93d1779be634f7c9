"""Tokens are told once; a file keeps them, which its owner alone can read.

{"http://127.0.0.1:8000": {"games": {"<id>": {"host": "…", "invite": "…", "watch": "…", "seats": {"0": "…"}}}}}
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

MAX_GAMES = 500
"""Of a service; the oldest go."""


def usual_path() -> Path:
    """What AZUL_GAMES_TOKENS names, else ~/.azul-games.json."""
    return Path(os.environ.get("AZUL_GAMES_TOKENS") or Path.home() / ".azul-games.json")


class Tokens:
    """The tokens of a service's games. `path` None: they are kept for as long as the program runs."""

    def __init__(self, url: str, path: Path | None) -> None:
        self._url = url
        self._path = path
        self._all: dict[str, Any] = {}

    def of(self, game_id: str) -> dict[str, Any]:
        """A game's: `host`, `invite`, `watch`, and `seats` by number; what is not known is not there."""
        found: dict[str, Any] = self._read().get(self._url, {}).get("games", {}).get(game_id, {})
        return found

    def keep(self, game_id: str, tokens: dict[str, Any]) -> None:
        """Add a game's tokens to what is known of it. OSError where the file cannot be written."""
        everything = self._read()
        games = everything.setdefault(self._url, {}).setdefault("games", {})
        known = games.pop(game_id, {})
        games[game_id] = {**known, **tokens, "seats": {**known.get("seats", {}), **tokens.get("seats", {})}}
        for oldest in list(games)[:-MAX_GAMES]:
            del games[oldest]
        self._write(everything)

    def _read(self) -> dict[str, Any]:
        if self._path is not None and self._path.exists():
            self._all = json.loads(self._path.read_text(encoding="utf-8"))
        return self._all

    def _write(self, everything: dict[str, Any]) -> None:
        self._all = everything
        if self._path is None:
            return
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)
        new.replace(self._path)  # whoever reads meanwhile sees the old or the new, never half of it
