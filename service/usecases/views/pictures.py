"""Pictures of a game's table at a revision, as SVG or text, drawn by the ruleset.

A picture depends only on log, theme, layout and language, so each process caches some.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.games.errors import GameError
from service.games.events import ActionEvent, TakebackEvent
from service.games.state.model import Game
from service.games.state.seats import ACTIVE, AI, OPEN_SEAT, Seat
from service.rulesets.pictures.drawing import AUTO, WIDE, Scene, Sheet, Sitting, Words
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.wire import Json
from service.usecases.base import i18n, replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.i18n import TEXTS
from service.usecases.views import reading

MAX_EVENTS_BACK = 50  # searched for the last action, which may be followed by many offers


@dataclass(frozen=True)
class Picture:
    """An SVG document and its revision."""

    revision: int
    svg: bytes


def draw(context: Context, caller: Caller, game_id: str, revision: int | None, theme: str, layout: str) -> Picture:
    """Draw the table at a revision, or now.

    Raises: game/not_found, game/revision_not_found, game/rebased, ruleset/no_picture.
    """
    loaded = reading.readable(context, caller, game_id)
    picture = picture_of(loaded.game.ruleset)
    at = loaded.game.revision if revision is None else revision

    def draw_svg() -> bytes:
        game = repository.game_at(context, loaded, at)
        return _draw(context, game, picture, theme, layout, caller.language).encode()

    return Picture(at, context.pictures.get((game_id, at, theme, layout, caller.language), draw_svg))


def draw_position(
    position: Position, names: Sequence[str | None], language: str, theme: str = AUTO, layout: str = WIDE
) -> bytes:
    """Draw a position without its game. `names`: by seat, or None. Raises: ruleset/no_picture."""
    picture, words = picture_of(position.ruleset), Words(position.ruleset.texts, language)
    sittings = [
        Sitting(name or TEXTS.message(language, "who", {"seat": seat}), score, decides=position.seat == seat)
        for seat, (name, score) in enumerate(zip(names, position.scores, strict=True))
    ]
    components = position.ruleset.wire.components()
    scene = Scene(position.ruleset.view(position), components, sittings, words, layout=layout)
    return picture(scene).to_svg(title_of(scene), "", theme).encode()


def picture_of(ruleset: Ruleset) -> Callable[[Scene], Sheet]:
    """Return the ruleset's function that draws a scene. Raises: ruleset/no_picture."""
    if ruleset.picture is None:
        raise GameError("ruleset/no_picture")
    return ruleset.picture


def write(context: Context, caller: Caller, game_id: str, revision: int | None) -> tuple[int, str]:
    """Return the revision and the table as text. Raises the errors of `draw`."""
    loaded = reading.readable(context, caller, game_id)
    at = loaded.game.revision if revision is None else revision
    return at, write_position(_position(repository.game_at(context, loaded, at)))


def write_position(position: Position) -> str:
    """Return a position without its game as text. Raises: ruleset/no_picture."""
    if position.ruleset.text_picture is None:
        raise GameError("ruleset/no_picture")
    return f"{position}\n"


def _position(game: Game) -> Position:
    return game.meta.start() if game.position is None else game.position


def _draw(
    context: Context, game: Game, picture: Callable[[Scene], Sheet], theme: str, layout: str, language: str
) -> str:
    last = last_action(context, game)
    scene = scene_of(game, last, layout, language)
    return picture(scene).to_svg(title_of(scene), _caption(game, scene.sittings, last, language), theme)


def scene_of(game: Game, last: Json | None, layout: str, language: str) -> Scene:
    """Return the scene to draw: the game after its last action."""
    position = _position(game)
    sittings = [_sitting(game, seat, score, language) for seat, score in enumerate(position.scores)]
    words = Words(game.ruleset.texts, language)
    return Scene(game.ruleset.view(position), game.ruleset.wire.components(), sittings, words, last, layout)


def title_of(scene: Scene) -> str:
    """Return the game's title with its players."""
    return f"{scene.words['title']}: {', '.join(sitting.name for sitting in scene.sittings)}"


def _sitting(game: Game, number: int, score: int, language: str) -> Sitting:
    seat = game.seats[number]
    note = OPEN_SEAT if seat.kind == OPEN_SEAT else seat.status
    name = _name(game, number, language)
    return Sitting(
        name=name,
        score=score,
        decides=game.to_decide == number,
        note="" if note == ACTIVE else TEXTS.message(language, f"picture-{note}".replace("_", "-")),
        caption=TEXTS.message(language, "picture-points", {"name": name, "points": score}),
    )


def _name(game: Game, number: int, language: str) -> str:
    """Return the name at the seat: of its player, or of its AI's character. Equal names are numbered."""
    return i18n.number_equal([_own_name(seat, at, language) for at, seat in enumerate(game.seats)])[number]


def _own_name(seat: Seat, number: int, language: str) -> str:
    if seat.name:
        return seat.name
    if seat.kind == AI and seat.level:
        return TEXTS.message(language, "picture-ai", {"character": i18n.character(seat.level, language)})
    return TEXTS.message(language, "who" if seat.kind == OPEN_SEAT else "picture-nameless", {"seat": number})


def last_action(context: Context, game: Game) -> Json | None:
    """Return the fields and seat of the last action; None before the first action or after a takeback."""
    latest = replaying.events_of(context, game.meta.id, max(0, game.revision - MAX_EVENTS_BACK), game.revision)
    for event in reversed([*latest]):
        if isinstance(event, ActionEvent):
            return action_json(game, event)
        if isinstance(event, TakebackEvent):
            return None
    return None


def action_json(game: Game, event: ActionEvent) -> Json:
    """Return the fields and seat of an action."""
    return {**game.ruleset.with_full_type(event.action), "seat": event.seat}


def _caption(game: Game, sittings: Sequence[Sitting], last: Json | None, language: str) -> str:
    """Describe the table in sentences."""
    sentences = [sitting.caption for sitting in sittings]
    if last is not None:
        move = i18n.move(game, last, sittings[last["seat"]].name, language)
        sentences.append(TEXTS.message(language, "picture-last", {"move": move}))
    sentences += [
        TEXTS.message(language, "picture-decides", {"name": sitting.name}) for sitting in sittings if sitting.decides
    ]
    return " ".join(sentences)
