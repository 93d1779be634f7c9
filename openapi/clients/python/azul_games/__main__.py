"""`python -m azul_games play …`: a table in the terminal; `… mcp`: a server for language models."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and import only what it needs. Return the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["mcp"]:
        from azul_games.mcp.command import run

        return run(words[1:])
    if importlib.util.find_spec("azul_games_client") is None:
        print("The client has not been generated yet: make client-python", file=sys.stderr)
        return 2
    from azul_games.terminal import main as play

    return play(words)


if __name__ == "__main__":
    sys.exit(main())
