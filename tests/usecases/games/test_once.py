"""Actions and draws are read, named, checked and played at most once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.usecases.base import i18n, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.replaying import replay
from service.usecases.games import playing, turns
from service.usecases.games.commands import Request
from service.usecases.positions import positions
from service.usecases.views import exports
from service.usecases.work import analyses, imports
from tests.usecases.games.test_usecases import AI, PLAYER, act, first_action, new_game, seat

SEED = bytes(range(1, 33))
WIRE = {
    "encode": "read",
    "decode": "named",
    "effects_of_action": "played",
    "read_draw": "draw read",
    "name_draw": "draw named",
    "effects_of_draw": "draw played",
}
RULES = {
    "check": "checked",
    "apply": "played",
    "sample": "sampled",
    "check_draw": "draw checked",
    "resolve_draw": "draw played",
}
ONCE = {"named": 1, "checked": 1, "played": 1}
ONCE_DRAWN = {"draw named": 1, "draw checked": 1, "draw played": 1}
NOT_IMPORTED = {"status", "fair", "outcome"}  # it follows from the rest


@pytest.fixture
def call_counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the calls that concern actions and draws of azul."""
    results: Counter[str] = Counter()

    def count_calls_of(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def count_call(*args: Any) -> Any:
            results[name] += 1
            return function(*args)

        return count_call

    azul = RULESETS["azul"]
    wire: Any = {name: count_calls_of(described, getattr(azul.wire, name)) for name, described in WIRE.items()}
    for name, described in RULES.items():
        monkeypatch.setattr(azul.rules, name, count_calls_of(described, getattr(azul.rules, name)))
    monkeypatch.setitem(RULESETS, "azul", replace(azul, wire=replace(azul.wire, **wire)))
    return results


def played_game(
    context: Context, call_counts: Counter[str], actions: int
) -> tuple[str, Position, Callable[[], Caller]]:
    """Play some actions of a game of two people.

    Return its id, its position and a function that returns the caller to decide.
    """
    game, tokens = new_game(context, PLAYER, PLAYER, seed=SEED)
    for _ in range(actions):
        act(context, game, to_decide(context, game, tokens))
    position = repository.load(context, game).game.position
    assert position is not None
    call_counts.clear()
    return game, position, lambda: to_decide(context, game, tokens)


def to_decide(context: Context, game: str, tokens: dict[str, Any]) -> Caller:
    return seat(tokens, repository.load(context, game).game.to_decide or 0)


@pytest.mark.parametrize("by_fields", [True, False])
def test_an_action_is_checked_and_played_once(context: Context, call_counts: Counter[str], *, by_fields: bool) -> None:
    game, position, caller = played_game(context, call_counts, 2)
    action = position.legal_actions()[0]
    named = position.ruleset.wire.decode(action)
    call_counts.clear()
    revision = repository.load(context, game).game.revision
    action_id, fields = (None, named) if by_fields else (str(action), None)
    playing.act(context, Request(caller(), game, (revision,)), action_id, fields)
    assert ONCE | ({"read": 1} if by_fields else {}) == call_counts


def test_a_draw_after_an_action_is_sampled_and_played_once(context: Context, call_counts: Counter[str]) -> None:
    game, _, caller = played_game(context, call_counts, 0)
    while not call_counts["sampled"]:
        action, revision = first_action(context, game)
        call_counts.clear()
        playing.act(context, Request(caller(), game, (revision,)), action, None)
    assert ONCE | ONCE_DRAWN | {"sampled": 1} == call_counts


def test_a_turn_of_an_ai_plays_its_decision_once(context: Context, call_counts: Counter[str]) -> None:
    game, _ = new_game(context, AI, AI, seed=SEED)
    actual = repository.load(context, game).game
    turn = turns.take(context, game, actual.revision, actual.to_decide or 0)
    assert turn is not None
    call_counts.clear()
    turns.act(context, turn, turn.position.legal_actions()[0])
    assert ONCE == call_counts


def test_a_replay_reads_and_plays_each_action_and_draw_once(context: Context, call_counts: Counter[str]) -> None:
    game, _, _ = played_game(context, call_counts, 3)
    loaded = repository.load(context, game).game
    replay(context, loaded, loaded.revision)
    assert {"read": 3, "checked": 3, "played": 3, "draw read": 1, "draw checked": 1, "draw played": 1} == call_counts


def test_an_import_reads_and_plays_each_action_and_draw_once(context: Context, call_counts: Counter[str]) -> None:
    game, _, _ = played_game(context, call_counts, 3)
    _, actual = exports.export(context, Caller(), game)
    record = {name: value for name, value in actual.items() if name not in NOT_IMPORTED}
    call_counts.clear()
    imports.import_game(context, Caller(), record)
    assert {"read": 3, "named": 3, "checked": 3, "played": 3, "draw read": 1, **ONCE_DRAWN} == call_counts


def test_an_action_tried_in_a_position_is_played_once(context: Context, call_counts: Counter[str]) -> None:
    _, position, _ = played_game(context, call_counts, 2)
    view = position.ruleset.view(position)
    i18n.named_action.cache_clear()
    call_counts.clear()
    positions.examine(positions.read(view), (str(position.legal_actions()[0]), None, None), None, slice(0), "en")
    assert ONCE == call_counts


def test_a_review_reads_and_plays_each_action_once(context: Context, call_counts: Counter[str]) -> None:
    game, _, _ = played_game(context, call_counts, 3)
    assert 3 == len([*analyses.decisions(context, game)])
    assert {"read": 3, "checked": 3, "played": 3, "draw read": 1, "draw checked": 1, "draw played": 1} == call_counts
