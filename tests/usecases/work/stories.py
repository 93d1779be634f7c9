"""Golden stories: nine reviewed games in `reviews.json.gz`, and what the service writes about them.

`python -m tests.usecases.work.stories` writes the stories again; review the difference before you commit it. `--new`
first plays and reviews the games, which takes some minutes.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import orjson

from service.games.session import GameSession
from service.games.state.clocks import LOSE, ClockRule
from service.games.state.model import Game, Meta
from service.games.state.seats import AI, PLAYER, Seat
from service.games.view import Lifetimes, view
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Position
from service.rulesets.texts import LANGUAGES
from service.usecases.work.reviewed_game import ReviewedGame
from service.usecases.work.stories import story

FOLDER = Path(__file__).parent / "golden"
REVIEWS = FOLDER / "reviews.json.gz"
BEGIN, LATER = "2026-01-01T12:00:00.000Z", "2026-01-02T12:00:00.000Z"
SECONDS = 0.05  # per decision
VIEWED = ("id", "ruleset", "variant", "revision", "outcome")
SEAT = ("name", "kind", "level", "status")


class Script(NamedTuple):
    """How a game is played. `seats`: name and level; without a name the seat is an AI.

    `end` changes the game before the decision `after`.
    """

    ruleset: str
    variant: str
    seats: tuple[tuple[str | None, str], ...]
    end: Callable[[GameSession], object] | None = None
    after: int = 0


def run_out_of_time(session: GameSession) -> None:
    """Let the seat to decide exceed its time."""
    session.current_time = LATER
    session.keep_time()


SCRIPTS: Mapping[str, Script] = {
    "azul-5": Script("azul", "grey", (("Fay", "club"), (None, "club"))),
    "azul-8": Script("azul", "coloured", (("Cem", "club"), (None, "club")), lambda session: session.resign(1), 33),
    "azul-four": Script(
        "azul",
        "grey",
        ((None, "planner"), ("Ben", "greedy"), ("Cem", "casual"), ("Ana", "club")),
        lambda session: session.resign(2),
        40,
    ),
    "pavilion-time": Script("summer-pavilion", "coloured", (("Cem", "casual"), ("Ana", "club")), run_out_of_time, 60),
    "summer-pavilion-6": Script(
        "summer-pavilion",
        "coloured",
        (("Fay", "greedy"), (None, "greedy"), ("Ben", "greedy"), ("Cem", "greedy")),
    ),
    "summer-pavilion-7": Script("summer-pavilion", "grey", ((None, "club"), ("Ben", "club"))),
    "garden-draw": Script(
        "queens-garden",
        "standard",
        (("Ana", "club"), ("Ben", "greedy")),
        lambda session: session.adjudicate("draw", None),
        40,
    ),
    "queens-garden-3": Script("queens-garden", "reverse", (("Ben", "club"), ("Cem", "club"), (None, "club"))),
    "queens-garden-7": Script("queens-garden", "reverse", (("Fay", "casual"), (None, "casual"))),
}
"""Games by name. The name is the seed of the draws. The games end in many ways."""


def play(name: str, script: Script) -> tuple[Json, list[tuple[int, Position, int]]]:
    """Play a game. Return its view and its decisions: revision, position and action."""
    from workers.search.decisions import search_at_level  # slow to import, and tests only read

    clock = ClockRule(turn_s=600, bank_s=0, on_timeout=LOSE, level="random") if script.end is run_out_of_time else None
    seats = tuple(Seat(PLAYER, owner) if owner else Seat(AI, level=level) for owner, level in script.seats)
    seed = sha256(name.encode()).hexdigest()
    version = RULESETS[script.ruleset].version
    meta = Meta(name, script.ruleset, version, script.variant, "public", None, seed, False, BEGIN, seats, clock)
    session = GameSession(Game.new(meta), BEGIN)
    session.create()
    decisions: list[tuple[int, Position, int]] = []
    while (position := session.game.position) is not None and (seat := session.game.to_decide) is not None:
        if script.end is not None and len(decisions) == script.after:
            script.end(session)
            if session.game.is_over:
                break
        own_seed = sha256(f"{name} {len(decisions)}".encode()).digest()
        action = search_at_level(position, script.seats[seat][1], own_seed).choose().action
        decisions.append((session.game.revision + 1, position, action))
        session.act(seat, action)
    shown = view(session.game, Lifetimes(1, 1, 1))
    names = {"seats": [{name: seat[name] for name in SEAT} for seat in shown["seats"]]}
    return {**{name: shown[name] for name in VIEWED}, **names}, decisions


def review(name: str, script: Script) -> Json:
    """Play and review a game. Return its view and review."""
    from workers.tasks import analysis

    shown, decisions = play(name, script)
    return {"view": shown, "review": analysis.review(decisions, SECONDS, lambda _progress, _result: True)}


def games() -> dict[str, ReviewedGame]:
    """Return the stored games by name."""
    stored = orjson.loads(gzip.decompress(REVIEWS.read_bytes()))
    return {name: ReviewedGame(each["view"], each["review"], each["review"]["rounds"]) for name, each in stored.items()}


def texts() -> Iterator[tuple[Path, str]]:
    """Yield the path and content of each golden file."""
    for language in LANGUAGES:
        paragraphs = [f"{name}\n{_lines(story(game, language))}" for name, game in games().items()]
        yield FOLDER / f"{language}.txt", "\n".join(paragraphs)


def _lines(sentences: list[Json]) -> str:
    return "".join(f"{sentence['revision']:4}  {sentence['text']}\n" for sentence in sentences)


if __name__ == "__main__":
    if "--new" in sys.argv:
        stored = orjson.dumps({name: review(name, script) for name, script in SCRIPTS.items()})
        REVIEWS.write_bytes(gzip.compress(stored, mtime=0))
    for path, content in texts():
        path.write_text(content, "utf-8")
