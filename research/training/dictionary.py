"""Make the dictionary that stored games are packed with: `python -m research.training.dictionary 1`.

Greedy AIs play games of all rulesets at all numbers of seats, from seeds, and the dictionary is trained on what would
be stored of them; with `--records azul`, on what would be archived of the games of one ruleset. It goes to
`service/storage/dictionaries`, under the number that is given: the same number and games bring the same bytes. Games
that were packed with another dictionary stay readable only as long as that one lies there, so make a new number, and
remove none. `python -m tests.bench.bench_bytes` and `bench_archive` tell what they are worth.
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
from workers.search.decisions import by_level
from workers.warm import warm

DICTIONARY_BYTES = 65_536
DICTIONARY_OF_RECORDS_BYTES = 131_072
GAMES_OF_EACH = 48
PIECE = 2_000  # bytes of a record that are a sample
LEVEL = "greedy"
BEGUN_MS = 1_767_225_600_000  # the first of January 2026
THOUGHT_MS = 700, 30_000
VIEWED_EVERY = 8  # events
LIFETIMES = Lifetimes(game_s=30 * 86_400, finished_s=30 * 86_400, gone_s=86_400)


def played(ruleset: Ruleset, number: int) -> tuple[GameSession, list[Game]]:
    """A whole game, from its number; and the game after each decision."""
    rng = random.Random(f"{ruleset.id} {number}")
    now = BEGUN_MS + rng.randrange(365 * 86_400_000)
    session = GameSession(Game.new(_meta(ruleset, number, rng, now)), rfc3339(now))
    session.create()
    after = [session.game]
    while (seat := session.game.to_decide) is not None:
        now += rng.randint(*THOUGHT_MS)
        session.now = rfc3339(now)
        search = by_level(position_of(session.game), LEVEL, hashlib.sha256(rng.randbytes(8)).digest())
        session.act(seat, search.choose().action)
        after.append(session.game)
    return session, after


def _meta(ruleset: Ruleset, number: int, rng: random.Random, now: int) -> Meta:
    """AIs among themselves, a person against them, or players with a clock, by turns."""

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
    """What would be stored of a game."""
    session, after = played(ruleset, number)
    log = [orjson.dumps(event.to_stored()) for event in session.events]
    yield from (game_log.lines([event]) for event in log)
    for at in range(0, len(log), game_log.CHUNK):
        yield game_log.lines(log[at : at + game_log.CHUNK])
    yield orjson.dumps(session.game.meta.to_json())
    for game in (*after[::VIEWED_EVERY], after[-1]):
        yield orjson.dumps(view(game, LIFETIMES))
        yield orjson.dumps(game.state())
        yield Facts.of(game).to_bytes()
        yield position_of(game).to_snapshot()


def record_samples(ruleset: Ruleset, number: int) -> Iterator[bytes]:
    """What would be archived of a game, in pieces."""
    session, _ = played(ruleset, number)
    game, log = session.game, [orjson.dumps(event.to_stored()) for event in session.events]
    fields = {
        "meta": orjson.dumps(game.meta.to_json()),
        "facts": Facts.of(game).to_bytes(),
        "visibility": game.meta.visibility.encode(),
        "state": orjson.dumps(game.state()),
        "view": orjson.dumps(view(game, LIFETIMES)),
    }
    record = Record(game.revision, fields, {}, tuple(log)).lines()
    yield from (record[at : at + PIECE] for at in range(0, len(record), PIECE))


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, help="of the dictionary: one more than the newest, 1 to 65535")
    parser.add_argument("--games", type=int, default=GAMES_OF_EACH, help="of each ruleset")
    parser.add_argument("--records", choices=RULESETS, help="for the archive, of this ruleset alone")
    given = parser.parse_args()
    warm()
    rulesets, sampled, size, suffix = [*RULESETS.values()], samples, DICTIONARY_BYTES, packing.SUFFIX
    if given.records:
        rulesets, sampled = [RULESETS[given.records]], record_samples
        size, suffix = DICTIONARY_OF_RECORDS_BYTES, packing.SUFFIX_OF_RECORDS
    every = [one for ruleset in rulesets for number in range(given.games) for one in sampled(ruleset, number)]
    dictionary = train_dictionary(size, [*every], dict_id=given.number)
    path = Path(str(packing.DICTIONARIES)) / f"{given.number}{suffix}"
    path.write_bytes(dictionary.as_bytes())
    print(f"{len(every):,} samples of {sum(map(len, every)):,} bytes: {path.name}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
