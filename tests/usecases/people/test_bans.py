"""A ban ends what the service does for the player: seeks, competitions, notices and calls of their bot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.usecases.base.context import Caller, Context
from service.usecases.games import endpoints
from service.usecases.keeping import sanctions
from service.usecases.matchmaking import challenging, competing, competitions, pairing, seeking
from service.usecases.notifications import dispatch
from service.usecases.people import follow_ups
from tests.usecases.bots import AZUL, CALLED, listed_bots, publish_bot
from tests.usecases.competing import ARENA, announce, competition_view
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, decide, player, view
from tests.usecases.webhook_deliveries import ana, create_ping, outgoing

__all__ = ["ana", "outgoing"]  # fixtures
ADMIN = Caller("an operator's token of many characters")


def ban(context: Context, caller: Caller) -> None:
    context.settings = replace(context.settings, admin_token=ADMIN.token or "")
    sanctions.act(context, ADMIN, caller.player_id or "", "ban")


@pytest.mark.parametrize("step", ["ban", "seeks", "competitions", "nothing"])
def test_a_ban_ends_seeks_challenges_and_competitions_even_if_a_step_is_killed(
    context: Context, ana: Caller, time: Time, step: str
) -> None:
    seeking.seek(context, ana, replace(AZUL, keep_s=600))
    ben, as_ben = player(context)
    challenging.create(context, ana, ben, AZUL)
    hosted = competitions.announce(context, ana, ARENA)["id"]
    entered, _ = announce(context, ARENA)
    competitions.join(context, ana, entered)
    places: dict[str, Any] = {
        "ban": (follow_ups, "execute_now"),
        "seeks": (pairing, "forget_player"),
        "competitions": (competing, "withdraw_player"),
    }
    if step == "nothing":
        ban(context, ana)
    else:
        with killed_before(*places[step]), pytest.raises(KilledError):
            ban(context, ana)
    time.pass_(follow_ups.DUE_AFTER_MS / 1000 + 1)
    follow_ups.run_due(context)
    assert [] == seeking.lobby(context, None, None, None)
    assert [] == challenging.list_challenges(context, as_ben, 0)["received"]
    assert "cancelled" == competition_view(context, hosted)["status"]
    assert 0 == competition_view(context, entered)["players"]


def test_no_notice_is_delivered_to_a_banned_player(context: Context, ana: Caller) -> None:
    key = create_ping(context, ana)
    ban(context, ana)
    assert dispatch.take(context, key) is None
    sanctions.act(context, ADMIN, ana.player_id or "", "unban")
    assert "dropped" == getattr(context.webhooks.delivery(key), "status", None)
    assert dispatch.take(context, create_ping(context, ana)) is not None


def test_the_endpoint_of_a_banned_bot_is_not_called(context: Context, ana: Caller) -> None:
    bot, as_bot = publish_bot(context, CALLED)
    game = challenging.create(context, ana, bot, AZUL)["game_id"]
    number = next(number for number, seat in enumerate(view(context, game)["seats"]) if seat["player"] == bot)
    ban(context, as_bot)
    assert [] == listed_bots(context)
    if view(context, game)["to_decide"] != number:
        decide(context, game, ana)
    revision = view(context, game)["revision"]
    assert endpoints.take(context, game, revision, number) is None
    seat = view(context, game)["seats"][number]
    assert (revision + 1, "off") == (view(context, game)["revision"], seat["endpoint"]["failure"])
