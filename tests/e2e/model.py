"""A player who knows nothing but an MCP server's tools, by the client of the SDK."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from tests.e2e.stack import ROOT

Json = dict[str, Any]
OVER = ("finished", "aborted")


class Model:
    """One connection of a client."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Json:
        """What the tool answers as JSON, with its text as `text`; AssertionError where it is an error."""
        answer = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in answer.content if isinstance(part, TextContent))
        assert not answer.is_error, text
        return {**(answer.structured_content or {}), "text": text}

    async def error(self, tool: str, **arguments: Any) -> str:
        """What the tool says is wrong."""
        answer = await self.client.call_tool(tool, arguments)
        (told,) = answer.content
        assert answer.is_error, answer
        assert isinstance(told, TextContent)
        return told.text

    async def play(self, game: str, rng: random.Random) -> Json:
        """Play at random to the end, however long it is somebody else's turn."""
        state = await self.call("read_game", game=game)
        while state["status"] not in OVER:
            if not state["your_turn"]:
                state = await self.call("wait_for_turn", game=game, since=state["revision"])
                continue
            legal = await self.call("list_actions", game=game, limit=200)
            chosen = rng.choice(legal["actions"])
            state = await self.call("choose_action", game=game, action_id=chosen["id"], revision=legal["revision"])
        return state


@asynccontextmanager
async def over_stdio(url: str, *words: str, mode: str = "auto", **environment: str) -> AsyncIterator[Model]:
    """A server of one's own, as a desktop program starts it."""
    known = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    command = ["-m", "azul_games", "mcp", "--url", url, *words]
    server = StdioServerParameters(command=sys.executable, args=command, env={**known, **environment}, cwd=ROOT)
    async with Client(server, mode=mode) as client:
        yield Model(client)


@asynccontextmanager
async def over_http(url: str, token: str | None = None, mode: str = "auto", **headers: str) -> AsyncIterator[Model]:
    """One of many clients of a server; `token`: of a player."""
    sent = {**headers, **({"Authorization": f"Bearer {token}"} if token else {})}
    async with (
        httpx2.AsyncClient(headers=sent, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield Model(client)


def ran(work: Callable[[], Awaitable[Any]]) -> Any:
    """What an asynchronous function gives, within two minutes."""

    async def bounded() -> Any:
        with anyio.fail_after(120):
            return await work()

    return anyio.run(bounded)
