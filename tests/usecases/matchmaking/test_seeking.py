"""Seeks: from a seek to a game, each player in one game, after any kill."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from service.games.state.clocks import ClockRule
from service.operate.redis.launcher import EmbeddedRedis
from service.storage.matchmaking.seeks import RESUME_MS, UNREADABLE_MS
from service.usecases.base.context import Caller, Context
from service.usecases.keeping import duties
from service.usecases.matchmaking import paired_games, pairing, seeking
from service.usecases.matchmaking.seeking import LEAVE_S, NewSeek
from service.usecases.people import players, relations
from service.usecases.views import listings
from tests.sampling import one_in
from tests.usecases.answers import to_json
from tests.usecases.crowd import Crowd
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, issuer_of_retry, player, view

AZUL = NewSeek("azul", "coloured", 2)


def seated_players(context: Context, game_id: str) -> list[str | None]:
    return [seat["player"] for seat in view(context, game_id)["seats"]]


def test_two_equal_seeks_are_paired_at_once(context: Context) -> None:
    (ana, as_ana), (ben, as_ben) = player(context, "Ana"), player(context, "Ben")
    first = seeking.seek(context, as_ana, AZUL)
    assert ("open", None, "Ana") == (first["status"], first["game_id"], first["player"]["name"])
    second = seeking.seek(context, as_ben, AZUL)
    assert "paired" == second["status"]
    assert second["game_id"] == seeking.get(context, as_ana, first["id"], 0)["game_id"]
    assert {ana, ben} == set(seated_players(context, second["game_id"]))
    shown = view(context, second["game_id"])
    assert ("playing", True, "unlisted") == (shown["status"], shown["fair"], shown["visibility"])
    assert [] == seeking.lobby(context, None, None, None)


def test_a_rated_game_can_be_watched_by_all(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    rated = replace(AZUL, rated=True, clock=ClockRule(30, 60, "lose", "greedy"))
    game = [seeking.seek(context, who, rated)["game_id"] for who in (as_ana, as_ben)][-1]
    assert "public" == view(context, game)["visibility"]


@pytest.mark.parametrize(("ruleset", "variant"), [("summer-pavilion", "grey"), ("queens-garden", "reverse")])
def test_seeks_of_three_and_four_seats_are_paired_with_a_clock(context: Context, ruleset: str, variant: str) -> None:
    for seats in (3, 4):
        wanted = NewSeek(ruleset, variant, seats, ClockRule(30, 60, "ai", "greedy"))
        people = [player(context) for _ in range(seats)]
        made = [seeking.seek(context, caller, wanted) for _, caller in people]
        assert ["open"] * (seats - 1) + ["paired"] == [seek["status"] for seek in made]
        shown = view(context, made[-1]["game_id"])
        assert {name for name, _ in people} == {seat["player"] for seat in shown["seats"]}
        assert (ruleset, variant, 30) == (shown["ruleset"], shown["variant"], shown["clock"]["turn_s"])


def test_a_rated_game_is_played_without_help_and_lost_on_time(context: Context) -> None:
    wanted = replace(AZUL, clock=ClockRule(30, 60, "ai", "greedy"), rated=True, rating_range=50)
    (_, as_ana), (_, as_ben) = player(context), player(context)
    made = seeking.seek(context, as_ana, wanted)
    assert (True, 1500, 50, "lose") == (
        made["rated"],
        made["points"],
        made["rating_range"],
        made["clock"]["on_timeout"],
    )
    shown = view(context, seeking.seek(context, as_ben, replace(wanted, rating_range=None))["game_id"])
    assert (True, False, "lose") == (shown["rated"], shown["help"], shown["clock"]["on_timeout"])


def test_seats_are_drawn_at_random(context: Context) -> None:
    first = Counter[str]()
    for _ in range(24):
        (ana, as_ana), (_, as_ben) = player(context), player(context)
        seeking.seek(context, as_ana, AZUL)
        first[
            "first" if seated_players(context, seeking.seek(context, as_ben, AZUL)["game_id"])[0] == ana else "second"
        ] += 1
    assert 2 == len(first)


def test_ais_fill_the_game_of_a_seek_without_opponents(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    made = seeking.seek(context, as_ana, replace(AZUL, seats=3, fill=("club", 20), keep_s=60))
    assert {"level": "club", "after_s": 20} == made["fill"]
    pairing.run_due(context)
    assert "open" == seeking.get(context, as_ana, made["id"], 0)["status"]
    time.pass_(20)
    assert 1 == pairing.run_due(context).done
    seats = view(context, seeking.get(context, as_ana, made["id"], 0)["game_id"])["seats"]
    assert [(None, "club"), (None, "club"), (ana, None)] == sorted(
        ((seat["player"], seat["level"]) for seat in seats), key=lambda pair: pair[0] or ""
    )


def test_a_seek_ends_unless_its_player_polls_it(context: Context, time: Time) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    first = seeking.seek(context, as_ana, replace(AZUL, keep_s=LEAVE_S))
    for _ in range(3):
        time.pass_(LEAVE_S - 1)
        assert "open" == seeking.get(context, as_ana, first["id"], 0)["status"]
    time.pass_(LEAVE_S)
    assert "open" == seeking.seek(context, as_ben, AZUL)["status"]
    time.pass_(RESUME_MS / 1000)
    with raises_error("seek/not_found"):
        seeking.get(context, as_ana, first["id"], 0)
    assert 1 == pairing.run_due(context).done
    assert 1 == len(seeking.lobby(context, None, None, None))


def test_an_unreadable_seek_is_deleted_a_day_after_its_end(context: Context, redis_client: Redis, time: Time) -> None:
    seek_id = seeking.seek(context, player(context)[1], replace(AZUL, keep_s=LEAVE_S))["id"]
    redis_client.hset("{b00}:seeks", seek_id, b"{")
    time.pass_(LEAVE_S + UNREADABLE_MS / 1000)
    pairing.run_due(context)
    assert 1 == redis_client.hlen("{b00}:seeks")
    time.pass_(RESUME_MS / 1000)
    pairing.run_due(context)
    assert 0 == redis_client.exists("{b00}:seeks", "{b00}:seeks:ending")


def test_a_withdrawn_seek_is_not_found(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    first = seeking.seek(context, as_ana, AZUL)
    for caller, code in ((as_ben, "seek/not_found"), (Caller(), "auth/token_required")):
        with raises_error(code):
            seeking.withdraw(context, caller, first["id"])
    seeking.withdraw(context, as_ana, first["id"])
    with raises_error("seek/not_found"):
        seeking.withdraw(context, as_ana, first["id"])
    assert "open" == seeking.seek(context, as_ben, AZUL)["status"]


def test_pairing_ends_the_players_other_seeks(context: Context) -> None:
    (_, as_ana), (_, as_ben), (_, as_cleo) = (player(context) for _ in range(3))
    grey = replace(AZUL, variant="grey")
    first, second = seeking.seek(context, as_ana, AZUL), seeking.seek(context, as_ana, grey)
    assert "paired" == seeking.seek(context, as_ben, AZUL)["status"]
    assert "open" == seeking.seek(context, as_cleo, grey)["status"]
    assert "paired" == seeking.get(context, as_ana, first["id"], 0)["status"]
    with raises_error("seek/not_found"):
        seeking.get(context, as_ana, second["id"], 0)


def test_a_seek_added_during_a_pairing_of_its_player_ends(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    first = seeking.seek(context, as_ana, AZUL)
    add = context.seeks.add

    def add_then_pair(*arguments: Any) -> Any:
        monkeypatch.setattr(context.seeks, "add", add)
        result = add(*arguments)
        seeking.join(context, as_ben, first["id"])
        return result

    monkeypatch.setattr(context.seeks, "add", add_then_pair)
    made = seeking.seek(context, as_ana, replace(AZUL, variant="grey"))
    assert ("ended", None, None) == (made["status"], made["game_id"], made["ends_at"])
    assert "paired" == seeking.get(context, as_ana, first["id"], 0)["status"]


def test_an_interrupted_and_repeated_request_creates_one_seek_and_one_game(context: Context) -> None:
    (ana, as_ana), (_, as_ben), (_, as_cleo) = (player(context) for _ in range(3))
    first, again = (seeking.seek(context, as_ana, AZUL, issuer_of_retry(as_ana)) for _ in range(2))
    assert first["id"] == again["id"]
    made = seeking.seek(context, as_ben, AZUL)
    again = seeking.seek(context, as_ana, AZUL, issuer_of_retry(as_ana))
    assert (made["game_id"], "paired") == (again["game_id"], again["status"])
    assert "open" == seeking.seek(context, as_cleo, AZUL)["status"]
    assert [made["game_id"]] == context.players.game_ids(ana)


def test_a_player_has_three_open_seeks_at_most(context: Context, time: Time) -> None:
    _, as_ana = player(context)
    kinds = [("azul", "coloured"), ("azul", "grey"), ("summer-pavilion", "grey"), ("queens-garden", "standard")]
    for kind in kinds[:3]:
        seeking.seek(context, as_ana, NewSeek(*kind, 2))
    with raises_error("limit/seeks") as error:
        seeking.seek(context, as_ana, NewSeek(*kinds[3], 2))
    assert {"limit": 3} == error.value.extra
    time.pass_(61)
    assert "open" == seeking.seek(context, as_ana, NewSeek(*kinds[3], 2))["status"]


def test_the_lobby_is_filtered_and_sorted_by_waiting_time(context: Context, time: Time) -> None:
    for name, wanted in (("Ana", replace(AZUL, seats=3)), ("Ben", replace(AZUL, seats=4)), ("Cleo", AZUL)):
        seeking.seek(context, player(context, name)[1], wanted)
        time.pass_(0.001)
    names = {
        filters: [seek["player"]["name"] for seek in seeking.lobby(context, *filters)]
        for filters in ((None, None, None), ("azul", None, 4), (None, "grey", None), ("queens-garden", None, None))
    }
    assert [["Ana", "Ben", "Cleo"], ["Ben"], [], []] == list(names.values())


def test_a_player_joins_a_seek_of_the_lobby(context: Context) -> None:
    people = [player(context, name) for name in ("Ana", "Ben", "Cleo", "Dora")]
    timed = replace(AZUL, seats=2)
    first = seeking.seek(context, people[0][1], timed)
    with raises_error("player/yourself"):
        seeking.join(context, people[0][1], first["id"])
    joined = seeking.join(context, people[1][1], first["id"])
    assert {people[0][0], people[1][0]} == set(seated_players(context, joined["game_id"]))
    with raises_error("seek/not_found"):
        seeking.join(context, people[2][1], first["id"])


def test_joining_a_seek_precedes_longer_waiting_seeks(context: Context) -> None:
    """Ana has blocked Ben. Ben waits longest. Dora joins Ana's seek and not Ben's."""
    (ben, as_ben), (ana, as_ana), (dora, as_dora) = (player(context, name) for name in ("Ben", "Ana", "Dora"))
    relations.block(context, as_ana, ben)
    seeking.seek(context, as_ben, AZUL)
    own = seeking.seek(context, as_ana, AZUL)
    assert "open" == own["status"]
    with raises_error("player/blocked"):
        seeking.join(context, as_ben, own["id"])
    joined = seeking.join(context, as_dora, own["id"])
    assert {ana, dora} == set(seated_players(context, joined["game_id"]))


def test_a_deleted_player_has_no_seek(context: Context) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    seeking.seek(context, as_ana, AZUL)
    players.delete(context, as_ana)
    assert "open" == seeking.seek(context, as_ben, AZUL)["status"]


def test_an_ai_replaces_a_player_deleted_after_the_pairing(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, as_ana), (ben, as_ben) = player(context), player(context)
    seeking.seek(context, as_ana, AZUL)
    create = paired_games.create

    def create_after_deletion(*arguments: Any) -> None:
        players.delete(context, as_ana)
        create(*arguments)

    monkeypatch.setattr(paired_games, "create", create_after_deletion)
    made = seeking.seek(context, as_ben, AZUL)
    assert [ben, None] == sorted(seated_players(context, made["game_id"]), key=lambda name: name is None)


# ---------------------------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("step", ["add", "pair", "create", "done"])
@pytest.mark.parametrize("rescue", ["keeper", "partner"])
def test_a_pairing_killed_before_a_step_loses_no_player(context: Context, time: Time, step: str, rescue: str) -> None:
    """A keeper, or the request of the other player, completes the pairing."""
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    first = seeking.seek(context, as_ana, replace(AZUL, keep_s=600))

    places: dict[str, tuple[Any, str]] = {
        "add": (context.seeks, "add"),
        "pair": (context.seeks, "pair"),
        "create": (paired_games, "create"),
        "done": (context.seeks, "remove_pairing"),
    }
    with killed_before(*places[step]), pytest.raises(KilledError):
        seeking.seek(context, as_ben, replace(AZUL, keep_s=600))
    time.pass_(pairing.DUE_MS / 1000)
    if rescue == "keeper":
        duties.run_due(context, duties.BackOff())
    seen = seeking.get(context, as_ana, first["id"], 0)
    if rescue == "partner" and step == "pair":
        assert "open" == seen["status"]
        return
    assert ("open" if step == "add" else "paired") == seen["status"]
    if step != "add":
        assert {ana, ben} == set(seated_players(context, seen["game_id"]))
        for caller in (as_ana, as_ben):
            listed, _ = listings.list_own(context, caller, listings.ANY, None, 10)
            assert [seen["game_id"]] == [game["id"] for game in to_json(listed)]
    time.pass_(pairing.DUE_MS / 1000)
    pairing.run_due(context)
    assert 0 == pairing.run_due(context).done


@pytest.mark.parametrize(("count", "kills"), one_in(2, [(100, 1), (1000, 3)]))
def test_simultaneous_seekers_get_at_most_one_game_each_though_redis_is_killed(
    valkey: EmbeddedRedis, redis_client: Redis, count: int, kills: int
) -> None:
    """Eight contexts and two keepers run at the same time."""
    crowd = Crowd(valkey, count)
    crowd.play(kills)
    games, waiting = crowd.games(), crowd.waiting()
    crowd.close()
    assert {0, 1} >= {*games.values()}
    assert {name for name, count in games.items() if not count} == waiting
    assert len(waiting) <= 1 + 2 + 3
