"""Animations of finished games, as one SVG from the deal to the result.

The log is replayed once. Each decision that was not taken back becomes a still, together with the draws after it; the
deal of a new round is a separate still. A long game shows only some of its decisions. An animation depends only on the
log and the options, so each process caches some. It draws one at a time, to leave time for other requests.
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
from service.rulesets.pictures.animation import Pace, caption, merge_pictures, rows
from service.rulesets.pictures.drawing import Scene, Sheet
from service.rulesets.wire import Json
from service.usecases.base import i18n, replaying
from service.usecases.base.context import Caller, Context
from service.usecases.base.i18n import TEXTS
from service.usecases.base.repository import Loaded
from service.usecases.views import pictures, reading

MAX_STILLS = 160
DEFAULT_DURATION_S = 30.0
MIN_STILL_S, MAX_STILL_S = 0.2, 1.0  # limits of the default duration of a still
RESULT_S = 4.0  # minimum duration of the result; it also lasts at least as many stills
EVENTS_AT_ONCE = 32


@dataclass(frozen=True)
class RenderingOptions:
    """Options of an animation. `seconds`: duration of a still; None: by the length of the game."""

    theme: str
    layout: str
    seconds: float | None
    loop: bool


class Still(NamedTuple):
    """The game after a decision, its last action with the seat, and the round of the latest draw."""

    game: Game
    last: Json | None
    dealt: int | None


def load_finished(context: Context, caller: Caller, game_id: str) -> Loaded:
    """Return the game if an animation of it can be drawn. Raises: game/not_found, game/not_over, ruleset/no_picture."""
    loaded = reading.readable(context, caller, game_id)
    pictures.picture_of(loaded.game.ruleset)
    if not loaded.game.is_over:
        raise GameError("game/not_over")
    return loaded


def animate(context: Context, loaded: Loaded, options: RenderingOptions, language: str) -> bytes:
    """Return the animation as SVG, compressed by gzip."""
    key = (loaded.game.meta.id, loaded.game.revision, options, language)
    if (animation := context.animations.peek(key)) is not None:
        return animation
    with context.animation_lock:
        return context.animations.get(
            key, lambda: gzip.compress(_draw(context, loaded.game, options, language).encode(), mtime=0)
        )


def stills_of(context: Context, game: Game) -> list[Still]:
    """Return the stills: the deal (or the first known position), the decisions, and the result."""
    start, steps = replaying.replay_steps(context, game)
    stills = [] if start.position is None else [Still(start, pictures.last_action(context, start), _round(start))]
    for event, after in steps:
        if event.revision % EVENTS_AT_ONCE == 0:
            time.sleep(0)  # let other greenlets run
        _add_still(stills, event, after)
    if not stills:
        return [Still(game, None, None)]
    if stills[-1].game.is_over:  # unless it ended by a resignation or an abort
        stills.pop()
    stills.append(Still(game, pictures.last_action(context, game), _round(game)))
    step = max(1, math.ceil((len(stills) - 1) / (MAX_STILLS - 1)))
    return [*stills[:1], *stills[:0:-step][::-1]]  # the first, the last, and every `step`-th in between


def _add_still(stills: list[Still], event: Event, after: Game) -> None:
    """Add a still for the event, if it changes the table. A takeback removes stills."""
    if isinstance(event, TakebackEvent):
        while len(stills) > 1 and stills[-1].game.revision > event.to:
            stills.pop()
    elif isinstance(event, ActionEvent):
        stills.append(Still(after, pictures.action_json(after, event), stills[-1].dealt))
    elif after.position is not None and (not stills or stills[-1].game.position != after.position):
        dealt, before = _round(after), stills[-1] if stills else None
        if before is not None and (before.last is None or before.dealt == dealt):
            stills.pop()
        stills.append(Still(after, before and before.last, dealt))


def _round(game: Game) -> int | None:
    """Return the current round, or None in rulesets without rounds."""
    view = {} if game.position is None else game.ruleset.view(game.position)
    return view.get("round")


def _draw(context: Context, game: Game, options: RenderingOptions, language: str) -> str:
    picture = pictures.picture_of(game.ruleset)
    stills = stills_of(context, game)
    scenes = [pictures.scene_of(still.game, still.last, options.layout, language) for still in stills]
    captions = [_caption_text(stills, scenes, number, language) for number in range(len(stills))]
    film = merge_pictures(_sheets(picture, scenes, captions), _pace(len(stills), options))
    return film.to_svg(pictures.title_of(scenes[-1]), f"{captions[-1]} {_scores(scenes[-1])}", options.theme)


def _sheets(picture: Callable[[Scene], Sheet], scenes: Sequence[Scene], captions: Sequence[str]) -> Iterator[Sheet]:
    """Yield a picture of each scene with its caption. All have the same height."""
    height = 0
    for scene, words in zip(scenes, captions, strict=True):
        time.sleep(0)  # let other greenlets run
        sheet = picture(scene)
        height = height or max(len(rows(each, sheet.width)) for each in captions)
        caption(sheet, words, _scores(scene), height)
        yield sheet


def _caption_text(stills: Sequence[Still], scenes: Sequence[Scene], number: int, language: str) -> str:
    """Return the caption of a still."""
    still, scene = stills[number], scenes[number]
    if number == len(stills) - 1:
        return _outcome_text(still.game, scene, language)
    if number == 0:
        return pictures.title_of(scene)
    before = stills[number - 1]
    if still.last is None or (still.last is before.last and still.dealt != before.dealt):
        return f"{scene.words['round']} {still.dealt}"
    return i18n.move(still.game, still.last, scene.sittings[still.last["seat"]].name, language)


def _scores(scene: Scene) -> str:
    return " · ".join(f"{sitting.name}: {sitting.score}" for sitting in scene.sittings)


def _outcome_text(game: Game, scene: Scene, language: str) -> str:
    """Return a sentence about the outcome."""
    result = outcome(game)
    if result is None:
        return TEXTS.message(language, "event-abort", {"cause": "None"})
    winners = [scene.sittings[seat].name for seat, one in enumerate(result["seats"]) if one["won"]]
    return TEXTS.message(language, "picture-won", {"winners": len(winners), "names": " · ".join(winners)})


def _pace(count: int, options: RenderingOptions) -> Pace:
    seconds = options.seconds or round(min(MAX_STILL_S, max(MIN_STILL_S, DEFAULT_DURATION_S / count)), 2)
    return Pace(seconds, max(RESULT_S, RESULT_S * seconds), options.loop)
