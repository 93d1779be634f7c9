"""Play in the terminal: `play azul --level greedy`. `levels` and `rulesets` list the choices."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import httpx

from azul_games.choosing import QuitError, choose
from azul_games.drawing import render
from azul_games.errors import ServiceError, TaskFailedError
from azul_games.game import Game
from azul_games.service import Service


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    epilog = "For language models: azul-games mcp --help"
    parser = argparse.ArgumentParser(prog="azul-games", description="Play in the terminal.", epilog=epilog)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="URL of the service (%(default)s)")
    parser.add_argument("--language", default="en", help="language of sentences: en or de (%(default)s)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("rulesets", help="list rulesets")
    commands.add_parser("levels", help="list the levels of AIs")
    play = commands.add_parser("play", help="play a game against AIs")
    play.add_argument("ruleset", nargs="?", default="azul", help="(%(default)s)")
    play.add_argument("--level", action="append", help="level of an opponent; repeat for each opponent (greedy)")
    play.add_argument("--variant", help="variant; default: the ruleset's first")
    play.add_argument("--name", default="You", help="your name (%(default)s)")
    play.add_argument("--game", help="continue a game of this computer: --game=ID; ids may start with -")
    return parser.parse_args(arguments)


def list_rulesets(service: Service) -> None:
    """Print a line for each ruleset."""
    for ruleset in service.rulesets():
        seats = f"{ruleset.seat_counts[0]} to {ruleset.seat_counts[-1]} seats"
        print(f"{ruleset.id:18} {seats}, {' or '.join(ruleset.variants)}")


def list_levels(service: Service) -> None:
    """Print a line for each level, weakest first."""
    for level in service.levels():
        print(f"{level.id:12} {level.budget_s:5.2f} s  {level.description}")


def play(service: Service, options: argparse.Namespace) -> None:
    """Play a game until it is over or the person quits."""
    if options.game:
        game = service.game(options.game)
    else:
        seats = [{"kind": "player", "name": options.name}, *(options.level or ["greedy"])]
        game = service.create(options.ruleset, seats, variant=options.variant)
    try:
        follow(game)
    except (QuitError, KeyboardInterrupt):
        print(f"\nThe game waits for you: play --game={game.id}")
        raise


def follow(game: Game) -> None:
    """Print the events and ask for decisions until the game is over. Raise QuitError if the person quits."""
    for event in game.events():
        if event.text:
            print(f"* {event.text}")
        if game.is_my_turn and event.revision >= game.view.revision:
            decide(game)
    print(render(game.view))
    for number, seat in enumerate(game.view.outcome.seats if game.view.outcome else []):
        parts = ", ".join(f"{name} {points}" for name, points in seat.breakdown.to_dict().items())
        print(f"rank {seat.rank}: seat {number} with {seat.score} points ({parts})")


def decide(game: Game) -> None:
    """Print the table, ask for an action and play it."""
    print(f"\n{render(game.view)}")
    try:
        game.play(choose(game.legal_actions(), lambda: hint(game)))
    except ServiceError as error:  # the game changed or is paused; the next event shows it
        if error.status not in {409, 412}:
            raise
        print(error)


def hint(game: Game) -> str:
    """Return the best actions by an analysis of the service, with their expected leads."""
    try:
        best = game.hints(best=1)
    except (ServiceError, TaskFailedError) as error:
        return str(error)
    return "\n".join(f"{found.text} (lead {found.lead:+.1f})" for found in best) or "none"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 1 if the person quits or the service responds with an error, else 0."""
    options = parse(arguments)
    with Service(options.url, language=options.language) as service:
        try:
            if options.command == "play":
                play(service, options)
            else:
                {"rulesets": list_rulesets, "levels": list_levels}[options.command](service)
        except (QuitError, KeyboardInterrupt):
            return 1
        except (ServiceError, httpx.TransportError, ValueError) as error:
            print(error, file=sys.stderr)
            return 1
    return 0
