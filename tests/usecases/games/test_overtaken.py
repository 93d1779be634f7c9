"""Commands that lose a race are judged again, unless they name the revision that they were decided on."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.errors import GameError
from service.storage.games.stored_game import Commit
from service.usecases.base.context import Context, Idempotency
from service.usecases.games import offering, playing
from service.usecases.games.commands import Request
from tests.usecases.games.test_usecases import PLAYER, act, new_game, seat
from tests.usecases.players import view

KEY = Idempotency("a key", "a hash of the body")


@pytest.fixture
def raced_game(context: Context, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, Any]]:
    """Create a game in which seat 0 acts just before the first commit of any other caller."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    commit = context.store.commit

    def after_seat_0(game_id: str, late_commit: Commit) -> None:
        monkeypatch.setattr(context.store, "commit", commit)
        act(context, game, seat(tokens, 0))
        commit(game_id, late_commit)

    monkeypatch.setattr(context.store, "commit", after_seat_0)
    return game, tokens


@pytest.mark.parametrize("key", [None, KEY])
def test_a_resignation_succeeds_though_another_seat_acts_first(
    context: Context, raced_game: tuple[str, dict[str, Any]], key: Idempotency | None
) -> None:
    game, tokens = raced_game
    before = view(context, game)["revision"]
    answer = playing.resign(context, Request(seat(tokens, 1), game, idempotency=key), None)
    assert (False, before + 2) == (answer.replayed, answer.revision)
    assert "resignation" == view(context, game)["outcome"]["reason"]


def test_an_offer_succeeds_though_a_seat_acts_first(context: Context, raced_game: tuple[str, dict[str, Any]]) -> None:
    game, tokens = raced_game
    offering.pause(context, Request(seat(tokens, 1), game), None, 60)
    assert [1] == [offer["seat"] for offer in view(context, game)["offers"]]


def test_a_command_that_names_a_revision_is_refused(context: Context, raced_game: tuple[str, dict[str, Any]]) -> None:
    game, tokens = raced_game
    before = view(context, game)["revision"]
    with pytest.raises(GameError) as error:
        playing.resign(context, Request(seat(tokens, 1), game, (before,)), None)
    assert ("game/stale_revision", before + 1) == (error.value.code, error.value.extra["revision"])
    assert "playing" == view(context, game)["status"]
