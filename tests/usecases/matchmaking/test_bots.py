"""Published bots: the games they accept, when they are online and busy, ratings with people, and owners."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.state.clocks import ClockRule
from service.games.state.seats import HTTP
from service.rulesets.wire import Json
from service.storage.people.ratings import Change, Scale
from service.usecases.base.context import Caller, Context
from service.usecases.base.outgoing import FAILING_MS
from service.usecases.base.published_bots import BOTS_ALONE, FAILED_MS, NEVER, ONLINE_MS
from service.usecases.games import endpoints, playing
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import bots, challenging, paired_games, pairing, seeking
from service.usecases.notifications import dispatch, webhooks
from service.usecases.people import follow_ups, players
from tests.usecases.bots import AZUL, CALLED, CLOCK, POLLING, RATED, create_bot, listed_bots, publish_bot
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, decide, issuer_of_retry, player, view

OPERATOR = Caller("of-the-operator-" + "a" * 32)


@pytest.fixture
def calling(context: Context) -> Context:
    """Allow outgoing calls."""
    context.settings = replace(context.settings, outgoing="on")
    return context


# ------------------------------------------------------------------------------------------------- the directory


def test_a_bot_is_listed_with_the_games_it_plays(context: Context, time: Time) -> None:
    bot, _ = publish_bot(context, name="Robo", rulesets=("azul", "queens-garden"), turn_s=(5, 60))
    seen = bots.get(context, bot)
    assert ("Robo", None, False, ("azul", "queens-garden"), {"least": 5, "most": 60}) == (
        seen["player"]["name"],
        seen["owner"],
        seen["called"],
        seen["rulesets"],
        seen["turn_s"],
    )
    assert (1500, True, True, 0, False) == tuple(
        seen[name] for name in ("points", "provisional", "online", "playing", "busy")
    )
    assert [bot] == listed_bots(context)


def test_people_cannot_publish_a_bot_and_a_withdrawn_bot_is_not_found(context: Context) -> None:
    with raises_error("bot/no_program"):
        bots.publish(context, player(context)[1], POLLING)
    bot, caller = publish_bot(context)
    bots.withdraw(context, caller)
    assert [] == listed_bots(context)
    for look in (lambda: bots.withdraw(context, caller), lambda: bots.get(context, bot)):
        with raises_error("bot/not_found"):
            look()


def test_a_polling_bot_is_online_while_it_polls(context: Context, time: Time) -> None:
    bot, caller = publish_bot(context)
    time.pass_(ONLINE_MS / 1000 - 0.001)
    assert ([bot], []) == (listed_bots(context, online=True), listed_bots(context, online=False))
    time.pass_(0.001)
    assert ([], [bot]) == (listed_bots(context, online=True), listed_bots(context, online=False))
    players.get_own(context, caller)
    assert [bot] == listed_bots(context, online=True)


def test_a_called_bot_is_online_unless_it_failed_recently(calling: Context, time: Time) -> None:
    bot, _ = publish_bot(calling, CALLED)
    assert bots.get(calling, bot)["online"]
    _, as_ana = player(calling)
    fail(calling, challenging.create(calling, as_ana, bot, AZUL)["game_id"], bot, as_ana)
    assert not bots.get(calling, bot)["online"]
    time.pass_(FAILED_MS / 1000)
    assert bots.get(calling, bot)["online"]


def fail(context: Context, game: str, bot: str, opponent: Caller) -> None:
    """Let the bot's endpoint fail in a game that it plays against this opponent."""
    seats = view(context, game)["seats"]
    number = next(number for number, seat in enumerate(seats) if seat["player"] == bot)
    while view(context, game)["to_decide"] != number:
        decide(context, game, opponent)
    call = endpoints.take(context, game, view(context, game)["revision"], number)
    assert call is not None
    endpoints.record_failure(context, call, "unreachable")


