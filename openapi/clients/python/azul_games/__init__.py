"""Scripts that play: a thin layer on the client that is generated from the service's document.

    from azul_games import Service

    with Service("http://127.0.0.1:8000") as service:
        game = service.create("azul", ["player", "greedy"])
        for event in game.events():
            print(event.text)
            if game.is_my_turn:
                game.play(game.legal_actions()[0])

Requests are sent again where that is safe (transport.py), streams are taken up again (events.py), tokens are kept in
a file (tokens.py), and what is refused raises ServiceError with the service's code (errors.py). Operations that have
no method here are in `azul_games_client.api`, with `service.client(token)`. `azul_games.mcp` serves language models.
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
    """Import what is asked for, when it is: `azul_games.mcp` needs nothing that is generated."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"azul_games.{_MODULES[name]}"), name)
