"""A whole game against an AI: `python play.py http://127.0.0.1:8000 queens-garden --level greedy`.

It follows the game's stream and decides, by chance, whenever its seat is waited for. With `--game=ID --token=TOKEN`
it takes a seat of a game that exists.
"""

from __future__ import annotations

import argparse
import random

from azul_games import Game, Service, ServiceError


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="A whole game against an AI.")
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("ruleset", nargs="?", default="azul")
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--game", help="one that exists")
    parser.add_argument("--token", help="of a seat of that game")
    parser.add_argument("--seat", default="0", help="its number")
    return parser.parse_args()


def decide(game: Game) -> None:
    """Decide once. 412: somebody was faster; 409: not now (not our turn, paused); the stream tells what is."""
    try:
        game.play(random.choice(game.legal_actions()))
    except ServiceError as error:
        if error.status not in {409, 412}:
            raise
        print(f"refused: {error.code}", flush=True)


def main() -> None:
    """Play."""
    asked = arguments()
    with Service(asked.url, tokens=None) as service:
        if asked.game:
            service.tokens.keep(asked.game, {"seats": {asked.seat: asked.token}})
            game = service.game(asked.game)
        else:
            game = service.create(asked.ruleset, [{"kind": "player", "name": "Tess"}, asked.level])
        print(f"game {game.id}")
        for event in game.events():
            print(f"{event.revision} {event.kind}: {event.text}", flush=True)
            if game.is_my_turn and event.revision >= game.view.revision:
                decide(game)
        for seat in game.view.outcome.seats if game.view.outcome else []:
            print(f"rank {seat.rank}: {seat.score}")


if __name__ == "__main__":
    main()
