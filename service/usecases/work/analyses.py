"""Analyses: a search evaluates one decision, or every decision of a finished game.

Background workers compute them (`workers.tasks.analysis`). Results are stored without sentences, which are added in the
reader's language.

If a game's creator excluded help, neither players nor watchers can analyse it before it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from service.games.errors import GameError
from service.games.events import ActionEvent, TakebackEvent
from service.games.log import fold
from service.games.reasons import Reason
from service.games.state.model import Game, position_of
from service.games.state.takebacks import Line
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.wire import Json
from service.storage.work.tasks import FAILED, StoredTask
from service.usecases.base import access, archived_games, replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.i18n import named_action, why_text
from service.usecases.base.repository import Loaded
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.positions.actions import ActionForms, read_legal_action
from service.usecases.views import reading
from service.usecases.work import lifecycle, stories
from service.usecases.work.background import ANALYSIS
from service.usecases.work.lifecycle import Workload
from service.usecases.work.reviewed_game import ReviewedGame

DECISION, REVIEW = "decision", "review"
MAX_DECISION_S = 10.0
MAX_REVIEW_S = 120.0
DECISION_OVERHEAD_S = 0.1
FORCED = "forced"  # label of a decision without an alternative
LABELS = {"best": 0.0, "good": 0.02, "inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.15}
"""Minimum loss of the probability of winning for each label; `best` is the best decision."""
THINKING = tuple(level.id for level in LEVELS.values() if not level.is_quick)


@dataclass(frozen=True)
class AnalysisRequest:
    """The requested analysis. `revision` None: the current one; `seconds`: per decision."""

    kind: str
    seconds: float
    best: int  # how many actions are returned
    revision: int | None = None
    repeat: bool = False  # create a new review even if there is one
    candidate: ActionForms | None = None  # an action that the results must contain


def create(context: Context, caller: Caller, game_id: str, request: AnalysisRequest, issuer: Issuer = RANDOM) -> Json:
    """Start an analysis of a game. A sufficient review that exists already is returned instead of a new one.

    A repeated request starts no second one.

    Raises: game/help_forbidden, game/not_over, game/nobody_decides, game/revision_not_found, game/rebased,
    request/invalid, notation/unreadable, game/illegal_action, limit/background.
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
        return review(context, caller, loaded, request, issuer)
    revision = game.revision if request.revision is None else request.revision
    if not 1 <= revision <= game.revision:
        raise GameError("game/revision_not_found", revision=game.revision)
    past = game if revision == game.revision else replaying.replay(context, game, revision)
    position = past.position
    if past.to_decide is None or position is None:
        raise GameError("game/nobody_decides")
    settings = {**_position_settings(request, position, caller.language), "game_id": game_id, "revision": revision}
    return analysis_json(_begin(context, caller, settings, issuer, loaded.roles), caller.language)


def review(context: Context, caller: Caller, loaded: Loaded, request: AnalysisRequest, issuer: Issuer = RANDOM) -> Json:
    """Return the game's review, or start a new one. The game is over.

    The task is in another hash slot than the game, and its id is stored in the game last. If the process dies in
    between, the review is computed, but later requests do not find it.
    """
    game_id = loaded.game.meta.id
    stored_id, stored = newest_review(context, game_id)
    if stored is not None and _is_sufficient(stored, request):
        return _with_story(context, stored, caller.language, loaded.stored.view)
    settings = _settings(request, loaded.game.ruleset, loaded.game.meta.variant, game_id=game_id)
    task = _begin(context, caller, settings, issuer, loaded.roles, loaded.stored.expires_at_ms)
    newest = context.tasks.set_review(game_id, task, stored_id)
    if newest == task.id or (other := context.tasks.get(ANALYSIS, newest)) is None:
        return _with_story(context, task, caller.language, loaded.stored.view)
    lifecycle.drop(context, task, _workload)  # another request was faster
    return _with_story(context, other, caller.language, loaded.stored.view)


