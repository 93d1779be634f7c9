"""Train the dictionary that compresses stored games: `python -m research.training.dictionary 1`.

Greedy AIs play seeded games of all rulesets and numbers of seats. The dictionary is trained on their stored form, or
with `--records azul` on the archived form of one ruleset's games. It is written to `service/storage/base/dictionaries`
with the given number. The same number and games produce the same bytes. Stored games need the dictionary that
compressed them, so use a new number and never remove a file. `python -m tests.bench.bench_bytes` and `bench_archive`
measure the effect.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import orjson
from zstandard import train_dictionary

from service.games.facts import Facts
from service.games.session import GameSession
from service.games.state.clocks import ClockRule
from service.games.state.model import Game, Meta, position_of
from service.games.state.moments import rfc3339
from service.games.state.seats import AI, PLAYER, Seat
from service.games.view import Lifetimes, view
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.storage.base import packing
from service.storage.games import game_log
from service.storage.games.records import Record
from workers.search.decisions import search_at_level
from workers.warm import warm

DICTIONARY_BYTES = 65_536
DICTIONARY_OF_RECORDS_BYTES = 131_072
GAMES_OF_EACH = 48
PIECE = 2_000  # bytes of a record in one sample
LEVEL = "greedy"
EPOCH_MS = 1_767_225_600_000  # 2026-01-01
THOUGHT_MS = 700, 30_000
VIEWED_EVERY = 8  # events
LIFETIMES = Lifetimes(game_s=30 * 86_400, finished_s=30 * 86_400, gone_s=86_400)


def play_game(ruleset: Ruleset, number: int) -> tuple[GameSession, list[Game]]:
    """Play a game. Return its session, and the game after each decision."""
    rng = random.Random(f"{ruleset.id} {number}")
    now = EPOCH_MS + rng.randrange(365 * 86_400_000)
    session = GameSession(Game.new(_meta(ruleset, number, rng, now)), rfc3339(now))
    session.create()
    after = [session.game]
    while (seat := session.game.to_decide) is not None:
        now += rng.randint(*THOUGHT_MS)
        session.current_time = rfc3339(now)
        search = search_at_level(position_of(session.game), LEVEL, hashlib.sha256(rng.randbytes(8)).digest())
        session.act(seat, search.choose().action)
        after.append(session.game)
    return session, after


def _meta(ruleset: Ruleset, number: int, rng: random.Random, now: int) -> Meta:
    """Return alternately games of AIs, of a person against AIs, and of players with a clock."""

    def new_id() -> str:
        return base64.urlsafe_b64encode(rng.randbytes(12)).decode()

    seats, people = ruleset.seat_counts[number % len(ruleset.seat_counts)], number % 3
    clock = ClockRule(turn_s=86_400, bank_s=86_400, on_timeout="ai", level=LEVEL)
    seated = [
        Seat(PLAYER, player=new_id() if people == 2 else None) if seat < people else Seat(AI, level=LEVEL)
        for seat in range(seats)
    ]
    return Meta(
        id=new_id(),
        ruleset=ruleset.id,
        ruleset_version=ruleset.version,
        variant=ruleset.variants[number % len(ruleset.variants)],
        visibility=("unlisted", "public")[number % 2],
        first_seat=None,
        seed=rng.randbytes(32).hex(),
        fair=True,
        created_at=rfc3339(now),
        seats=tuple(seated),
        clock=clock if people == 2 else None,
    )


def samples(ruleset: Ruleset, number: int) -> Iterator[bytes]:
    """Yield the stored parts of a game."""
    session, after = play_game(ruleset, number)
    log = [orjson.dumps(event.to_stored()) for event in session.events]
    yield from (game_log.lines([event]) for event in log)
    for at in range(0, len(log), game_log.CHUNK):
        yield game_log.lines(log[at : at + game_log.CHUNK])
    yield orjson.dumps(session.game.meta.to_json())
    for game in (*after[::VIEWED_EVERY], after[-1]):
        yield orjson.dumps(view(game, LIFETIMES))
        yield orjson.dumps(game.state())
        yield Facts.from_game(game).to_bytes()
        yield position_of(game).to_snapshot()


def record_samples(ruleset: Ruleset, number: int) -> Iterator[bytes]:
    """Yield the archived record of a game, in pieces."""
    session, _ = play_game(ruleset, number)
    game, log = session.game, [orjson.dumps(event.to_stored()) for event in session.events]
    fields = {
        "meta": orjson.dumps(game.meta.to_json()),
        "facts": Facts.from_game(game).to_bytes(),
        "visibility": game.meta.visibility.encode(),
        "state": orjson.dumps(game.state()),
        "view": orjson.dumps(view(game, LIFETIMES)),
    }
    record = Record(game.revision, fields, {}, tuple(log)).lines()
    yield from (record[at : at + PIECE] for at in range(0, len(record), PIECE))


def main() -> None:
    """Train and write the dictionary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, help="number of the dictionary, from 1 to 65535: the newest plus one")
    parser.add_argument("--games", type=int, default=GAMES_OF_EACH, help="number of games of each ruleset")
    parser.add_argument("--records", choices=RULESETS, help="train for the archive of one ruleset")
    options = parser.parse_args()
    warm()
    rulesets, sample, size, suffix = [*RULESETS.values()], samples, DICTIONARY_BYTES, packing.SUFFIX
    if options.records:
        rulesets, sample = [RULESETS[options.records]], record_samples
        size, suffix = DICTIONARY_OF_RECORDS_BYTES, packing.SUFFIX_OF_RECORDS
    games = [(ruleset, number) for ruleset in rulesets for number in range(options.games)]
    data = [part for game in games for part in sample(*game)]
    dictionary = train_dictionary(size, [*data], dict_id=options.number)
    path = Path(str(packing.DICTIONARIES)) / f"{options.number}{suffix}"
    path.write_bytes(dictionary.as_bytes())
    print(f"{len(data):,} samples of {sum(map(len, data)):,} bytes: {path.name}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
