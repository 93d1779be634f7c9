"""LIMIT_OPEN_GAMES: an unfinished game counts for all who asked for it, however it was created."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.errors import GameError
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import UNSETTLED_MS
from service.usecases.games import creating, offering, playing, shares
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import bots, challenging, competitions, pairing, seeking
from service.usecases.matchmaking.seeking import NewSeek
from tests.threads import run_at_once
from tests.usecases.bots import CALLED, CLOCK, create_bot
from tests.usecases.competing import SWISS, run_keeper, running_games
from tests.usecases.games.test_usecases import OPEN, PLAYER, raises_error
from tests.usecases.matchmaking.test_seeking import AZUL
from tests.usecases.players import Time, offer_id, player, resign

HERE, THERE = "192.0.2.1", "198.51.100.7"
CODE = "limit/open_games"


@pytest.fixture
def strict(context: Context) -> Context:
    """Allow a caller two unfinished games."""
    context.settings = replace(context.settings, rate_limits="on", limit_open_games=2, outgoing="on")
    return context


def new_caller(context: Context, address: str = HERE) -> Caller:
    """Create a player at this address."""
    return replace(player(context)[1], origin=address)


def create(context: Context, caller: Caller) -> str:
    game = creating.NewGame("azul", "coloured", (PLAYER, OPEN))
    return str(creating.create(context, caller, game)["game"]["id"])


def fill(context: Context, address: str = HERE) -> list[tuple[str, Caller]]:
    """Create as many games as an address may have."""
    hosts = [Caller(origin=address) for _ in range(2)]
    made = [creating.create(context, host, creating.NewGame("azul", "coloured", (PLAYER, OPEN))) for host in hosts]
    return [(one["game"]["id"], Caller(one["tokens"]["host"], origin=address)) for one in made]


def end_one(context: Context, games: list[tuple[str, Caller]]) -> None:
    game, host = games.pop()
    playing.abort(context, Request(host, game))


def test_challenges_count_when_they_are_accepted(strict: Context) -> None:
    """With a limit of 2, one address cannot have more games by challenging itself."""
    pairs = [(new_caller(strict), new_caller(strict)) for _ in range(4)]
    sent = [challenging.create(strict, one, other.player_id or "", AZUL)["id"] for one, other in pairs]
    for (_, other), challenge in zip(pairs[:2], sent[:2], strict=True):
        assert challenging.accept(strict, other, challenge)["game_id"]
    with raises_error(CODE) as refused:
        challenging.accept(strict, pairs[2][1], sent[2])
    assert {"limit": 2} == refused.value.extra
    stored = strict.challenges.get(sent[2])
    assert stored is not None
    assert "open" == stored.status
    with raises_error(CODE):
        challenging.create(strict, pairs[3][0], pairs[0][0].player_id or "", AZUL)


@pytest.mark.parametrize("full", [HERE, THERE])
def test_a_challenge_is_accepted_only_if_both_players_have_room(strict: Context, full: str) -> None:
    one, other = new_caller(strict, HERE), new_caller(strict, THERE)
    challenge = challenging.create(strict, one, other.player_id or "", AZUL)["id"]
    games = fill(strict, full)
    with raises_error(CODE):
        challenging.accept(strict, other, challenge)
    end_one(strict, games)
    assert challenging.accept(strict, other, challenge)["game_id"]


def test_a_challenge_that_a_called_bot_accepts_counts_for_the_challenger(strict: Context) -> None:
    bot, as_bot = create_bot(strict)
    bots.publish(strict, replace(as_bot, origin=THERE), replace(CALLED, games_at_once=9))
    wanted = replace(AZUL, clock=CLOCK)
    for _ in range(2):
        challenging.create(strict, new_caller(strict), bot, wanted)
    with raises_error(CODE):
        challenging.create(strict, new_caller(strict), bot, wanted)
    challenging.create(strict, new_caller(strict, THERE), bot, wanted)


def test_a_seek_is_refused_without_room(strict: Context) -> None:
    waiting = seeking.seek(strict, new_caller(strict, THERE), AZUL)["id"]
    games = fill(strict)
    for ask in (lambda: seeking.seek(strict, new_caller(strict), AZUL), lambda: join(strict, waiting)):
        with raises_error(CODE):
            ask()
    end_one(strict, games)
    assert "paired" == join(strict, waiting)["status"]


def join(context: Context, seek_id: str) -> Any:
    return seeking.join(context, new_caller(context), seek_id)


def test_seeks_count_when_they_are_paired_and_end_if_there_is_no_room(strict: Context) -> None:
    """Three seeks of one address wait. Its limit is reached after two games, so the third ends and nobody else's."""
    own = [new_caller(strict) for _ in range(3)]
    kinds = [("azul", "coloured"), ("azul", "grey"), ("summer-pavilion", "grey")]
    waiting = [seeking.seek(strict, caller, NewSeek(*kind, 2)) for caller, kind in zip(own, kinds, strict=True)]
    rivals = [new_caller(strict, f"203.0.113.{number}") for number in range(3)]
    found = [seeking.seek(strict, caller, NewSeek(*kind, 2)) for caller, kind in zip(rivals, kinds, strict=True)]
    assert ["paired", "paired", "open"] == [one["status"] for one in found]
    with raises_error("seek/not_found"):
        seeking.get(strict, own[2], waiting[2]["id"], 0)
    last = seeking.seek(strict, new_caller(strict, THERE), NewSeek(*kinds[2], 2))
    assert "paired" == last["status"]
    assert last["game_id"] == seeking.get(strict, rivals[2], found[2]["id"], 0)["game_id"]