def _is_sufficient(review: StoredTask, request: AnalysisRequest) -> bool:
    """Return whether the review satisfies the request."""
    seconds = review.settings().get("seconds", 0)
    return not request.repeat and review.status != FAILED and bool(seconds >= request.seconds)


def review_of(context: Context, caller: Caller, game_id: str) -> Json:
    """Return the newest review of a game with its progress. Raises: game/not_found, game/not_reviewed."""
    _, view = reading.glance(context, caller, game_id)
    _, newest = newest_review(context, game_id)
    if newest is None:
        raise GameError("game/not_reviewed")
    return _with_story(context, newest, caller.language, view)


def newest_review(context: Context, game_id: str) -> tuple[str | None, StoredTask | None]:
    """Return the review id that is stored in the game, and the review, if it still exists."""
    review_id = context.tasks.review_id(game_id)
    return review_id, None if review_id is None else context.tasks.get(ANALYSIS, review_id)


def create_for_position(
    context: Context, caller: Caller, position: Position, request: AnalysisRequest, issuer: Issuer = RANDOM
) -> Json:
    """Start an analysis of the decision in a position.

    Raises: game/nobody_decides, request/invalid, notation/unreadable, game/illegal_action, limit/background.
    """
    if position.seat is None:
        raise GameError("game/nobody_decides")
    settings = _position_settings(request, position, caller.language)
    return analysis_json(_begin(context, caller, settings, issuer), caller.language)


def _begin(
    context: Context,
    caller: Caller,
    settings: Json,
    issuer: Issuer,
    roles: access.Roles = access.NOBODY,
    shared_until_ms: int | None = None,
) -> StoredTask:
    """Create the task and submit its work. `shared_until_ms`: minimum expiry of a task that others can find."""
    task = lifecycle.create(context, caller, ANALYSIS, settings, shared_until_ms, issuer)
    lifecycle.submit(context, caller, task, _workload(settings), roles=roles)
    return task


def _position_settings(request: AnalysisRequest, position: Position, language: str) -> Json:
    """Return the part of a request for a decision that is stored with its task."""
    candidate = request.candidate and read_legal_action(position, request.candidate, "/candidate", language)
    settings = _settings(request, position.ruleset, position.variant)
    return {**settings, "position": position.ruleset.view(position), "candidate": candidate}


def _settings(request: AnalysisRequest, ruleset: Ruleset, variant: str, *, game_id: str | None = None) -> Json:
    """Return the part of a request that is stored with its task."""
    return {
        "kind": request.kind,
        "seconds": request.seconds,
        "best": request.best,
        "ruleset": ruleset.id,
        "variant": variant,
        "game_id": game_id,
        "revision": None,
        "position": None,
    }


def _workload(settings: Json) -> Workload:
    """Return the workload of an analysis. A review is assumed to take the maximum time."""
    seconds = settings["seconds"] if settings["kind"] == DECISION else MAX_REVIEW_S
    return Workload(ANALYSIS, seconds + DECISION_OVERHEAD_S)