def test_a_called_bot_that_fails_for_a_day_is_disabled_until_it_is_published_again(
    calling: Context, time: Time
) -> None:
    bot, caller = publish_bot(calling, CALLED, games_at_once=20, turn_s=(0, 14 * 86_400))
    _, as_ana = player(calling)
    (_, as_owner), endpoint = player(calling), "https://owner.example/"
    bots.adopt(calling, as_owner, caller.token or "")
    hook = webhooks.create(calling, as_owner, endpoint, ["endpoint_disabled"], None)["webhook"]["id"]
    slow = replace(AZUL, clock=ClockRule(turn_s=14 * 86_400, bank_s=0, on_timeout="lose", level="random"))
    games = [str(challenging.create(calling, as_ana, bot, slow)["game_id"]) for _ in range(20)]
    for game in games:
        assert not bots.get(calling, bot)["disabled"]
        fail(calling, game, bot, as_ana)
        time.pass_(1 + FAILING_MS / 1000 / (len(games) - 1))
    shown = bots.get(calling, bot)
    assert (True, False) == (shown["disabled"], shown["online"])
    with raises_error("bot/declines"):
        challenging.create(calling, as_ana, bot, AZUL)
    dispatch.drain(calling)
    (delivery,) = webhooks.list_deliveries(calling, as_owner, hook)
    assert ("bot", bot) == tuple(delivery["payload"]["data"]["endpoint"][name] for name in ("kind", "id"))
    revision = view(calling, games[0])["revision"]
    assert endpoints.take(calling, games[0], revision, view(calling, games[0])["to_decide"]) is None
    assert revision + 1 == view(calling, games[0])["revision"]  # it failed without a call
    bots.publish(calling, caller, replace(CALLED, games_at_once=20))
    assert not bots.get(calling, bot)["disabled"]
    again = view(calling, games[1])
    assert endpoints.take(calling, games[1], again["revision"], again["to_decide"]) is not None


def test_bots_are_filtered_and_the_highest_rated_comes_first_page_by_page(context: Context) -> None:
    rated_bots = [publish_bot(context, rulesets=("azul", "summer-pavilion"))[0] for _ in range(3)]
    garden, _ = publish_bot(context, rulesets=("queens-garden",), seats=(3, 4))
    scale = Scale(25.0, 8.0, 4.0, 2.0, 0.0)
    for mu, bot in enumerate(rated_bots):
        context.ratings.apply(bot, f"game of {bot}", context.now_ms(), Change("azul:two", 1.0 + mu, 0.5, True), scale)
    assert [*reversed(rated_bots), garden] == listed_bots(context)
    assert [garden] == listed_bots(context, ruleset="queens-garden") == listed_bots(context, seats=4)
    assert sorted(rated_bots) == listed_bots(context, ruleset="summer-pavilion")  # none has been rated there
    pages, cursor = [], None
    while True:
        page, cursor = bots.list_bots(context, bots.BotFilters(), cursor, 2)
        pages.append([bot["player"]["id"] for bot in page])
        if cursor is None:
            break
    assert [[rated_bots[2], rated_bots[1]], [rated_bots[0], garden]] == pages
    for wrong in ("", "x", "5", "5.short", "9999999." + rated_bots[0]):
        with pytest.raises(ValueError, match="cursor"):
            bots.list_bots(context, bots.BotFilters(), wrong, 2)


def test_without_outgoing_calls_only_polling_bots_are_listed(calling: Context) -> None:
    called, polling = publish_bot(calling, CALLED)[0], publish_bot(calling)[0]
    assert {called, polling} == {*listed_bots(calling)}
    calling.settings = replace(calling.settings, outgoing="off")
    assert [polling] == listed_bots(calling)
    with raises_error("bot/not_found"):
        bots.get(calling, called)
    with raises_error("outgoing/off"):
        publish_bot(calling, CALLED)


