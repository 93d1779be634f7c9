"""Commands that somebody else was faster than are judged anew, unless they name the revision they were decided on."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.errors import GameError
from service.storage.games.stored import Commit
from service.usecases.base.context import Context, Idempotency
from service.usecases.games import offering, playing
from service.usecases.games.commands import Request
from tests.usecases.games.test_usecases import PLAYER, act, new, seat
from tests.usecases.players import view

KEY = Idempotency("a key", "a hash of the body")


@pytest.fixture
def overtaken(context: Context, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, Any]]:
    """A game in which seat 0 acts before the first commit of anybody else gets through."""
    game, tokens = new(context, PLAYER, PLAYER)
    commit = context.store.commit

    def after_seat_0(game_id: str, later: Commit) -> None:
        monkeypatch.setattr(context.store, "commit", commit)
        act(context, game, seat(tokens, 0))
        commit(game_id, later)

    monkeypatch.setattr(context.store, "commit", after_seat_0)
    return game, tokens


@pytest.mark.parametrize("key", [None, KEY])
def test_who_resigns_while_another_acts_has_resigned(
    context: Context, overtaken: tuple[str, dict[str, Any]], key: Idempotency | None
) -> None:
    game, tokens = overtaken
    before = view(context, game)["revision"]
    answer = playing.resign(context, Request(seat(tokens, 1), game, idempotency=key), None)
    assert (False, before + 2) == (answer.replayed, answer.revision)
    assert "resignation" == view(context, game)["outcome"]["reason"]


def test_who_offers_while_another_acts_has_offered(context: Context, overtaken: tuple[str, dict[str, Any]]) -> None:
    game, tokens = overtaken
    offering.pause(context, Request(seat(tokens, 1), game), None, 60)
    assert [1] == [offer["seat"] for offer in view(context, game)["offers"]]


def test_a_command_that_names_a_revision_is_refused(context: Context, overtaken: tuple[str, dict[str, Any]]) -> None:
    game, tokens = overtaken
    before = view(context, game)["revision"]
    with pytest.raises(GameError) as error:
        playing.resign(context, Request(seat(tokens, 1), game, before), None)
    assert ("game/stale_revision", before + 1) == (error.value.code, error.value.extra["revision"])
    assert "playing" == view(context, game)["status"]
