"""Bots that one can find: what they accept, when they are online and busy, who is rated with whom, and their owners."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.state.seats import HTTP
from service.rulesets.wire import Json
from service.storage.people.ratings import Change, Scale
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.base.published_bots import BOTS_ALONE, FAILED_MS, NEVER, ONLINE_MS, PEOPLE_ALONE
from service.usecases.games import endpoints, playing
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import bots, challenging, paired_games, pairing, seeking
from service.usecases.people import follow_ups, players
from tests.usecases.bots import AZUL, CALLED, CLOCK, POLLING, RATED, listed, program, published
from tests.usecases.games.test_usecases import refused
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, decide, player, view

OPERATOR = Caller("of-the-operator-" + "a" * 32)


@pytest.fixture
def calling(context: Context) -> Context:
    """The operator allows calls."""
    context.settings = replace(context.settings, outgoing="on")
    return context


def told(context: Context, bot: str) -> Json:
    return bots.look(context, bot)


# ------------------------------------------------------------------------------------------------- the directory


def test_a_bot_is_found_with_what_it_plays(context: Context, time: Time) -> None:
    bot, _ = published(context, name="Robo", rulesets=("azul", "queens-garden"), turn_s=(5, 60))
    seen = told(context, bot)
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
    assert [bot] == listed(context)


def test_who_is_no_program_is_no_bot_and_who_withdraws_is_none_any_more(context: Context) -> None:
    with refused("bot/no_program"):
        bots.put(context, player(context)[1], POLLING)
    bot, caller = published(context)
    bots.withdraw(context, caller)
    assert [] == listed(context)
    for look in (lambda: bots.withdraw(context, caller), lambda: told(context, bot)):
        with refused("bot/not_found"):
            look()


def test_a_bot_that_polls_is_online_while_it_was_here_lately(context: Context, time: Time) -> None:
    bot, caller = published(context)
    time.pass_(ONLINE_MS / 1000 - 0.001)
    assert ([bot], []) == (listed(context, online=True), listed(context, online=False))
    time.pass_(0.001)
    assert ([], [bot]) == (listed(context, online=True), listed(context, online=False))
    players.me(context, caller)
    assert [bot] == listed(context, online=True)


def test_a_bot_that_is_called_is_online_unless_it_has_failed_lately(calling: Context, time: Time) -> None:
    bot, _ = published(calling, CALLED)
    assert told(calling, bot)["online"]
    _, as_ana = player(calling)
    game = challenging.challenge(calling, as_ana, bot, AZUL)["game_id"]
    seats = view(calling, game)["seats"]
    number = next(number for number, seat in enumerate(seats) if seat["player"] == bot)
    while view(calling, game)["to_decide"] != number:
        decide(calling, game, as_ana)
    call = endpoints.take(calling, game, view(calling, game)["revision"], number)
    assert call is not None
    endpoints.fail(calling, call, "unreachable")
    assert not told(calling, bot)["online"]
    time.pass_(FAILED_MS / 1000)
    assert told(calling, bot)["online"]


def test_bots_are_filtered_and_the_highest_rated_comes_first_page_by_page(context: Context) -> None:
    found = [published(context, rulesets=("azul", "summer-pavilion"))[0] for _ in range(3)]
    (garden, _), scale = published(context, rulesets=("queens-garden",), seats=(3, 4)), Scale(25.0, 8.0, 4.0)
    for mu, bot in enumerate(found):
        context.ratings.apply(bot, f"game of {bot}", context.now_ms(), Change("azul:two", 1.0 + mu, 0.5, True), scale)
    assert [*reversed(found), garden] == listed(context)
    assert [garden] == listed(context, ruleset="queens-garden") == listed(context, seats=4)
    assert sorted(found) == listed(context, ruleset="summer-pavilion")  # none has been rated there
    pages, cursor = [], None
    while True:
        page, cursor = bots.page(context, bots.BotFilters(), cursor, 2)
        pages.append([bot["player"]["id"] for bot in page])
        if cursor is None:
            break
    assert [[found[2], found[1]], [found[0], garden]] == pages
    for wrong in ("", "x", "5", "5.short", "9999999." + found[0]):
        with pytest.raises(ValueError, match="cursor"):
            bots.page(context, bots.BotFilters(), wrong, 2)


def test_where_nobody_is_called_there_are_polling_bots_alone(calling: Context) -> None:
    called, polling = published(calling, CALLED)[0], published(calling)[0]
    assert {called, polling} == {*listed(calling)}
    calling.settings = replace(calling.settings, outgoing="off")
    assert [polling] == listed(calling)
    with refused("bot/not_found"):
        told(calling, called)
    with refused("outgoing/off"):
        published(calling, CALLED)


@pytest.mark.parametrize("url", ["http://bot.example/", "https://bot.example:22/", "https://u@bot.example/", "x"])
def test_a_url_that_must_not_be_called_is_refused(calling: Context, url: str) -> None:
    assert CALLED.endpoint is not None
    with refused("request/invalid") as error:
        published(calling, replace(CALLED, endpoint=replace(CALLED.endpoint, url=url)))
    assert {"/endpoint/url"} == set(error.value.errors)


@pytest.mark.parametrize(
    ("wrong", "places"),
    [
        ({"seats": (2, 5)}, {"/seats"}),
        ({"turn_s": (9, 8), "bank_s": (1, 0)}, {"/turn_s/least", "/bank_s/least"}),
        ({"turn_s": (0, 0), "bank_s": (0, 0), "unclocked": False}, {"/turn_s/most"}),
        ({"arena": True, "rated": NEVER}, {"/arena"}),
        ({"arena": True, "opponents": PEOPLE_ALONE}, {"/arena"}),
        ({"arena": True, "seats": (3,)}, {"/arena"}),
    ],
)
def test_what_does_not_go_together_is_refused(context: Context, wrong: Json, places: set[str]) -> None:
    with refused("request/invalid") as error:
        published(context, **wrong)
    assert places == set(error.value.errors)


def test_there_is_room_for_so_many_bots_and_those_that_are_there_may_change(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.matchmaking.bots.MAX_BOTS", 1)
    bot, caller = published(context)
    with refused("limit/bots"):
        published(context)
    bots.put(context, caller, replace(POLLING, games_at_once=3))
    assert 3 == told(context, bot)["games_at_once"]


def test_a_secret_is_shown_once_and_kept_until_another_is_named(calling: Context) -> None:
    _, caller = program(calling)
    first = bots.put(calling, caller, CALLED)["secret"]
    assert first.startswith("whsec_")
    assert bots.put(calling, caller, replace(CALLED, games_at_once=2))["secret"] is None
    stored = calling.bots.get(caller.player_id or "")
    assert stored is not None
    assert stored.endpoint is not None
    assert first == stored.endpoint["secret"]


def test_a_player_who_is_deleted_or_banned_is_no_bot_and_owns_none(context: Context) -> None:
    bot, caller = published(context)
    other, _ = published(context)
    _, as_owner = player(context)
    bots.adopt(context, as_owner, caller.token or "")
    players.delete(context, as_owner)
    assert told(context, bot)["owner"] is None
    players.delete(context, caller)
    pairing.end_all_of(context, other)
    assert [] == listed(context)


def test_a_bot_whose_player_has_expired_is_forgotten_by_whoever_meets_it(context: Context) -> None:
    bot, _ = published(context)
    stored = context.players.get(bot)
    assert stored is not None
    context.players.delete(stored, None)
    assert [] == listed(context)
    assert context.bots.get(bot) is None


# ------------------------------------------------------------------------------------------------------- owners


def test_a_bot_is_whose_who_shows_both_tokens(context: Context) -> None:
    bot, caller = published(context, name="Robo")
    ana, as_ana = player(context, "Ana")
    assert ana == bots.adopt(context, as_ana, caller.token or "")["owner"]["id"]
    assert [bot] == [one["player"]["id"] for one in bots.owned(context, as_ana)]
    _, as_ben = player(context, "Ben")
    bots.adopt(context, as_ben, caller.token or "")
    assert [] == bots.owned(context, as_ana)
    with refused("bot/not_found"):
        bots.release(context, as_ana, bot)
    bots.release(context, as_ben, bot)
    assert told(context, bot)["owner"] is None
    for other in (as_ana, as_ben):
        with refused("bot/not_found"):
            bots.release(context, other, bot)


def test_who_shows_a_wrong_token_gets_no_bot(context: Context) -> None:
    bot, caller = published(context)
    _, as_ana = player(context)
    reading = players.add_token(context, caller, None, ["read"])["token"]
    for token, code in (
        (f"{bot}.{'x' * 43}", "auth/token_unknown"),
        (reading, "auth/read_only"),
        ("of a game", "auth/player_required"),
        (player(context)[1].token or "", "bot/not_found"),
        (as_ana.token or "", "player/yourself"),
    ):
        with refused(code):
            bots.adopt(context, as_ana, token)


def test_an_owner_has_so_many_bots(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.storage.matchmaking.bots.MAX_BOTS_OF_AN_OWNER", 1)
    _, as_ana = player(context)
    bots.adopt(context, as_ana, published(context)[1].token or "")
    with refused("limit/bots"):
        bots.adopt(context, as_ana, published(context)[1].token or "")


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
def test_a_challenge_that_does_not_fit_is_refused_at_once(
    context: Context, what: Json, wanted: seeking.NewSeek, places: set[str]
) -> None:
    bot, as_bot = published(context, **what)
    with refused("bot/declines") as error:
        challenging.challenge(context, player(context)[1], bot, wanted)
    assert places == set(error.value.errors)
    assert [] == challenging.listed(context, as_bot, 0)["received"]


def test_one_that_fits_waits_for_a_bot_that_polls(context: Context) -> None:
    bot, as_bot = published(context, turn_s=(30, 30), bank_s=(60, 60), unclocked=False)
    _, as_ana = player(context)
    one = challenging.challenge(context, as_ana, bot, replace(AZUL, clock=CLOCK))
    assert "open" == one["status"]
    game = challenging.accept(context, as_bot, one["id"])["game_id"]
    assert {"player"} == {seat["kind"] for seat in view(context, game)["seats"]}
    assert (1, True) == tuple(told(context, bot)[name] for name in ("playing", "busy"))
    with refused("bot/busy") as error:
        challenging.challenge(context, player(context)[1], bot, replace(AZUL, clock=CLOCK))
    assert {"limit": 1} == error.value.extra
    playing.resign(context, Request(as_ana, game), None)
    follow_ups.look_after(context)
    assert (0, False) == tuple(told(context, bot)[name] for name in ("playing", "busy"))


def test_a_game_that_is_gone_keeps_no_bot_busy(context: Context, time: Time) -> None:
    bot, as_bot = published(context)
    one = challenging.challenge(context, player(context)[1], bot, AZUL)
    game = challenging.accept(context, as_bot, one["id"])["game_id"]
    context.settings = replace(context.settings, admin_token=OPERATOR.token or "")
    playing.abort(context, Request(OPERATOR, game))
    assert told(context, bot)["busy"]  # nobody has looked, since it was paired a moment ago
    time.pass_(61)
    assert not told(context, bot)["busy"]


def test_a_bot_that_is_called_accepts_by_itself_and_its_seat_is_called(calling: Context) -> None:
    bot, _ = published(calling, CALLED, "Robo", games_at_once=2)
    ana, as_ana = player(calling)
    key = Idempotency("a key of Ana's", "")
    one = challenging.challenge(calling, as_ana, bot, AZUL, key)
    assert ("accepted", bot) == (one["status"], one["challenged"]["id"])
    assert one["game_id"] == challenging.challenge(calling, as_ana, bot, AZUL, key)["game_id"]
    seats = {seat["player"]: seat for seat in view(calling, one["game_id"])["seats"]}
    assert {ana, bot} == set(seats)
    assert ("http", "Robo", "ai") == (seats[bot]["kind"], seats[bot]["name"], seats[bot]["endpoint"]["on_failure"])
    assert ([], []) == tuple(challenging.listed(calling, as_ana, 0)[name] for name in ("received", "sent"))
    rated = challenging.challenge(calling, as_ana, bot, replace(RATED, mixed=True))
    seats = {seat["player"]: seat for seat in view(calling, rated["game_id"])["seats"]}
    assert "lose" == seats[bot]["endpoint"]["on_failure"]
    with refused("bot/busy"):
        challenging.challenge(calling, as_ana, bot, AZUL)


def test_a_bot_that_is_called_may_seek_too(calling: Context) -> None:
    bot, as_bot = published(calling, CALLED)
    seeking.seek(calling, as_bot, AZUL)
    made = seeking.seek(calling, player(calling)[1], AZUL)
    assert {bot: HTTP} == {
        seat["player"]: seat["kind"] for seat in view(calling, made["game_id"])["seats"] if seat["player"] == bot
    }
    assert told(calling, bot)["busy"]


@pytest.mark.parametrize("step", ["add", "create", "begin", "done"])
def test_a_challenge_of_a_bot_that_is_called_is_one_game_or_none_wherever_its_request_is_killed(
    calling: Context, time: Time, step: str
) -> None:
    bot, _ = published(calling, CALLED)
    ana, as_ana = player(calling)
    places: dict[str, tuple[Any, str]] = {
        "add": (calling.challenges, "add"),
        "create": (paired_games, "create"),
        "begin": (calling.bots, "begin"),
        "done": (calling.seeks, "done"),
    }

    with killed_before(*places[step]), pytest.raises(KilledError):
        challenging.challenge(calling, as_ana, bot, AZUL)
    time.pass_(pairing.DUE_MS / 1000)
    for _ in range(2):
        duties.look(calling, duties.BackOff())
    expected = 0 if step == "add" else 1
    assert (expected, expected) == (len(calling.players.game_ids(ana)), told(calling, bot)["playing"])
