"""A complete player over MCP: `python model.py http://127.0.0.1:8000 [RULESET]` plays a game against an AI.

It starts the MCP server over stdio, as a desktop app does, and uses only its tools. It chooses actions at random: call
your language model there, with the text of the table and the list of actions. It needs the MCP SDK:
`make options` in a checkout, otherwise `pip install 'azul-games[mcp]'`.
"""

import os
import random
import sys
from typing import Any

import anyio
from mcp import Client, StdioServerParameters


def choose(_table: str, listed: Any) -> Any:
    """Return the id of a legal action. Call your model here."""
    return random.choice(listed["actions"])["id"]


async def main(url: str, ruleset: str = "azul") -> None:
    """Play a game and print the result."""
    command = ["-m", "azul_games", "mcp", "--url", url]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with Client(server) as client:

        async def use(tool: str, **arguments: Any) -> tuple[str, Any]:
            result: Any = await client.call_tool(tool, arguments)
            if result.is_error:
                sys.exit(result.content[0].text)
            return result.content[0].text, result.structured_content

        text, game = await use("create_game", ruleset=ruleset, seats=["me", "novice"])
        while game["status"] == "playing":
            text, game = await use("wait_for_turn", game=game["game"], since=game["revision"])
            if game["your_turn"]:
                _, listed = await use("list_actions", game=game["game"], limit=200)
                chosen = {"action_id": choose(text, listed), "revision": listed["revision"]}
                text, game = await use("choose_action", game=game["game"], **chosen)
        print(text)


if __name__ == "__main__":
    anyio.run(lambda: main(*sys.argv[1:]))
