"""A thin layer on the client generated from the OpenAPI document, for scripts that play.

    from azul_games import Service

    with Service("http://127.0.0.1:8000") as service:
        game = service.create("azul", ["player", "greedy"])
        for event in game.events():
            print(event.text)
            if game.is_my_turn:
                game.play(game.legal_actions()[0])

It retries requests if that is safe (transport.py), resumes streams (events.py), stores tokens in a file (tokens.py) and
raises ServiceError with the service's code for error responses (errors.py). Call operations without a method here with
`azul_games_client.api` and `service.client(token)`. `azul_games.mcp` serves language models.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from azul_games.errors import ServiceError, TaskFailedError
    from azul_games.events import Event
    from azul_games.game import Game
    from azul_games.service import Service

__all__ = ["Event", "Game", "Service", "ServiceError", "TaskFailedError"]

_MODULES = {
    "Event": "events",
    "Game": "game",
    "Service": "service",
    "ServiceError": "errors",
    "TaskFailedError": "errors",
}


def __getattr__(name: str) -> Any:
    """Import a name on first use, because `azul_games.mcp` works without the generated client."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"azul_games.{_MODULES[name]}"), name)