def test_games_of_a_keepers_pairing_count_for_all_players(strict: Context, time: Time) -> None:
    seekers = [new_caller(strict) for _ in range(2)]
    for caller, variant in zip(seekers, ("coloured", "grey"), strict=True):
        seeking.seek(strict, caller, replace(AZUL, variant=variant, fill=("greedy", 1)))
    time.pass_(2)
    assert 2 == pairing.pair_waiting(strict)
    with raises_error(CODE):
        create(strict, new_caller(strict))


def test_a_player_counts_at_all_addresses(strict: Context) -> None:
    ana = new_caller(strict)
    for address in (HERE, THERE):
        create(strict, replace(ana, origin=address))
    with raises_error(CODE):
        create(strict, replace(ana, origin="203.0.113.9"))
    create(strict, new_caller(strict, "203.0.113.9"))


def test_a_rematch_counts_for_the_player_who_accepts_it(strict: Context) -> None:
    one, other = new_caller(strict, HERE), new_caller(strict, THERE)
    challenge = challenging.create(strict, one, other.player_id or "", AZUL)["id"]
    game = challenging.accept(strict, other, challenge)["game_id"]
    resign(strict, game, one)
    offering.rematch(strict, Request(one, game), None)
    games = fill(strict, THERE)
    with raises_error(CODE):
        offering.answer(strict, Request(other, game), offer_id(strict, game), None, accept=True)
    end_one(strict, games)
    assert offering.answer(strict, Request(other, game), offer_id(strict, game), None, accept=True).rematch


def test_a_round_of_a_competition_is_never_refused_but_counts(strict: Context) -> None:
    competition = competitions.announce(strict, new_caller(strict), SWISS)["id"]
    people = [new_caller(strict, address) for address in (HERE, THERE)]
    for caller in people:
        competitions.join(strict, caller, competition)
    games = fill(strict)
    with raises_error(CODE):
        competitions.join(strict, new_caller(strict), competition)
    stored = strict.competitions.get(competition)
    assert stored is not None
    competitions.start(strict, replace(Caller(), token=host_token(strict, competition)), competition)
    run_keeper(strict)
    assert 1 == len(running_games(strict, competition))
    end_one(strict, games)
    with raises_error(CODE):
        create(strict, new_caller(strict))


def host_token(context: Context, competition: str) -> str:
    """Return a new token of the competition's host."""
    from service.usecases.matchmaking import competition_records
    from service.usecases.people import players

    host = context.players.get(competition_records.get(context, competition).host or "")
    assert host is not None
    return str(players.issue_token(context, host, None)["token"])


def test_simultaneous_games_do_not_exceed_the_limit(strict: Context) -> None:
    def attempt(_: int) -> bool:
        try:
            create(strict, Caller(origin=HERE))
        except GameError:
            return False
        return True

    assert 2 == sum(run_at_once(attempt, range(12)))


def test_the_place_of_a_game_that_was_never_created_becomes_free(strict: Context, time: Time) -> None:
    for _ in range(2):
        shares.new_game_id(strict, Caller(origin=HERE))
    with raises_error(CODE):
        create(strict, Caller(origin=HERE))
    time.pass_(2 * UNSETTLED_MS / 1000)
    create(strict, Caller(origin=HERE))


def test_a_lost_race_for_a_challenge_counts_no_game(strict: Context) -> None:
    one, other = new_caller(strict, HERE), new_caller(strict, THERE)
    challenge = challenging.create(strict, one, other.player_id or "", AZUL)["id"]
    stored = strict.challenges.get(challenge)
    challenging.decline(strict, other, challenge, "none")
    strict.challenges.get = lambda _: stored  # type: ignore[method-assign, assignment]
    try:
        with raises_error("challenge/answered"):
            challenging.accept(strict, other, challenge)
    finally:
        del strict.challenges.get
    assert 2 == len(fill(strict))


def test_without_limits_nothing_is_counted(context: Context) -> None:
    context.settings = replace(context.settings, rate_limits="off", limit_open_games=1)
    assert 3 == len({create(context, Caller(origin=HERE)) for _ in range(3)})
    duties.run_due(context, duties.BackOff())
