"""A game as a picture, or as text: the table at a revision, drawn by its ruleset.

What is drawn follows from the log, theme, layout and language alone, so each process remembers its pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.games.errors import GameError
from service.games.events import ActionEvent, TakebackEvent
from service.games.state.model import Game
from service.games.state.seats import ACTIVE, AI, OPEN_SEAT, Seat
from service.rulesets.pictures.drawing import Scene, Sheet, Sitting, Words
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.usecases.base import i18n, replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.i18n import TEXTS
from service.usecases.views import reading

LOOKED_BACK = 50  # events, for the last action: many offers may have been made since


@dataclass(frozen=True)
class Picture:
    """An SVG document, and the revision it is of."""

    revision: int
    svg: bytes


def draw(context: Context, caller: Caller, game_id: str, revision: int | None, theme: str, layout: str) -> Picture:
    """The table at a revision, or now. game/not_found, game/revision_not_found, game/rebased, ruleset/no_picture."""
    loaded = reading.readable(context, caller, game_id)
    picture = picture_of(loaded.game)
    at = loaded.game.revision if revision is None else revision

    def drawn() -> bytes:
        game = repository.game_at(context, loaded, at)
        return _drawn(context, game, picture, theme, layout, caller.language).encode()

    return Picture(at, context.pictures.get((game_id, at, theme, layout, caller.language), drawn))


def picture_of(game: Game) -> Callable[[Scene], Sheet]:
    """What draws its table. ruleset/no_picture."""
    picture = game.ruleset.picture
    if picture is None:
        raise GameError("ruleset/no_picture")
    return picture


def write(context: Context, caller: Caller, game_id: str, revision: int | None) -> tuple[int, str]:
    """The revision, and the table at it as text. Errors as of `draw`."""
    loaded = reading.readable(context, caller, game_id)
    if loaded.game.ruleset.text_picture is None:
        raise GameError("ruleset/no_picture")
    at = loaded.game.revision if revision is None else revision
    game = repository.game_at(context, loaded, at)
    return at, f"{_position(game)}\n"


def _position(game: Game) -> Position:
    return game.meta.start() if game.position is None else game.position


def _drawn(
    context: Context, game: Game, picture: Callable[[Scene], Sheet], theme: str, layout: str, language: str
) -> str:
    last = last_action(context, game)
    scene = scene_of(game, last, layout, language)
    return picture(scene).finished(title_of(scene), _caption(game, scene.sittings, last, language), theme)


def scene_of(game: Game, last: Json | None, layout: str, language: str) -> Scene:
    """What is drawn of a game, after an action."""
    position = _position(game)
    sittings = [_sitting(game, seat, score, language) for seat, score in enumerate(position.scores)]
    words = Words(game.ruleset.texts, language)
    return Scene(game.ruleset.view(position), game.ruleset.wire.components(), sittings, words, last, layout)


def title_of(scene: Scene) -> str:
    """The game and who plays it."""
    return f"{scene.words['title']}: {', '.join(sitting.name for sitting in scene.sittings)}"


def _sitting(game: Game, number: int, score: int, language: str) -> Sitting:
    seat = game.seats[number]
    note = OPEN_SEAT if seat.kind == OPEN_SEAT else seat.status
    return Sitting(
        name=_name(seat, number, language),
        score=score,
        decides=game.to_decide == number,
        note="" if note == ACTIVE else TEXTS.message(language, f"picture-{note}".replace("_", "-")),
    )


def _name(seat: Seat, number: int, language: str) -> str:
    """The name at the seat; of an AI, what its level is called."""
    if seat.name:
        return seat.name
    if seat.kind == AI and seat.level:
        return TEXTS.message(language, "picture-ai", {"level": i18n.level(seat.level, language)})
    return TEXTS.message(language, "who", {"seat": number})


def last_action(context: Context, game: Game) -> Json | None:
    """The fields of the last action that stands, and its seat; None before the first, and after a takeback."""
    latest = replaying.events_of(context, game.meta.id, max(0, game.revision - LOOKED_BACK), game.revision)
    for event in reversed([*latest]):
        if isinstance(event, ActionEvent):
            return done(game, event)
        if isinstance(event, TakebackEvent):
            return None
    return None


def done(game: Game, event: ActionEvent) -> Json:
    """The fields of an action, and its seat."""
    return {**game.ruleset.typed(event.action), "seat": event.seat}


def _caption(game: Game, sittings: Sequence[Sitting], last: Json | None, language: str) -> str:
    """The table in words."""
    sentences = [
        TEXTS.message(language, "picture-points", {"name": sitting.name, "points": sitting.score})
        for sitting in sittings
    ]
    if last is not None:
        move = i18n.move(game, last, sittings[last["seat"]].name, language)
        sentences.append(TEXTS.message(language, "picture-last", {"move": move}))
    sentences += [
        TEXTS.message(language, "picture-decides", {"name": sitting.name}) for sitting in sittings if sitting.decides
    ]
    return " ".join(sentences)
