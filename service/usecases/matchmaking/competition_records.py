"""Stored form, changes and JSON of competitions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

import orjson

from service.competitions import progress
from service.competitions.model import ARENA, CANCELLED, COMING, REMOVED, Competition, Contest, Entrant, Plan
from service.competitions.standings import Row, arena_rows, swiss_rows
from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.games.state.statuses import ROUNDS_CHANGED
from service.record_reader import reading
from service.rulesets.wire import Json
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.base.shares import NO_SHARE, Place, Share
from service.storage.matchmaking.competitions import CompetitionChange, Listing, StoredCompetition
from service.storage.matchmaking.seeks import Pairing, Partner
from service.stored_json import UnreadableRecordError, select_known
from service.usecases.base.context import Context
from service.usecases.base.profiles import player_json
from service.usecases.games import shares

STATE = ("host", "status", "round", "rounds", "starts_at", "began_at", "next_at", "ends_at", "ended_at")
MOMENTS = ("starts_at", "began_at", "next_at", "ends_at", "ended_at")
ROW = ("score", "played", "wins", "buchholz_cut_1", "buchholz", "sonneborn_berger", "performance", "streak")
CONTEST = ("round", "entrants", "began_at", "halves", "ended_at", "adjudicated")

# ------------------------------------------------------------------------------------------------------- reading


def get(context: Context, competition_id: str) -> Competition:
    """Return the competition. Raises: competition/not_found."""
    stored = context.competitions.get(competition_id)
    if stored is None:
        raise GameError("competition/not_found")
    return read(competition_id, stored)


def read(competition_id: str, stored: StoredCompetition) -> Competition:
    """Return a competition from its stored form. Raises UnreadableRecordError."""
    with reading("competition", competition_id):
        entrants = [
            Entrant(int(number), **select_known(Entrant, orjson.loads(content)))
            for number, content in stored.entrants.items()
        ]
        contests = [_contest(name.decode(), orjson.loads(content)) for name, content in stored.contests.items()]
        return Competition(
            competition_id,
            stored.version,
            Plan(**select_known(Plan, orjson.loads(stored.plan))),
            entrants=tuple(sorted(entrants, key=lambda one: one.number)),
            contests=tuple(sorted(contests, key=lambda one: (one.round, one.began_at, one.is_bye, one.id))),
            **select_known(Competition, orjson.loads(stored.state)),
        )


def _contest(name: str, members: list[Any]) -> Contest:
    round_, entrants, began_at, halves, *rest = members  # earlier versions stored fewer members
    halves = None if halves is None else tuple(halves)
    return Contest(name, round_, tuple(entrants), began_at, halves, *rest[:2])  # newer versions may store more


# ------------------------------------------------------------------------------------------------------- writing


def change(context: Context, competition_id: str, update: Callable[[Competition], Competition | None]) -> None:
    """Apply `update`, which returns None for no change, to the competition. Retry if another writer is faster.

    Raises: competition/not_found, and the errors of `update`.
    """

    def attempt() -> None:
        before = get(context, competition_id)
        after = update(before)
        if after is not None and after != before and commit(context, before, after) != "done":
            raise LostRaceError

    optimistic(attempt)


def commit(context: Context, before: Competition | None, after: Competition, share: Share = NO_SHARE) -> str:
    """Write the differences. Keepers create the new games. Return the word of `Competitions.commit`.

    `before` is None for a new competition, and then `share` is its host's. The new games count as unfinished games of
    their players, but are never refused: nobody drops out of a round.
    """
    now = context.now_ms()
    old_entrants = {} if before is None else before.by_number
    old_contests = {} if before is None else {one.id: one for one in before.contests}
    contests = [one for one in after.contests if old_contests.get(one.id) != one]
    known = {one.id for one in after.contests}
    people = {one.player for one in after.entrants if one.player is not None}
    old_people = {one.player for one in old_entrants.values() if one.player is not None}
    new = [one for one in contests if one.halves is None and one.id not in old_contests]
    dropped = [name for name in old_contests if name not in known]
    ended = [one.id for one in contests if one.halves is not None and one.id in old_contests]
    shares.count_in_any_case(context, [place for one in new for place in _places(after, one)])
    fields = {"state": orjson.dumps({name: getattr(after, name) for name in STATE})}
    if before is None:
        fields["plan"] = orjson.dumps(asdict(after.plan))
    return context.competitions.commit(
        CompetitionChange(
            after.id,
            0 if before is None else before.version,
            Listing(after.status, after.plan.public and after.status != CANCELLED, _listed_by(after)),
            progress.due_at(after, now),
            fields,
            {str(one.number): _serialize_entrant(one) for one in after.entrants if old_entrants.get(one.number) != one},
            [str(number) for number in old_entrants if number not in after.by_number],
            {one.id: orjson.dumps([getattr(one, name) for name in CONTEST]) for one in contests},
            dropped,
            [_pairing(after, one) for one in new],
            [*ended, *dropped],
            sorted(people - old_people),
            sorted(old_people - people),
            _notices(context, before, after, now),
            share,
        ),
        now,
    )


def _notices(context: Context, before: Competition | None, after: Competition, now_ms: int) -> dict[str, bytes]:
    """Return notices to the host and all entrants, by player, if there are now fewer rounds."""
    if before is None or after.rounds is None or after.rounds >= (before.rounds or after.plan.rounds or 0):
        return {}
    host = hosts_of(context, [after]).get(after.host)
    shown = summary_json(after, host, len(after.entrants))
    header = {"type": ROUNDS_CHANGED, "timestamp": rfc3339(now_ms)}
    people = {after.host, *(entrant.player for entrant in after.active)} - {None}
    return {
        str(player): orjson.dumps({**header, "data": {"player": player, "competition": shown}}) for player in people
    }


def _places(competition: Competition, contest: Contest) -> list[Place]:
    """Return the places of the contest's game among the unfinished games of its players."""
    entrants = [competition.by_number[number] for number in contest.entrants]
    return [Place(name, contest.id) for one in entrants for name in shares.holders(one.caller, one.player)]


