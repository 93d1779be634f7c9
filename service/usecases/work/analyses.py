"""Analyses: a search evaluates one decision, or every decision of a finished game.

Background workers compute them (`workers.tasks.analysis`). Results are stored without sentences; reading one adds them
in the caller's language.

If the creator of a game has ruled out help, neither players nor watchers can analyse it before it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from service.games.errors import GameError
from service.games.events import ActionEvent, TakebackEvent
from service.games.log import fold
from service.games.state.model import Game, position_of
from service.games.state.takebacks import Line
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.wire import Json
from service.storage.work.tasks import FAILED, StoredTask
from service.usecases.base import access, replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.i18n import named_action
from service.usecases.base.repository import Loaded
from service.usecases.positions import positions
from service.usecases.views import reading
from service.usecases.work import lifecycle
from service.usecases.work.background import ANALYSIS
from service.usecases.work.lifecycle import Work

DECISION, REVIEW = "decision", "review"
LONGEST_S = 10.0  # for a decision
LONGEST_REVIEW_S = 120.0
DECISION_OVERHEAD_S = 0.1
FORCED = "forced"  # what a decision is called that had no alternative
LABELS = {
    "best": 0.0,
    "good": 0.02,
    "inaccuracy": 0.05,
    "mistake": 0.1,
    "blunder": 0.15,
}  # any other, from so much of the probability to win lost, in whole percent
THINKING = tuple(level.id for level in LEVELS.values() if not level.is_quick)


@dataclass(frozen=True)
class AnalysisRequest:
    """What is to be analysed. `revision` None: the present one; seconds are of each decision."""

    kind: str
    seconds: float
    best: int  # how many actions are returned
    revision: int | None = None
    again: bool = False  # whether another review is made where there is one


def ask(context: Context, caller: Caller, game_id: str, request: AnalysisRequest) -> Json:
    """Have a game analysed. game/help_forbidden, game/not_over, game/nobody_decides, game/revision_not_found.

    A game is reviewed once: where there is a review already, for which as long was thought, it is the answer.
    """
    loaded = repository.load(context, game_id, caller)
    access.must_read(loaded.stored.visibility, loaded.roles)
    game = loaded.game
    if not game.is_over and not game.meta.help:
        raise GameError("game/help_forbidden")
    if request.kind == REVIEW:
        if not game.is_over:
            raise GameError("game/not_over")
        if game.base is not None:
            raise GameError("game/rebased", since=game.base.revision)
        return _reviewed(context, caller, request, loaded)
    revision = game.revision if request.revision is None else request.revision
    if not 1 <= revision <= game.revision:
        raise GameError("game/revision_not_found", revision=game.revision)
    then = game if revision == game.revision else replaying.replay(context, game, revision)
    if then.to_decide is None or then.position is None:
        raise GameError("game/nobody_decides")
    return _begin(context, caller, request, loaded.roles, then.position, game_id=game_id, revision=revision)


def _reviewed(context: Context, caller: Caller, request: AnalysisRequest, loaded: Loaded) -> Json:
    """The game's review, or a new one.

    The task lies in another slot than the game, which is told of it last: who dies in between leaves a review that is
    made, and that the next who asks does not find.
    """
    game_id = loaded.game.meta.id
    noted, review = _newest_review(context, game_id)
    if review is not None and _will_do(review, request):
        return analysis_json(review, caller.language)
    settings = _settings(request, loaded.game.ruleset, loaded.game.meta.variant, game_id)
    until_ms = loaded.stored.expires_at_ms
    begun = lifecycle.begin(
        context, caller, ANALYSIS, settings, _work(settings), roles=loaded.roles, shared_until_ms=until_ms
    )
    newest = context.tasks.note_review(game_id, begun, noted)
    if newest == begun.id or (review := context.tasks.get(ANALYSIS, newest)) is None:
        return analysis_json(begun, caller.language)
    lifecycle.drop(context, begun, _work)  # somebody was faster
    return analysis_json(review, caller.language)


def _will_do(review: StoredTask, request: AnalysisRequest) -> bool:
    """Whether there is no need of another review."""
    thought = orjson.loads(review.request)["seconds"]
    return not request.again and review.status != FAILED and bool(thought >= request.seconds)


def review_of(context: Context, caller: Caller, game_id: str) -> Json:
    """The newest review of a game, as far as it has come. game/not_found, game/not_reviewed."""
    reading.glance(context, caller, game_id)
    _, review = _newest_review(context, game_id)
    if review is None:
        raise GameError("game/not_reviewed")
    return analysis_json(review, caller.language)


def _newest_review(context: Context, game_id: str) -> tuple[str | None, StoredTask | None]:
    """The id that is noted in the game, and the review itself, which may be gone."""
    noted = context.tasks.review_of(game_id)
    return noted, None if noted is None else context.tasks.get(ANALYSIS, noted)


def ask_of_position(context: Context, caller: Caller, json: Json, request: AnalysisRequest) -> Json:
    """Have the decision in a position analysed. request/invalid, game/nobody_decides."""
    position = positions.read(json)
    if position.seat is None:
        raise GameError("game/nobody_decides")
    return _begin(context, caller, request, access.NOBODY, position)


def _begin(
    context: Context,
    caller: Caller,
    request: AnalysisRequest,
    roles: access.Roles,
    position: Position,
    *,
    game_id: str | None = None,
    revision: int | None = None,
) -> Json:
    view = position.ruleset.view(position)
    settings = _settings(request, position.ruleset, position.variant, game_id, revision=revision, position=view)
    return analysis_json(
        lifecycle.begin(context, caller, ANALYSIS, settings, _work(settings), roles=roles), caller.language
    )


def _settings(
    request: AnalysisRequest,
    ruleset: Ruleset,
    variant: str,
    game_id: str | None,
    *,
    revision: int | None = None,
    position: Json | None = None,
) -> Json:
    """Return the part of a request that is stored with its task."""
    return {
        "kind": request.kind,
        "seconds": request.seconds,
        "best": request.best,
        "ruleset": ruleset.id,
        "variant": variant,
        "game_id": game_id,
        "revision": revision,
        "position": position,
    }


def _work(settings: Json) -> Work:
    """What is to be done about an analysis; of a review, all decisions are taken to need their time."""
    seconds = settings["seconds"] if settings["kind"] == DECISION else LONGEST_REVIEW_S
    return Work(ANALYSIS, seconds + DECISION_OVERHEAD_S)


def look(context: Context, caller: Caller, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """The analysis so far; None if nothing beyond version `after` has come within the time."""
    task = lifecycle.wait(context, ANALYSIS, task_id, after, timeout_s)
    return None if task is None else analysis_json(task, caller.language)


def end(context: Context, caller: Caller, task_id: str) -> None:
    """It is not wanted any more."""
    lifecycle.end(context, caller, ANALYSIS, task_id, _work)


def decisions(context: Context, game_id: str) -> Iterator[tuple[int, Position, int]]:
    """Each decision that made the final position: (its revision, the position it was made on, the action)."""
    last = repository.load(context, game_id).game
    game, line = Game.new(last.meta), Line()
    positions_at: dict[int, Position] = {}
    actions: dict[int, int] = {}
    for event in replaying.events_of(context, game_id, 0, last.revision):
        after = positions_at[event.to] if isinstance(event, TakebackEvent) else None
        if isinstance(event, ActionEvent):
            actions[event.revision] = last.ruleset.wire.encode(event.action)
            after = position_of(game).play(actions[event.revision])
        game = fold(game, event, after)
        event.extend(line)
        if game.position is not None:
            positions_at[game.revision] = game.position
    for step in line.steps:
        if step.seat is not None:
            yield step.revision, positions_at[step.before], actions[step.revision]


def analysis_json(task: StoredTask, language: str) -> Json:
    """An analysis as the API shows it, with sentences."""
    settings = orjson.loads(task.request)
    progress = orjson.loads(task.result) if task.result else {"progress": 0.0, "result": None}
    result: Any = progress["result"]
    if result is not None:
        ruleset, variant = RULESETS[settings["ruleset"]], settings.get("variant", "")  # absent in older tasks

        def named(action: int) -> Json:
            return named_action(ruleset, variant, action, language)

        result = _decision(named, result) if settings["kind"] == DECISION else _review(named, result)
    return {
        **lifecycle.head(task),
        **{name: settings[name] for name in ("kind", "ruleset", "game_id", "revision", "seconds")},
        "progress": progress["progress"],
        "decision": result if settings["kind"] == DECISION else None,
        "review": result if settings["kind"] == REVIEW else None,
    }


def _decision(named: Callable[[int], Json], decision: Json) -> Json:
    actions = [
        {
            **named(action["action"]),
            **{name: action[name] for name in ("visits", "lead", "win_probability")},
            "line": [{"seat": seat, **named(then)} for seat, then in action["line"]],
        }
        for action in decision["actions"]
    ]
    return {"seat": decision["seat"], "simulations": decision["simulations"], "actions": actions}


def _review(named: Callable[[int], Json], review: Json) -> Json:
    decisions = [
        {**decision, "played": named(decision["played"]), "best": named(decision["best"])}
        for decision in review["decisions"]
    ]
    return {**review, "decisions": decisions}
