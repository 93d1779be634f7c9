"""A game that is over, played again as one SVG that moves: from the deal to the result.

The log is replayed once. Each decision that stands is a picture, with what was drawn after it; the deal of a new round
is one of its own. A long game is told by some of its moves. Like a picture, an animation follows from the log and the
way it looks, so each process remembers some; and a process makes one at a time, since others wait for it meanwhile.
"""

from __future__ import annotations

import gzip
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.games.errors import GameError
from service.games.events import ActionEvent, Event, TakebackEvent
from service.games.state.model import Game
from service.games.view import outcome
from service.rulesets.pictures.animation import Pace, animated, caption, rows
from service.rulesets.pictures.drawing import Scene, Sheet
from service.rulesets.wire import Json
from service.usecases.base import i18n, replaying
from service.usecases.base.context import Caller, Context
from service.usecases.base.i18n import TEXTS
from service.usecases.base.repository import Loaded
from service.usecases.views import pictures, reading

MAX_STILLS = 160
LASTS_S = 30.0
SHORTEST_STILL_S, LONGEST_STILL_S = 0.2, 1.0  # a still, where the caller does not say
HELD = 4.0  # seconds for the result, and so many stills at least
EVENTS_AT_ONCE = 32


@dataclass(frozen=True)
class Looks:
    """How an animation is to look. `seconds`: for each still; None: as its length asks for."""

    theme: str
    layout: str
    seconds: float | None
    loop: bool


class Still(NamedTuple):
    """The game after a decision, the last action with its seat, and the round of the latest draw."""

    game: Game
    last: Json | None
    dealt: int | None


def finished(context: Context, caller: Caller, game_id: str) -> Loaded:
    """A game that can be played again. game/not_found, game/not_over, ruleset/no_picture."""
    loaded = reading.readable(context, caller, game_id)
    pictures.picture_of(loaded.game)
    if not loaded.game.is_over:
        raise GameError("game/not_over")
    return loaded


def animate(context: Context, loaded: Loaded, looks: Looks, language: str) -> bytes:
    """The game as one SVG, in gzip."""
    key = (loaded.game.meta.id, loaded.game.revision, looks, language)
    if (known := context.animations.known(key)) is not None:
        return known
    with context.animating:
        return context.animations.get(
            key, lambda: gzip.compress(_drawn(context, loaded.game, looks, language).encode(), mtime=0)
        )


def stills_of(context: Context, game: Game) -> list[Still]:
    """The decisions that stand; the deal, or what the present rules know first, before them, and the result last."""
    start, steps = replaying.course(context, game)
    stills = [] if start.position is None else [Still(start, pictures.last_action(context, start), _round(start))]
    for event, after in steps:
        if event.revision % EVENTS_AT_ONCE == 0:
            time.sleep(0)  # let others run
        _add(stills, event, after)
    if not stills:
        return [Still(game, None, None)]
    if stills[-1].game.is_over:  # else somebody has resigned, or it was aborted
        stills.pop()
    stills.append(Still(game, pictures.last_action(context, game), _round(game)))
    every = max(1, math.ceil((len(stills) - 1) / (MAX_STILLS - 1)))
    return [*stills[:1], *stills[:0:-every][::-1]]  # the first, the last, and so many between


def _add(stills: list[Still], event: Event, after: Game) -> None:
    """What an event brings, if it changes the table."""
    if isinstance(event, TakebackEvent):
        while len(stills) > 1 and stills[-1].game.revision > event.to:
            stills.pop()
    elif isinstance(event, ActionEvent):
        stills.append(Still(after, pictures.done(after, event), stills[-1].dealt))
    elif after.position is not None and (not stills or stills[-1].game.position != after.position):
        dealt, before = _round(after), stills[-1] if stills else None
        if before is not None and (before.last is None or before.dealt == dealt):
            stills.pop()
        stills.append(Still(after, before and before.last, dealt))


def _round(game: Game) -> int | None:
    """The round that is being played, in rulesets that have some."""
    view = {} if game.position is None else game.ruleset.view(game.position)
    return view.get("round")


def _drawn(context: Context, game: Game, looks: Looks, language: str) -> str:
    picture = pictures.picture_of(game)
    stills = stills_of(context, game)
    scenes = [pictures.scene_of(still.game, still.last, looks.layout, language) for still in stills]
    captions = [_words(stills, scenes, number, language) for number in range(len(stills))]
    film = animated(_sheets(picture, scenes, captions), _pace(len(stills), looks))
    return film.finished(pictures.title_of(scenes[-1]), f"{captions[-1]} {_standing(scenes[-1])}", looks.theme)


def _sheets(picture: Callable[[Scene], Sheet], scenes: Sequence[Scene], captions: Sequence[str]) -> Iterator[Sheet]:
    """A picture of each scene, with its caption; all of them are as high."""
    height = 0
    for scene, words in zip(scenes, captions, strict=True):
        time.sleep(0)  # let others run
        sheet = picture(scene)
        height = height or max(len(rows(each, sheet.width)) for each in captions)
        caption(sheet, words, _standing(scene), height)
        yield sheet


def _words(stills: Sequence[Still], scenes: Sequence[Scene], number: int, language: str) -> str:
    """What the caption of a still tells."""
    still, scene = stills[number], scenes[number]
    if number == len(stills) - 1:
        return _end(still.game, scene, language)
    if number == 0:
        return pictures.title_of(scene)
    before = stills[number - 1]
    if still.last is None or (still.last is before.last and still.dealt != before.dealt):
        return f"{scene.words['round']} {still.dealt}"
    return i18n.move(still.game, still.last, scene.sittings[still.last["seat"]].name, language)


def _standing(scene: Scene) -> str:
    return " · ".join(f"{sitting.name}: {sitting.score}" for sitting in scene.sittings)


def _end(game: Game, scene: Scene, language: str) -> str:
    """Who has won."""
    result = outcome(game)
    if result is None:
        return TEXTS.message(language, "event-abort", {})
    winners = [scene.sittings[seat].name for seat, one in enumerate(result["seats"]) if one["won"]]
    return TEXTS.message(language, "picture-won", {"winners": len(winners), "names": " · ".join(winners)})


def _pace(count: int, looks: Looks) -> Pace:
    seconds = looks.seconds or round(min(LONGEST_STILL_S, max(SHORTEST_STILL_S, LASTS_S / count)), 2)
    return Pace(seconds, max(HELD, HELD * seconds), looks.loop)
