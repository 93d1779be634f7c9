"""The player of a session: one fixed player over stdio, the player of each request over HTTP."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import anyio

from azul_games.mcp.api import Api


class Players(Protocol):
    """Supplies the player token of a request."""

    async def token(self, headers: Mapping[str, str] | None) -> str | None:
        """Return the token of the player, or None without a player. `headers` are those of the HTTP request."""


class OnePlayer:
    """For stdio: the player of `token`, or of the token in `file`, or a new player, created on first use.

    The token of a new player is kept in memory, and in `file` if given, readable by its owner only.
    """

    def __init__(self, api: Api, name: str, token: str | None = None, file: Path | None = None) -> None:
        self._api = api
        self._name = name
        self._file = file
        self._token = token or (file.read_text("utf-8").strip() if file and file.exists() else None)
        self._making = anyio.Lock()

    async def token(self, headers: Mapping[str, str] | None) -> str:
        """Return the same token on each call.

        Raises:
            ToolError: No player could be created.

        """
        del headers
        async with self._making:
            if self._token is None:
                created = await self._api.post("/players", {"name": self._name, "bot": True})
                self._token = str(created["token"])
                self._keep(self._token)
        return self._token

    def _keep(self, token: str) -> None:
        if self._file is not None:
            with os.fdopen(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(token)


class PlayerOfEachRequest:
    """For HTTP: the player of the token in the `Authorization` header. Keeps nothing between requests."""

    async def token(self, headers: Mapping[str, str] | None) -> str | None:
        """Return the token of the request."""
        scheme, _, token = (headers or {}).get("authorization", "").partition(" ")
        return token.strip() or None if scheme.lower() == "bearer" else None
