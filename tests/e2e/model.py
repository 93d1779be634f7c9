"""A player who uses only an MCP server's tools, through the SDK's client."""

from __future__ import annotations

import math
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from azul_games.mcp.api import Api
from azul_games.mcp.players import OnePlayer
from azul_games.mcp.server import build
from tests.e2e.stack import ROOT
from tests.patience import HANG_S

Json = dict[str, Any]
OVER = ("finished", "aborted")


class Model:
    """A connection of a client whose event loop runs in another thread."""

    def __init__(self, client: Client, portal: BlockingPortal) -> None:
        self.client = client
        self.portal = portal

    def call(self, tool: str, **arguments: Any) -> Json:
        """Call a tool. Return its JSON with its text as `text`. Raise AssertionError on an error."""
        answer = self.portal.call(self.client.call_tool, tool, arguments)
        text = "\n".join(part.text for part in answer.content if isinstance(part, TextContent))
        assert not answer.is_error, text
        return {**(answer.structured_content or {}), "text": text}

    def error(self, tool: str, **arguments: Any) -> str:
        """Call a tool that fails. Return its error text."""
        answer = self.portal.call(self.client.call_tool, tool, arguments)
        (part_text,) = answer.content
        assert answer.is_error, answer
        assert isinstance(part_text, TextContent)
        return str(part_text.text)

    def play(self, game: str, rng: random.Random, decisions: float = math.inf) -> Json:
        """Play at random to the end, or until the player has made some decisions, waiting for others' turns."""
        state = self.call("read_game", game=game)
        while state["status"] not in OVER and decisions > 0:
            if not state["your_turn"]:
                state = self.call("wait_for_turn", game=game, since=state["revision"])
                continue
            legal = self.call("list_actions", game=game, limit=200)
            chosen = rng.choice(legal["actions"])
            state = self.call("choose_action", game=game, action_id=chosen["id"], revision=legal["revision"])
            decisions -= 1
        return state


@contextmanager
def in_process(url: str, name: str = "Model", token: str | None = None, file: Path | None = None) -> Iterator[Model]:
    """Run a server in this process, like over stdio."""
    api = Api(url, None)
    server = build(api, OnePlayer(api, name, token, file))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Model(client, portal)


@contextmanager
def over_stdio(url: str, *words: str, mode: str = "auto") -> Iterator[Model]:
    """Start a server like a desktop program does."""
    environment = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    command = ["-m", "azul_games", "mcp", "--url", url, *words]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment, cwd=ROOT)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server, mode=mode)) as client:
        yield Model(client, portal)


@contextmanager
def over_http(url: str, token: str | None = None, mode: str = "auto") -> Iterator[Model]:
    """Connect to a server shared by clients. `token`: a player's."""
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"} if token else {}, timeout=HANG_S)
    connection = Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(http),
        portal.wrap_async_context_manager(connection) as client,
    ):
        yield Model(client, portal)
