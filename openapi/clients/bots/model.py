"""A whole player over MCP: `python model.py http://127.0.0.1:8000 [RULESET]` plays a game against an AI.

It starts the MCP server as a desktop program does, over stdio, and knows nothing but its tools. Where it draws an
action by chance, ask your language model instead: give it the text of the table and of the list.
Needs `pip install 'azul-games[mcp]'`.
"""

import os
import random
import sys
from typing import Any

import anyio
from mcp import Client, StdioServerParameters


def choose(_table: str, listed: Any) -> Any:
    """Here goes your model: it reads the table and what is legal, and answers with an id."""
    return random.choice(listed["actions"])["id"]


async def main(url: str, ruleset: str = "azul") -> None:
    """Play a game to its end, and print how it ended."""
    command = ["-m", "azul_games", "mcp", "--url", url]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with Client(server) as client:

        async def use(tool: str, **arguments: Any) -> tuple[str, Any]:
            answer: Any = await client.call_tool(tool, arguments)
            if answer.is_error:
                sys.exit(answer.content[0].text)
            return answer.content[0].text, answer.structured_content

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
