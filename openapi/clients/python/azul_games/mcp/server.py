"""The MCP server: its tools, resources and instructions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.transport_security import TransportSecuritySettings

from azul_games.mcp import guides, prompts
from azul_games.mcp.api import Api
from azul_games.mcp.players import Players
from azul_games.mcp.puzzle_tools import PuzzleTools
from azul_games.mcp.tools import Tools

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
INSTRUCTIONS = """\
Play games of the Azul family.
1. Read the rules: read_guide, or the resources azul://rules/...
2. Start: create_game or join_game.
3. Repeat until the game is over: wait_for_turn, list_actions, choose_action with an id and the revision of the list.
read_game shows the table at any time. Errors say what to do next.
For puzzles: get_puzzle, answer_puzzle.
Seats, factories, lines and all other numbers count from 1.
"""


def build(api: Api, players: Players) -> MCPServer[None]:
    """Return the server for stdio or HTTP."""
    server: MCPServer[None] = MCPServer(
        "azul-games",
        title="Azul games",
        version=_version(),
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        tools=[*Tools(api, players).list_all(), *PuzzleTools(api, players).list_all()],
    )
    server.prompt(title="Play a game")(prompts.play)
    server.prompt(title="Review a finished game")(prompts.review)
    for ruleset in guides.RULES:
        _add_guide(server, f"rules/{ruleset}", f"Rules of {ruleset} in brief", partial(guides.rules, ruleset))
    _add_guide(server, "levels", "Strength of the AIs", partial(_levels, api))
    return server


def _add_guide(server: MCPServer[None], path: str, title: str, read: Callable[[], str | Awaitable[str]]) -> None:
    server.resource(f"azul://{path}", name=path, title=title, description=title, mime_type="text/markdown")(read)


async def _levels(api: Api) -> str:
    try:
        return await guides.levels(api)
    except ToolError as error:
        raise ResourceError(str(error)) from error


def security(names: list[str]) -> TransportSecuritySettings:
    """Accept only requests to this machine or to one of `names`, and refuse other origins (DNS rebinding)."""
    return TransportSecuritySettings(
        allowed_hosts=[*(f"{host}:*" for host in LOOPBACK), *names, *(f"{name}:*" for name in names)],
        allowed_origins=[*(f"http://{host}:*" for host in LOOPBACK), *(f"https://{name}" for name in names)],
    )


def _version() -> str:
    try:
        return version("azul-games")
    except PackageNotFoundError:  # a copy of the folder
        return ""
