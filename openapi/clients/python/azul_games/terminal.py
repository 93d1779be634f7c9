"""A table in the terminal: `play azul --level greedy`; `levels`, `rulesets` list what there is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import httpx

from azul_games.choosing import QuitError, choose
from azul_games.drawing import drawn
from azul_games.errors import ServiceError, TaskFailedError
from azul_games.game import Game
from azul_games.service import Service


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for."""
    more = "For language models: azul_games mcp --help"
    parser = argparse.ArgumentParser(prog="azul_games", description="A table in the terminal.", epilog=more)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="of the service (%(default)s)")
    parser.add_argument("--language", default="en", help="of sentences: en or de (%(default)s)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("rulesets", help="list what can be played")
    commands.add_parser("levels", help="list how strong AIs play")
    play = commands.add_parser("play", help="play a game against AIs")
    play.add_argument("ruleset", nargs="?", default="azul", help="(%(default)s)")
    play.add_argument("--level", action="append", help="of an opponent; once for each (greedy)")
    play.add_argument("--variant", help="the ruleset's first where nothing is said")
    play.add_argument("--name", default="You", help="yours (%(default)s)")
    play.add_argument("--game", help="go on with this one, which was begun here: --game=ID, which may begin with -")
    return parser.parse_args(given)


def list_rulesets(service: Service) -> None:
    """A line each."""
    for ruleset in service.rulesets():
        seats = f"{ruleset.seat_counts[0]} to {ruleset.seat_counts[-1]} seats"
        print(f"{ruleset.id:18} {seats}, {' or '.join(ruleset.variants)}")


def list_levels(service: Service) -> None:
    """A line each, weakest first."""
    for level in service.levels():
        print(f"{level.id:12} {level.budget_s:5.2f} s  {level.description}")


def play(service: Service, asked: argparse.Namespace) -> None:
    """A game to its end, unless it is left."""
    if asked.game:
        game = service.game(asked.game)
    else:
        seats = [{"kind": "player", "name": asked.name}, *(asked.level or ["greedy"])]
        game = service.create(asked.ruleset, seats, variant=asked.variant)
    try:
        follow(game)
    except (QuitError, KeyboardInterrupt):
        print(f"\nThe game waits for you: play --game={game.id}")
        raise


def follow(game: Game) -> None:
    """Tell what happens and ask what to do, to the end. QuitError."""
    for event in game.events():
        if event.text:
            print(f"* {event.text}")
        if game.is_my_turn and event.revision >= game.view.revision:
            decide(game)
    print(drawn(game.view))
    for number, seat in enumerate(game.view.outcome.seats if game.view.outcome else []):
        parts = ", ".join(f"{name} {points}" for name, points in seat.breakdown.to_dict().items())
        print(f"rank {seat.rank}: seat {number} with {seat.score} points ({parts})")


def decide(game: Game) -> None:
    """Show the table, ask, and do it."""
    print(f"\n{drawn(game.view)}")
    try:
        game.play(choose(game.legal_actions(), lambda: hint(game)))
    except ServiceError as error:  # somebody was faster, or the game is paused: the next event tells
        if error.status not in {409, 412}:
            raise
        print(error)


def hint(game: Game) -> str:
    """What the service would do, and what it expects of it."""
    try:
        best = game.hints(best=1)
    except (ServiceError, TaskFailedError) as error:
        return str(error)
    return "\n".join(f"{found.text} (lead {found.lead:+.1f})" for found in best) or "none"


def main(given: Sequence[str] | None = None) -> int:
    """Returns the exit status: 0, or 1 where the game was left or the service refuses."""
    asked = arguments(given)
    with Service(asked.url, language=asked.language) as service:
        try:
            if asked.command == "play":
                play(service, asked)
            else:
                {"rulesets": list_rulesets, "levels": list_levels}[asked.command](service)
        except (QuitError, KeyboardInterrupt):
            return 1
        except (ServiceError, httpx.TransportError, ValueError) as error:
            print(error, file=sys.stderr)
            return 1
    return 0
