"""`python -m azul_games play …`: a table in the terminal; `… mcp`: a server for language models."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence


def main(given: Sequence[str] | None = None) -> int:
    """Returns the exit status of the command; only what that needs is imported."""
    words = sys.argv[1:] if given is None else given
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