def test_a_directory_full_of_playing_bots_accepts_only_changes(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.matchmaking.bots.MAX_BOTS", 1)
    bot, caller = publish_bot(context)
    context.bots.add_game([bot], "a-game", context.now_ms(), 60)
    with raises_error("limit/bots"):
        publish_bot(context)
    bots.publish(context, caller, replace(POLLING, games_at_once=3))
    assert 3 == bots.get(context, bot)["games_at_once"]


def test_a_secret_is_shown_once_and_stored_until_it_is_replaced(calling: Context) -> None:
    _, caller = create_bot(calling)
    first = bots.publish(calling, caller, CALLED)["secret"]
    assert first.startswith("whsec_")
    assert bots.publish(calling, caller, replace(CALLED, games_at_once=2))["secret"] is None
    stored = calling.bots.get(caller.player_id or "")
    assert stored is not None
    assert stored.endpoint is not None
    assert first == stored.endpoint["secret"]


def test_a_deleted_or_banned_player_has_no_bot_and_owns_none(context: Context) -> None:
    bot, caller = publish_bot(context)
    other, _ = publish_bot(context)
    _, as_owner = player(context)
    bots.adopt(context, as_owner, caller.token or "")
    players.delete(context, as_owner)
    assert bots.get(context, bot)["owner"] is None
    players.delete(context, caller)
    pairing.forget_player(context, other)
    assert [] == listed_bots(context)


def test_listing_removes_a_bot_whose_player_has_expired(context: Context) -> None:
    bot, _ = publish_bot(context)
    stored = context.players.get(bot)
    assert stored is not None
    context.players.delete(stored, None)
    assert [] == listed_bots(context)
    assert context.bots.get(bot) is None


# ------------------------------------------------------------------------------------------------------- owners


def test_a_player_with_both_tokens_becomes_the_bots_owner(context: Context) -> None:
    bot, caller = publish_bot(context, name="Robo")
    ana, as_ana = player(context, "Ana")
    assert ana == bots.adopt(context, as_ana, caller.token or "")["owner"]["id"]
    assert [bot] == [one["player"]["id"] for one in bots.owned_bots(context, as_ana)]
    _, as_ben = player(context, "Ben")
    bots.adopt(context, as_ben, caller.token or "")
    assert [] == bots.owned_bots(context, as_ana)
    with raises_error("bot/not_found"):
        bots.release(context, as_ana, bot)
    bots.release(context, as_ben, bot)
    assert bots.get(context, bot)["owner"] is None
    for other in (as_ana, as_ben):
        with raises_error("bot/not_found"):
            bots.release(context, other, bot)


def test_a_wrong_token_adopts_no_bot(context: Context) -> None:
    bot, caller = publish_bot(context)
    _, as_ana = player(context)
    reading = players.add_token(context, caller, None, ["read"])["token"]
    for token, code in (
        (f"{bot}.{'x' * 43}", "auth/token_unknown"),
        (reading, "auth/read_only"),
        ("of a game", "auth/player_required"),
        (player(context)[1].token or "", "bot/not_found"),
        (as_ana.token or "", "player/yourself"),
    ):
        with raises_error(code):
            bots.adopt(context, as_ana, token)


def test_an_owner_has_a_limited_number_of_bots(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.storage.matchmaking.bots.MAX_BOTS_OF_AN_OWNER", 1)
    _, as_ana = player(context)
    bots.adopt(context, as_ana, publish_bot(context)[1].token or "")
    with raises_error("limit/bots"):
        bots.adopt(context, as_ana, publish_bot(context)[1].token or "")


# --------------------------------------------------------------------------------------------------- challenges


@pytest.mark.parametrize(
    ("what", "wanted", "places"),
    [
        ({"rulesets": ("queens-garden",)}, AZUL, {"/ruleset"}),
        ({"seats": (3, 4)}, AZUL, {"/ruleset"}),
        ({"unclocked": False}, AZUL, {"/clock"}),
        ({"turn_s": (0, 29)}, replace(AZUL, clock=CLOCK), {"/clock/turn_s"}),
        ({"turn_s": (31, 99), "bank_s": (0, 59)}, replace(AZUL, clock=CLOCK), {"/clock/turn_s", "/clock/bank_s"}),
        ({"rated": NEVER}, replace(RATED, mixed=True), {"/rated"}),
        ({"rated": BOTS_ALONE}, replace(RATED, mixed=True), {"/rated"}),
        ({"opponents": BOTS_ALONE}, AZUL, {""}),
    ],
)
def test_an_unacceptable_challenge_is_refused_at_once(
    context: Context, what: Json, wanted: seeking.NewSeek, places: set[str]
) -> None:
    bot, as_bot = publish_bot(context, **what)
    with raises_error("bot/declines") as error:
        challenging.create(context, player(context)[1], bot, wanted)
    assert places == set(error.value.errors)
    assert [] == challenging.list_challenges(context, as_bot, 0)["received"]


def test_a_bot_that_plays_only_against_bots_is_challenged_by_one(context: Context) -> None:
    bot, _ = publish_bot(context, opponents=BOTS_ALONE)
    assert "open" == challenging.create(context, publish_bot(context)[1], bot, AZUL)["status"]


def test_an_acceptable_challenge_waits_for_a_polling_bot(context: Context) -> None:
    bot, as_bot = publish_bot(context, turn_s=(30, 30), bank_s=(60, 60), unclocked=False)
    _, as_ana = player(context)
    one = challenging.create(context, as_ana, bot, replace(AZUL, clock=CLOCK))
    assert "open" == one["status"]
    game = challenging.accept(context, as_bot, one["id"])["game_id"]
    assert {"player"} == {seat["kind"] for seat in view(context, game)["seats"]}
    assert (1, True) == tuple(bots.get(context, bot)[name] for name in ("playing", "busy"))
    with raises_error("bot/busy") as error:
        challenging.create(context, player(context)[1], bot, replace(AZUL, clock=CLOCK))
    assert {"limit": 1} == error.value.extra
    playing.resign(context, Request(as_ana, game), None)
    follow_ups.run_due(context)
    assert (0, False) == tuple(bots.get(context, bot)[name] for name in ("playing", "busy"))


def test_an_aborted_game_does_not_keep_a_bot_busy(context: Context, time: Time) -> None:
    bot, as_bot = publish_bot(context)
    one = challenging.create(context, player(context)[1], bot, AZUL)
    game = challenging.accept(context, as_bot, one["id"])["game_id"]
    context.settings = replace(context.settings, admin_token=OPERATOR.token or "")
    playing.abort(context, Request(OPERATOR, game))
    assert bots.get(context, bot)["busy"]  # the count is cached for a minute after a pairing
    time.pass_(61)
    assert not bots.get(context, bot)["busy"]


def test_a_called_bot_accepts_automatically_and_its_seat_is_called(calling: Context) -> None:
    bot, _ = publish_bot(calling, CALLED, "Robo", games_at_once=2)
    ana, as_ana = player(calling)
    one = challenging.create(calling, as_ana, bot, AZUL, issuer_of_retry(as_ana))
    assert ("accepted", bot) == (one["status"], one["challenged"]["id"])
    assert one["game_id"] == challenging.create(calling, as_ana, bot, AZUL, issuer_of_retry(as_ana))["game_id"]
    seats = {seat["player"]: seat for seat in view(calling, one["game_id"])["seats"]}
    assert {ana, bot} == set(seats)
    assert ("http", "Robo", "ai") == (seats[bot]["kind"], seats[bot]["name"], seats[bot]["endpoint"]["on_failure"])
    assert ([], []) == tuple(challenging.list_challenges(calling, as_ana, 0)[name] for name in ("received", "sent"))
    rated = challenging.create(calling, as_ana, bot, replace(RATED, mixed=True))
    seats = {seat["player"]: seat for seat in view(calling, rated["game_id"])["seats"]}
    assert "lose" == seats[bot]["endpoint"]["on_failure"]
    with raises_error("bot/busy"):
        challenging.create(calling, as_ana, bot, AZUL)


def test_a_called_bot_can_seek(calling: Context) -> None:
    bot, as_bot = publish_bot(calling, CALLED)
    seeking.seek(calling, as_bot, AZUL)
    seek = seeking.seek(calling, player(calling)[1], AZUL)
    assert {bot: HTTP} == {
        seat["player"]: seat["kind"] for seat in view(calling, seek["game_id"])["seats"] if seat["player"] == bot
    }
    assert bots.get(calling, bot)["busy"]


@pytest.mark.parametrize("step", ["add", "create", "begin", "done"])
def test_a_killed_challenge_of_a_called_bot_creates_at_most_one_game(calling: Context, time: Time, step: str) -> None:
    bot, _ = publish_bot(calling, CALLED)
    ana, as_ana = player(calling)
    places: dict[str, tuple[Any, str]] = {
        "add": (calling.challenges, "add"),
        "create": (paired_games, "create"),
        "begin": (calling.bots, "add_game"),
        "done": (calling.seeks, "remove_pairing"),
    }

    with killed_before(*places[step]), pytest.raises(KilledError):
        challenging.create(calling, as_ana, bot, AZUL)
    time.pass_(pairing.DUE_MS / 1000)
    for _ in range(2):
        duties.run_due(calling, duties.BackOff())
    expected = 0 if step == "add" else 1
    assert (expected, expected) == (len(calling.players.game_ids(ana)), bots.get(calling, bot)["playing"])