def get(context: Context, caller: Caller, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """Return the analysis. With `after`, wait for a later version; None after the timeout."""
    task = lifecycle.wait(context, ANALYSIS, task_id, after, timeout_s)
    return None if task is None else _with_story(context, task, caller.language)


def cancel(context: Context, caller: Caller, task_id: str) -> None:
    """Cancel the analysis."""
    lifecycle.cancel(context, caller, ANALYSIS, task_id, _workload)


def decisions(context: Context, game_id: str) -> Iterator[tuple[int, Position, int]]:
    """Yield (revision, position, action) of each decision that led to the final position."""
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


def rounds(decisions: Iterable[tuple[int, Position, int]]) -> list[Json]:
    """Return the rounds of a game: number, revision of the first decision, and the scores before it."""
    found: list[Json] = []
    for revision, position, _ in decisions:
        number = position.ruleset.view(position).get("round")
        if number is not None and (not found or found[-1]["round"] != number):
            found.append({"round": number, "revision": revision, "scores": position.scores})
    return found


@lifecycle.shows_task
def analysis_json(task: StoredTask, language: str) -> Json:
    """Return an analysis in the API's form, with sentences. A review lacks its story."""
    settings = task.settings()
    progress = orjson.loads(task.result) if task.result else {"progress": 0.0, "result": None}
    result: Any = progress["result"]
    if result is not None:
        ruleset, variant = RULESETS[settings["ruleset"]], settings.get("variant", "")  # absent in older tasks

        def action_json(action: int) -> Json:
            return named_action(ruleset, variant, action, language)

        result = (_decision if settings["kind"] == DECISION else _review)(action_json, result)
    return {
        **lifecycle.head(task),
        **{name: settings[name] for name in ("kind", "ruleset", "game_id", "revision", "seconds")},
        "progress": progress["progress"],
        "decision": _explain(result, settings, language) if settings["kind"] == DECISION else None,
        "review": result if settings["kind"] == REVIEW else None,
    }


def _decision(action_json: Callable[[int], Json], decision: Json) -> Json:
    actions = [
        {
            **action_json(action["action"]),
            **{name: action[name] for name in ("visits", "lead", "win_probability")},
            "line": [{"seat": seat, **action_json(reply)} for seat, reply in action["line"]],
            "reasons": action.get("reasons", ()),  # absent in older tasks
        }
        for action in decision["actions"]
    ]
    return {"seat": decision["seat"], "simulations": decision["simulations"], "actions": actions}


def _explain(decision: Json | None, settings: Json, language: str) -> Json | None:
    """Replace the reasons of each action by a sentence, see `AnalysedAction.why`."""
    for number, action in enumerate(decision["actions"] if decision else ()):
        reasons = [Reason(*reason) for reason in action.pop("reasons")]
        subject = "best" if number else "it"
        action["why"] = why_text(RULESETS[settings["ruleset"]], settings.get("variant", ""), reasons, language, subject)
    return decision


def _review(action_json: Callable[[int], Json], review: Json) -> Json:
    shown = ({name: value for name, value in decision.items() if name != "margin"} for decision in review["decisions"])
    decisions = [
        {**decision, "played": action_json(decision["played"]), "best": action_json(decision["best"])}
        for decision in shown
    ]
    return {**{name: part for name, part in review.items() if name != "rounds"}, "decisions": decisions}


@lifecycle.shows_task
def _with_story(context: Context, task: StoredTask, language: str, view: bytes | None = None) -> Json:
    """Return an analysis. A complete review has the story of its game, or an empty one if the game no longer exists.

    `view`: that of the game, if it is loaded already. Each process caches stories.
    """
    analysis = analysis_json(task, language)
    if analysis["review"] is None:
        return analysis
    shown = view or _view(context, analysis["game_id"])

    def new_story() -> list[Json]:
        if shown is None:
            return []
        review, game = orjson.loads(task.result)["result"], orjson.loads(shown)
        in_rounds = review["rounds"] if "rounds" in review else _rounds(context, game["id"])  # absent in older reviews
        return stories.story(ReviewedGame(game, review, in_rounds), language)

    sentences = context.stories.get((task.id, task.version, language, hash(shown)), new_story)
    return {**analysis, "review": {**analysis["review"], "story": sentences}}


def _view(context: Context, game_id: str) -> bytes | None:
    """Return the view of a game, or None if it no longer exists."""
    glance = context.store.glance(game_id)
    if glance is None and archived_games.restore(context, game_id):
        glance = context.store.glance(game_id)
    return None if glance is None else glance.view


def _rounds(context: Context, game_id: str) -> list[Json]:
    """Return the rounds of a game from its log. They are unknown if the game was played by older rules."""
    is_rebased = repository.load(context, game_id).game.base is not None
    return [] if is_rebased else rounds(decisions(context, game_id))
