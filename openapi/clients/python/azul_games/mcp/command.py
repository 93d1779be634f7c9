"""`python -m azul_games mcp`: an MCP server for one client over stdio, or with --http for many clients."""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

INSTALL = "The MCP SDK is missing: `make options` in a checkout, otherwise `pip install 'azul-games[mcp]'`"


def port(text: str) -> int:
    """Parse a port, or 0. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65_535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 1 to 65535, or 0 (MCP_PORT)")
    return int(text)


def arguments(argv: Sequence[str], env: Mapping[str, str]) -> argparse.Namespace:
    """Parse the arguments. The environment supplies the defaults."""
    parser = argparse.ArgumentParser(prog="azul-games mcp", description="MCP server of the games, for language models.")
    parser.add_argument(
        "--url",
        default=env.get("AZUL_GAMES_URL") or "http://127.0.0.1:8000",
        help="URL of the service (AZUL_GAMES_URL)",
    )
    parser.add_argument("--name", default="Model", help="name of the new player, over stdio (%(default)s)")
    parser.add_argument(
        "--token-file", type=Path, help="file for the token of that player; without it, the token is lost at exit"
    )
    http = parser.add_argument_group("over HTTP", "each request has the token of a player: Authorization: Bearer …")
    http.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp instead of stdio")
    http.add_argument("--host", default=env.get("MCP_HOST") or "127.0.0.1", help="address to listen on (MCP_HOST)")
    http.add_argument(
        "--port", type=port, default=env.get("MCP_PORT") or "0", help="port; 0 disables the server (MCP_PORT)"
    )
    http.add_argument(
        "--names",
        type=lambda words: [word.strip() for word in words.split(",") if word.strip()],
        default=env.get("MCP_NAMES", ""),
        help="public host names, separated by commas (MCP_NAMES)",
    )
    return parser.parse_args(argv)


def run(argv: Sequence[str]) -> int:
    """Serve until the client disconnects or a signal arrives. Return the exit status: 2 for wrong arguments."""
    options = arguments(argv, os.environ)
    token = os.environ.get("AZUL_GAMES_PLAYER_TOKEN")
    if options.http and not options.port:
        return _idle()
    if options.http and (token or options.token_file):
        print("A player token works with stdio only. Over HTTP, each client sends its own.", file=sys.stderr)
        return 2
    if importlib.util.find_spec("mcp") is None:
        print(INSTALL, file=sys.stderr)
        return 2
    _serve(options, token)
    return 0


def _serve(options: argparse.Namespace, token: str | None) -> None:
    from azul_games.mcp.api import Api
    from azul_games.mcp.players import OnePlayer, PlayerOfEachRequest
    from azul_games.mcp.server import build, security

    api = Api(options.url, os.environ.get("AZUL_GAMES_API_KEY"))
    if not options.http:
        build(api, OnePlayer(api, options.name, token, options.token_file)).run("stdio")
        return
    build(api, PlayerOfEachRequest()).run(
        "streamable-http",
        host=options.host,
        port=options.port,
        stateless_http=True,
        transport_security=security(options.names),
    )


def _idle() -> int:
    """Wait for a signal. A Procfile starts every process, so this one must not exit."""
    for number in (signal.SIGTERM, signal.SIGINT):  # raises, because setting an event that is waited for can block
        signal.signal(number, lambda _number, _frame: sys.exit(0))
    print("MCP_PORT is not set. The MCP server is disabled.", file=sys.stderr, flush=True)
    threading.Event().wait()
    return 0
