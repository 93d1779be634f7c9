"""Whose seats are played: over stdio those of one player, over HTTP those of the player whom the request names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import anyio

from azul_games.mcp.api import Api


class Players(Protocol):
    """Tells whose token a request is to bear."""

    async def token(self, headers: Mapping[str, str] | None) -> str | None:
        """The player's; None where nobody is named. `headers`: those of the request, over HTTP."""


class OnePlayer:
    """For stdio: the player of `token`, else of the token in `file`, else a new one, made when it is first needed.

    A new player's token is kept in memory, and in `file` if there is one, readable by its owner alone.
    """

    def __init__(self, api: Api, name: str, token: str | None = None, file: Path | None = None) -> None:
        self._api = api
        self._name = name
        self._file = file
        self._token = token or (file.read_text("utf-8").strip() if file and file.exists() else None)
        self._making = anyio.Lock()

    async def token(self, headers: Mapping[str, str] | None) -> str:
        """The same each time. ToolError where a player cannot be made."""
        del headers
        async with self._making:
            if self._token is None:
                made = await self._api.post("/players", {"name": self._name, "bot": True})
                self._token = str(made["token"])
                self._keep(self._token)
        return self._token

    def _keep(self, token: str) -> None:
        if self._file is not None:
            with os.fdopen(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(token)


class PlayerOfEachRequest:
    """For HTTP: the player whose token the request bears in `Authorization`. Nothing is kept between requests."""

    async def token(self, headers: Mapping[str, str] | None) -> str | None:
        """The request's own."""
        scheme, _, token = (headers or {}).get("authorization", "").partition(" ")
        return token.strip() or None if scheme.lower() == "bearer" else None