def _listed_by(competition: Competition) -> int:
    if competition.status == COMING:
        far = competition.plan.created_at + progress.MAX_WAIT_FOR_HOST_MS
        return far if competition.starts_at is None else competition.starts_at
    return competition.ended_at or competition.began_at or 0


def _serialize_entrant(entrant: Entrant) -> bytes:
    members = asdict(entrant)
    del members["number"]
    return orjson.dumps(members)


def _pairing(competition: Competition, contest: Contest) -> Pairing:
    """Return the pairing that becomes the contest's game.

    The first entrant has the first seat, and nobody gets help.
    """
    two = [competition.by_number[number] for number in contest.entrants]
    partners = tuple(Partner(one.player, one.name, None) for one in two)
    plan = competition.plan
    more = {"first_seat": 0, "help": False, "public": plan.public, "competition": competition.id}
    return Pairing(contest.id, {**plan.settings, **more}, partners)


# ---------------------------------------------------------------------------------------------------------- JSON


def standings(competition: Competition) -> list[Row]:
    """Return the standings, best first."""
    return arena_rows(competition) if competition.plan.format == ARENA else swiss_rows(competition)


def summaries(context: Context, ids: Sequence[str]) -> list[Json]:
    """Return the summaries of those competitions that exist and are readable."""
    existing = []
    for competition_id, head in zip(ids, context.competitions.get_heads(ids), strict=True):
        if head is not None:
            with contextlib.suppress(UnreadableRecordError):
                existing.append((read(competition_id, head[0]), head[1]))
    hosts = hosts_of(context, [competition for competition, _ in existing])
    return [summary_json(competition, hosts.get(competition.host), count) for competition, count in existing]


def hosts_of(context: Context, shown: Iterable[Competition]) -> dict[str | None, Json]:
    """Return the public profiles of the hosts, by id."""
    ids = sorted({one.host for one in shown if one.host is not None})
    return {player.id: player_json(player) for player in context.players.get_many(ids) if player is not None}


def summary_json(competition: Competition, host: Json | None, players: int) -> Json:
    """Return a competition as in lists. `host`: public profile; `players`: number of entrants."""
    plan = competition.plan
    return {
        **{name: getattr(competition, name) for name in ("id", "version", "status", "round")},
        **{name: getattr(plan, name) for name in ("name", "format", "minutes", "pause_s", "most_players", "open_to")},
        **{name: plan.settings[name] for name in ("ruleset", "variant", "seats", "clock", "rated")},
        **{name: _moment(getattr(competition, name)) for name in MOMENTS},
        "host": host,
        "rounds": plan.rounds if competition.rounds is None else competition.rounds,
        "planned_rounds": plan.rounds,
        "visibility": "public" if plan.public else "unlisted",
        "by_invitation": plan.invitation is not None,
        "created_at": rfc3339(plan.created_at),
        "players": players,
    }


def _moment(unix: int | None) -> str | None:
    return None if unix is None else rfc3339(unix)


def competition_json(competition: Competition, host: Json | None) -> Json:
    """Return the competition as JSON, without the games of earlier rounds."""
    ranked = [row for row in standings(competition) if row.entrant.status != REMOVED or row.played]
    now_played = [
        one for one in competition.contests if one.halves is None or (one.round and one.round == competition.round)
    ]
    return {
        **summary_json(competition, host, len(competition.entrants)),
        "standings": [_row_json(competition, row, place) for place, row in enumerate(ranked, 1)],
        "current_games": contests_json(competition, now_played),
    }


def _row_json(competition: Competition, row: Row, place: int) -> Json:
    entrant = row.entrant
    playing = next((one.id for one in competition.running_contests if entrant.number in one.entrants), None)
    return {
        "rank": place,
        **_entrant_json(entrant),
        "points": entrant.points,
        "status": entrant.status,
        **{name: getattr(row, name) for name in ROW},
        "game_id": playing,
    }


def _entrant_json(entrant: Entrant) -> Json:
    return {"number": entrant.number, "player": entrant.player, "name": entrant.name, "bot": entrant.bot}


def contests_json(competition: Competition, contests: Iterable[Contest]) -> list[Json]:
    """Return the games as JSON, with their players by seat."""
    return [
        {
            "game_id": None if one.is_bye else one.id,
            "round": one.round or None,
            "players": [
                {**_entrant_json(competition.by_number[number]), "score": None if one.halves is None else half / 2}
                for number, half in zip(one.entrants, one.halves or (0,) * len(one.entrants), strict=True)
            ],
            "began_at": rfc3339(one.began_at),
            "ended_at": _moment(one.ended_at),
            "adjudicated": one.adjudicated,
        }
        for one in contests
    ]


def anonymize(competition: Competition, player_id: str) -> Competition:
    """Return the competition without the player's id and name. Their games remain."""
    if competition.host == player_id:
        competition = replace(competition, host=None)
    entrant = competition.entrant_of(player_id)
    return (
        competition
        if entrant is None
        else competition.with_entrant(replace(entrant, player=None, name=None, caller=""))
    )
