"""Play a game against an AI: `python play.py http://127.0.0.1:8000 queens-garden --level greedy`.

It follows the stream of the game and plays random actions when its seat has to decide. `--game=ID --token=TOKEN` plays
a seat of an existing game.
"""

from __future__ import annotations

import argparse
import random

from azul_games import Game, Service, ServiceError


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Play a game against an AI.")
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("ruleset", nargs="?", default="azul")
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--game", help="id of an existing game")
    parser.add_argument("--token", help="token of a seat of that game")
    parser.add_argument("--seat", default="0", help="number of the seat")
    return parser.parse_args()


def decide(game: Game) -> None:
    """Play one action. After 409 (not our turn, or paused) and 412 (the game has changed), wait for the next event."""
    try:
        game.play(random.choice(game.legal_actions()))
    except ServiceError as error:
        if error.status not in {409, 412}:
            raise
        print(f"refused: {error.code}", flush=True)


def main() -> None:
    """Play a game and print its events."""
    options = arguments()
    with Service(options.url, tokens=None) as service:
        if options.game:
            service.tokens.keep(options.game, {"seats": {options.seat: options.token}})
            game = service.game(options.game)
        else:
            game = service.create(options.ruleset, [{"kind": "player", "name": "Tess"}, options.level])
        print(f"game {game.id}")
        for event in game.events():
            print(f"{event.revision} {event.kind}: {event.text}", flush=True)
            if game.is_my_turn and event.revision >= game.view.revision:
                decide(game)
        for seat in game.view.outcome.seats if game.view.outcome else []:
            print(f"rank {seat.rank}: {seat.score}")


if __name__ == "__main__":
    main()
