"""Competitions of players: announcing one, entering and leaving it, what its host may do, and reading it."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

import orjson

from service.competitions.model import (
    ARENA,
    CANCELLED,
    COMING,
    ENTERED,
    MAX_ENTRANTS,
    OVER,
    PAUSED,
    REMOVED,
    RUNNING,
    SWISS,
    WITHDRAWN,
    Competition,
    Entrant,
    Plan,
)
from service.competitions.progress import MIN_ENTRANTS, cancelled
from service.games.errors import GameError
from service.games.state.clocks import LOSE, ClockRule
from service.rulesets.wire import Json
from service.storage.matchmaking.competitions import MAX_HOSTED, MAX_OPEN, MAX_REMEMBERED_OF_A_PLAYER
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, handles, published_bots
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.base.published_bots import BOTS_ALONE, EVERYBODY, PEOPLE_ALONE
from service.usecases.matchmaking import competition_records
from service.usecases.matchmaking.seeking import NewSeek, faults_of, id_of, points_at

LATEST_START_MS = 30 * 86_400_000
LONGEST_TURN_S, LONGEST_BANK_S = 600, 7_200
USUAL_ROUNDS, USUAL_MINUTES, USUAL_PAUSE_S = 5, 60, 10
MAX_AT_ONCE = 10
MAX_COMPETITIONS_SHOWN = 100
INVITATION_BYTES = 16
PACE_S = 0.5  # of a stream: many games of a round end at nearly one time
LIMITS = {"own": MAX_HOSTED, "past": MAX_REMEMBERED_OF_A_PLAYER, "all": MAX_OPEN}
LISTED = (RUNNING, COMING, OVER)
"""In this order; those that were cancelled are not."""


@dataclass(frozen=True)
class NewCompetition:
    """What a host announces. `starts_at`: unix ms, None: when the host starts it; None elsewhere: as is usual."""

    name: str
    format: str
    ruleset: str
    variant: str
    clock: ClockRule
    rated: bool = False
    rounds: int | None = None
    minutes: int | None = None
    pause_s: int | None = None
    most_players: int = 64
    public: bool = True
    open_to: str = EVERYBODY
    by_invitation: bool = False
    starts_at: int | None = None


def announce(context: Context, caller: Caller, new: NewCompetition, idempotency: Idempotency | None = None) -> Json:
    """Announce a competition, which the caller hosts and has not entered.

    Who asks again with the same key has still one. request/invalid, limit/competitions, idempotency/mismatch.
    """
    player, now = access.must_be_player(context, caller), context.now_ms()
    competition_id = id_of(context, "competition", player.id, idempotency)
    before = None if idempotency is None else context.competitions.get(competition_id)
    if before is None and (errors := _faults(new, now)):
        raise GameError("request/invalid", errors=errors)
    competition = Competition(competition_id, 0, _plan(new, now), player.id, COMING, starts_at=new.starts_at)
    if before is not None:
        found = competition_records.read(competition_id, before)
        kept = replace(competition.plan, created_at=found.plan.created_at, invitation=found.plan.invitation)
        if found.plan != kept or new.by_invitation != (found.plan.invitation is not None):
            raise GameError("idempotency/mismatch")
        return _told(context, found, player)
    done = competition_records.commit(context, None, competition)
    if done in LIMITS:
        raise GameError("limit/competitions", limit=LIMITS[done])
    return _told(context, competition_records.get(context, competition_id), player)


def _plan(new: NewCompetition, now_ms: int) -> Plan:
    settings = _wanted(new).settings()
    settings["clock"] = asdict(replace(new.clock, on_timeout=LOSE))
    swiss = new.format == SWISS
    return Plan(
        name=new.name,
        format=new.format,
        settings=settings,
        rounds=(new.rounds or USUAL_ROUNDS) if swiss else None,
        minutes=None if swiss else (new.minutes or USUAL_MINUTES),
        pause_s=(USUAL_PAUSE_S if new.pause_s is None else new.pause_s) if swiss else 0,
        most_players=new.most_players,
        public=new.public,
        open_to=new.open_to,
        starts_at=new.starts_at,
        created_at=now_ms,
        invitation=secrets.token_urlsafe(INVITATION_BYTES) if new.by_invitation else None,
    )


def _wanted(new: NewCompetition) -> NewSeek:
    return NewSeek(new.ruleset, new.variant, 2, new.clock, rated=new.rated)


def _faults(new: NewCompetition, now_ms: int) -> dict[str, str]:
    """What is wrong with what is announced, by JSON pointer."""
    errors = faults_of(_wanted(new))
    for name, most in (("turn_s", LONGEST_TURN_S), ("bank_s", LONGEST_BANK_S)):
        if getattr(new.clock, name) > most:
            errors[f"/clock/{name}"] = f"must be at most {most} in a competition"
    others = ("minutes",) if new.format == SWISS else ("rounds", "pause_s")
    for name in others:
        if getattr(new, name) is not None:
            errors[f"/{name}"] = f"cannot be combined with the format {new.format}"
    if new.starts_at is not None and not now_ms <= new.starts_at <= now_ms + LATEST_START_MS:
        errors["/starts_at"] = "must be within the next 30 days"
    return errors


# ------------------------------------------------------------------------------------------------------- reading


def listed(context: Context, status: str | None, first: int, limit: int) -> tuple[list[Json], int | None]:
    """Public competitions: those that run, that are to come, and that are over lately; and where the next page begins.

    `status`: of those alone.
    """
    ids: list[str] = []
    for one in LISTED:
        if status in (None, one):
            ids += context.competitions.listed(one)
    page = competition_records.summaries(context, ids[first : first + limit])
    return page, first + limit if len(ids) > first + limit else None


def look(
    context: Context, caller: Caller, competition_id: str, after: int | None, timeout_s: float
) -> tuple[int, bytes] | None:
    """(version, the competition as JSON), or as soon as it has a version after `after`; None when the time runs out.

    competition/not_found.
    """
    player = None if caller.player_id is None else access.player_of(context, caller)
    version = context.competitions.version(competition_id)
    if not version:
        raise GameError("competition/not_found")
    if after is not None and version <= after:
        if not context.hub.wait_for_competition(
            competition_id, after, lambda: context.competitions.version(competition_id), timeout_s
        ):
            return None
        version = context.competitions.version(competition_id)
    if player is not None:
        competition = competition_records.get(context, competition_id)
        if competition.host == player.id:
            return competition.version, orjson.dumps(_told(context, competition, player))
    seen = context.views.known((competition_id, version))
    if seen is None:
        competition = competition_records.get(context, competition_id)
        version, seen = competition.version, orjson.dumps(_told(context, competition, None))
        context.views.put((competition_id, version), seen)
    return version, seen


def follow(
    context: Context, competition_id: str, after: int | None, keep_alive_s: float = 15.0
) -> Iterator[Json | None]:
    """The summary of the competition when there is news, twice a second at most, until it is over.

    None after `keep_alive_s` without news. competition/not_found, before the first item.
    """
    found = next(iter(competition_records.summaries(context, [competition_id])), None)
    if found is None:
        raise GameError("competition/not_found")
    return _followed(context, competition_id, found, after or 0, keep_alive_s)


def _followed(
    context: Context, competition_id: str, found: Json | None, seen: int, keep_alive_s: float
) -> Iterator[Json | None]:
    while found is not None:
        if found["version"] > seen:
            seen = found["version"]
            yield found
        if found["status"] in (OVER, CANCELLED):
            return
        time.sleep(PACE_S)
        if not context.hub.wait_for_competition(
            competition_id, seen, lambda: context.competitions.version(competition_id), keep_alive_s
        ):
            yield None
        found = next(iter(competition_records.summaries(context, [competition_id])), None)


def games(
    context: Context, competition_id: str, number: int | None, first: int, limit: int
) -> tuple[list[Json], int | None]:
    """Its games and byes, in order, of a round or of all; and where the next page begins. competition/not_found."""
    competition = competition_records.get(context, competition_id)
    wanted = [one for one in competition.contests if number in (None, one.round)]
    page = competition_records.contests_json(competition, wanted[first : first + limit])
    return page, first + limit if len(wanted) > first + limit else None


def own(context: Context, caller: Caller) -> Json:
    """The newest of those that the caller has announced, and of those that they have entered."""
    return _own(context, access.must_be_player(context, caller), MAX_COMPETITIONS_SHOWN)


def everything(context: Context, player: StoredPlayer) -> Json:
    """The same, all of them."""
    return _own(context, player, MAX_REMEMBERED_OF_A_PLAYER)


def _own(context: Context, player: StoredPlayer, most: int) -> Json:
    entered = context.competitions.entered(player.id, context.now_ms())[:most]
    return {
        "hosted": competition_records.summaries(context, context.competitions.hosted(player.id)[:most]),
        "entered": competition_records.summaries(context, entered),
    }


def _told(context: Context, competition: Competition, player: StoredPlayer | None) -> Json:
    """The competition; to its host with the invitation."""
    host = competition_records.hosts_of(context, [competition]).get(competition.host)
    is_host = player is not None and player.id == competition.host
    invitation = competition.plan.invitation if is_host else None
    return {**competition_records.whole(competition, host), "invitation": invitation}


# ------------------------------------------------------------------------------------------------------ entering


def join(
    context: Context, caller: Caller, competition_id: str, invitation: str | None = None, *, mixed: bool = False
) -> Json:
    """Enter the competition; in an arena, come back from a pause. Who has entered has.

    competition/not_found, competition/closed, competition/full, competition/not_for_you, competition/invitation,
    competition/removed, game/not_mixed, limit/competitions.
    """
    player = access.must_be_player(context, caller)
    competition = competition_records.get(context, competition_id)
    if competition.entrant_of(player.id) is None:
        _must_be_welcome(context, competition, player, invitation, mixed=mixed)
    points = points_at(context, player.id, competition.plan.settings)
    competition_records.change(context, competition_id, lambda one: _entered(one, player, points, context.now_ms()))
    return _told(context, competition_records.get(context, competition_id), player)


def _must_be_welcome(
    context: Context, competition: Competition, player: StoredPlayer, invitation: str | None, *, mixed: bool
) -> None:
    plan = competition.plan
    if plan.open_to not in (EVERYBODY, BOTS_ALONE if player.bot else PEOPLE_ALONE):
        raise GameError("competition/not_for_you", open_to=plan.open_to)
    if plan.invitation is not None and not hmac.compare_digest(plan.invitation.encode(), (invitation or "").encode()):
        raise GameError("competition/invitation")
    if plan.settings["rated"] and plan.open_to == EVERYBODY and not mixed:
        bot = published_bots.found(context, [player]).get(player.id)
        if bot is None or bot.rated != EVERYBODY:
            raise GameError("game/not_mixed")
    entered_ids = context.competitions.entered(player.id, context.now_ms())
    if len(entered_ids) >= MAX_REMEMBERED_OF_A_PLAYER:
        raise GameError("limit/competitions", limit=MAX_REMEMBERED_OF_A_PLAYER)
    statuses = [one["status"] for one in competition_records.summaries(context, entered_ids[:MAX_COMPETITIONS_SHOWN])]
    if sum(status in (COMING, RUNNING) for status in statuses) >= MAX_AT_ONCE:
        raise GameError("limit/competitions", limit=MAX_AT_ONCE)


def _entered(competition: Competition, player: StoredPlayer, points: int, now_ms: int) -> Competition | None:
    own_entry = competition.entrant_of(player.id)
    if own_entry is not None and own_entry.status == REMOVED:
        raise GameError("competition/removed")
    late = competition.status == RUNNING and competition.plan.format == ARENA
    if own_entry is not None and own_entry.status == ENTERED and not competition.is_over:
        return None
    if competition.status != COMING and not late:
        raise GameError("competition/closed", became=competition.status)
    if own_entry is not None:
        return competition.with_entrant(replace(own_entry, status=ENTERED, free_since=now_ms))
    full = len(competition.active) >= competition.plan.most_players
    if full or len(competition.entrants) >= 2 * MAX_ENTRANTS:
        raise GameError("competition/full", limit=competition.plan.most_players)
    number = 1 + max((one.number for one in competition.entrants), default=0)
    entrant = Entrant(number, player.id, player.name, player.bot, points, now_ms, free_since=now_ms)
    return competition.with_entrant(entrant)


def leave(context: Context, caller: Caller, competition_id: str) -> Json:
    """Be paired no more: before it begins as if one had never entered, in an arena until one joins again.

    Who has not entered, or has left, has nothing to do. competition/not_found, competition/closed.
    """
    player = access.must_be_player(context, caller)

    def left(competition: Competition) -> Competition | None:
        own_entry = competition.entrant_of(player.id)
        if own_entry is None:
            return None
        return _gone(competition, own_entry, PAUSED if competition.plan.format == ARENA else WITHDRAWN)

    competition_records.change(context, competition_id, left)
    return _told(context, competition_records.get(context, competition_id), player)


def _gone(competition: Competition, entrant: Entrant, status: str) -> Competition:
    """The entrant is paired no more. Before it begins, who is not removed is forgotten. competition/closed."""
    if competition.is_over:
        raise GameError("competition/closed", became=competition.status)
    if competition.status == COMING and status != REMOVED:
        return competition.without_entrant(entrant.number)
    return competition if entrant.status == REMOVED else competition.with_entrant(replace(entrant, status=status))


# ------------------------------------------------------------------------------------------------------- hosting


def start(context: Context, caller: Caller, competition_id: str) -> Json:
    """Have it begin at once, by a keeper.

    competition/not_found, auth/host_only, competition/closed, competition/too_few.
    """
    player = access.must_be_player(context, caller)

    def started(competition: Competition) -> Competition | None:
        _must_host(competition, player)
        if competition.status != COMING:
            raise GameError("competition/closed", became=competition.status)
        if len(competition.active) < MIN_ENTRANTS:
            raise GameError("competition/too_few")
        return replace(competition, starts_at=min(competition.starts_at or context.now_ms(), context.now_ms()))

    competition_records.change(context, competition_id, started)
    return _told(context, competition_records.get(context, competition_id), player)


def cancel(context: Context, caller: Caller, competition_id: str) -> None:
    """Nobody is paired any more; games that are played go on as any others. Where it was cancelled, nothing is done.

    The operator may, too. competition/not_found, auth/host_only, competition/closed.
    """
    player = None if access.is_admin(context, caller) else access.must_be_player(context, caller)

    def ended(competition: Competition) -> Competition | None:
        if player is not None:
            _must_host(competition, player)
        if competition.status == OVER:
            raise GameError("competition/closed", became=competition.status)
        return None if competition.status == CANCELLED else cancelled(competition, context.now_ms())

    competition_records.change(context, competition_id, ended)


def remove(context: Context, caller: Caller, competition_id: str, word: str) -> None:
    """The player of this id or handle is paired no more, and cannot join again.

    competition/not_found, auth/host_only, competition/closed, competition/not_entered, player/not_found.
    """
    player = access.must_be_player(context, caller)
    _must_host(competition_records.get(context, competition_id), player)
    other = handles.found(context, word)

    def removed(competition: Competition) -> Competition | None:
        entry = competition.entrant_of(other.id)
        if entry is None:
            raise GameError("competition/not_entered")
        return _gone(competition, entry, REMOVED)

    competition_records.change(context, competition_id, removed)


def _must_host(competition: Competition, player: StoredPlayer) -> None:
    if competition.host != player.id:
        raise GameError("auth/host_only")
