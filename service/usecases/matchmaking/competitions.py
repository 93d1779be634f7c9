"""Competitions of players: announce, enter, leave, host and read them."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import orjson

from service.competitions import progress
from service.competitions.model import (
    ARENA,
    CANCELLED,
    COMING,
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
from service.competitions.progress import MIN_ENTRANTS
from service.games.errors import GameError
from service.games.state.clocks import LOSE, ClockRule
from service.rulesets.wire import Json
from service.storage.base.follow_ups import OPERATOR, Actor, LogEntry
from service.storage.base.shares import Share
from service.storage.games.hub import KEEP_ALIVE_S
from service.storage.matchmaking.competitions import MAX_HOSTED, MAX_OPEN, MAX_REMEMBERED_OF_A_PLAYER
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import EVERYBODY
from service.usecases.games import shares
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.matchmaking import competition_records, entering
from service.usecases.matchmaking.entering import MAX_COMPETITIONS_SHOWN
from service.usecases.matchmaking.seeking import NewSeek, rated_points

LATEST_START_MS = 30 * 86_400_000
START_ERROR = "must be within the next 30 days"
LONGEST_TURN_S, LONGEST_BANK_S = 600, 7_200
USUAL_ROUNDS, USUAL_MINUTES, USUAL_PAUSE_S = 5, 60, 10
INVITATION_BYTES = 16
STREAM_INTERVAL_S = 0.5  # many games of a round end at nearly the same time
LISTED = (RUNNING, COMING, OVER)
"""Listed statuses, in this order."""
Summaries = Iterator[Json | None]
"""Summaries of a competition; None to keep the connection alive."""


@dataclass(frozen=True)
class NewCompetition:
    """A competition as announced by its host.

    `starts_at`: Unix ms, None: when the host starts it. Other None: default.
    """

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


def announce(context: Context, caller: Caller, new: NewCompetition, issuer: Issuer = RANDOM) -> Json:
    """Announce a competition. The caller hosts it but does not enter it.

    A repeated request creates no second one. Raises: request/invalid, limit/competitions.
    """
    player, now, competition_id = access.must_be_player(context, caller), context.now_ms(), issuer.id_in(context)
    if issuer.is_repeated and (before := context.competitions.get(competition_id)):  # an interrupted request created it
        return _competition_json(context, competition_records.read(competition_id, before), player)
    if new.starts_at is not None and new.starts_at < now:
        raise GameError("request/invalid", errors={"/starts_at": START_ERROR})
    competition = Competition(competition_id, 0, _plan(new, now), player.id, COMING, starts_at=new.starts_at)
    share = Share(caller.share, player.id, shares.most_of_caller(context))
    word = shares.add_entry(
        context.competitions.shared_list,
        share.caller,
        lambda: competition_records.commit(context, None, competition, share),
        lambda ids: _cancel_unjoined(context, ids),
    )
    if word == "past":
        raise GameError("limit/competitions", limit=MAX_REMEMBERED_OF_A_PLAYER)
    if word != "stale":  # "stale": a repeated request with the same key was faster
        shares.must_be_added(context, word, "limit/competitions", of_player=MAX_HOSTED, of_all=MAX_OPEN)
    return _competition_json(context, competition_records.get(context, competition_id), player)


def _cancel_unjoined(context: Context, ids: Sequence[str]) -> bool:
    """Cancel the first of these competitions that nobody has entered. Return False if there is none."""

    def cancel_unjoined(competition: Competition) -> Competition:
        if competition.status != COMING or competition.entrants:
            raise GameError("competition/closed")
        return progress.cancel(competition, context.now_ms())

    heads = zip(ids, context.competitions.get_heads(ids), strict=True)
    for competition_id in [name for name, head in heads if head is not None and not head[1]]:
        with contextlib.suppress(GameError):
            competition_records.change(context, competition_id, cancel_unjoined)
            return True
    return False


def _plan(new: NewCompetition, now_ms: int) -> Plan:
    settings = _to_seek(new).settings()
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


def _to_seek(new: NewCompetition) -> NewSeek:
    return NewSeek(new.ruleset, new.variant, 2, new.clock, rated=new.rated)


# ------------------------------------------------------------------------------------------------------- reading


def list_public(context: Context, status: str | None, first: int, limit: int) -> tuple[list[Json], int | None]:
    """Return a page of public competitions (running, coming, recently over) and the start of the next page.

    `status` selects one of these.
    """
    ids = [name for one in LISTED if status in (None, one) for name in context.competitions.list_public(one)]
    page = competition_records.summaries(context, ids[first : first + limit])
    return page, first + limit if len(ids) > first + limit else None


def get(
    context: Context, caller: Caller, competition_id: str, after: int | None, timeout_s: float
) -> tuple[int, bytes] | None:
    """Return (version, competition as JSON). With `after`, wait for a later version; None after the timeout.

    Raises: competition/not_found.
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
        player = None if player is None else access.must_be_player(context, caller)  # the token may have ended
    if player is not None:
        competition = competition_records.get(context, competition_id)
        if competition.host == player.id:
            return competition.version, orjson.dumps(_competition_json(context, competition, player))
    view = context.views.peek((competition_id, version))
    if view is None:
        competition = competition_records.get(context, competition_id)
        version, view = competition.version, orjson.dumps(_competition_json(context, competition, None))
        context.views.set((competition_id, version), view)
    return version, view


def follow(context: Context, competition_id: str, after: int | None, keep_alive_s: float = KEEP_ALIVE_S) -> Summaries:
    """Yield the competition's summary after each change, at most twice a second, until it is over.

    Yields None after `keep_alive_s` without changes. Raises competition/not_found before the first item.
    """
    summary = next(iter(competition_records.summaries(context, [competition_id])), None)
    if summary is None:
        raise GameError("competition/not_found")
    return _follow(context, competition_id, summary, after or 0, keep_alive_s)


def _follow(
    context: Context, competition_id: str, summary: Json | None, version: int, keep_alive_s: float
) -> Summaries:
    while summary is not None:
        if summary["version"] > version:
            version = summary["version"]
            yield summary
        if summary["status"] in (OVER, CANCELLED):
            return
        time.sleep(STREAM_INTERVAL_S)
        if not context.hub.wait_for_competition(
            competition_id, version, lambda: context.competitions.version(competition_id), keep_alive_s
        ):
            yield None
        summary = next(iter(competition_records.summaries(context, [competition_id])), None)


def list_games(
    context: Context, competition_id: str, number: int | None, first: int, limit: int
) -> tuple[list[Json], int | None]:
    """Return a page of the games and byes, of one round or all, and the start of the next page.

    Raises: competition/not_found.
    """
    competition = competition_records.get(context, competition_id)
    wanted = [one for one in competition.contests if number in (None, one.round)]
    page = competition_records.contests_json(competition, wanted[first : first + limit])
    return page, first + limit if len(wanted) > first + limit else None


def list_own(context: Context, caller: Caller) -> Json:
    """Return the newest competitions that the caller hosts, and the newest they entered."""
    return list_of_player(context, access.must_be_player(context, caller), MAX_COMPETITIONS_SHOWN)


def list_of_player(context: Context, player: StoredPlayer, most: int = MAX_REMEMBERED_OF_A_PLAYER) -> Json:
    """Return at most `most` competitions that the player hosts, and as many that they entered, the newest first."""
    entered = context.competitions.list_entered(player.id, context.now_ms())[:most]
    return {
        "hosted": competition_records.summaries(context, context.competitions.list_hosted(player.id)[:most]),
        "entered": competition_records.summaries(context, entered),
    }


def _competition_json(context: Context, competition: Competition, player: StoredPlayer | None) -> Json:
    """Return the competition as JSON, with the invitation only for its host."""
    host = competition_records.hosts_of(context, [competition]).get(competition.host)
    is_host = player is not None and player.id == competition.host
    invitation = competition.plan.invitation if is_host else None
    return {**competition_records.competition_json(competition, host), "invitation": invitation}


def _change(
    context: Context,
    competition_id: str,
    player: StoredPlayer,
    update: Callable[[Competition], Competition | None],
) -> Json:
    """Apply `update` as `competition_records.change` does, and return the competition as JSON."""
    competition_records.change(context, competition_id, update)
    return _competition_json(context, competition_records.get(context, competition_id), player)


# ------------------------------------------------------------------------------------------------------ entering


def join(
    context: Context, caller: Caller, competition_id: str, invitation: str | None = None, *, mixed: bool = False
) -> Json:
    """Enter the competition, or return from a pause in an arena. Entering again changes nothing.

    Raises: competition/not_found, competition/closed, competition/full, competition/not_for_you,
    competition/invitation, competition/removed, game/not_mixed, limit/competitions, limit/open_games, limit/excluded,
    limit/aborted_games for a rated arena that is running.

    A caller can take LIMIT_SHARE places, or any number with an invitation.
    """
    player = access.must_be_player(context, caller)
    competition = competition_records.get(context, competition_id)
    if competition.entrant_of(player.id) is None:
        entering.must_be_allowed_to_enter(context, competition, player, invitation, mixed=mixed)
        shares.must_have_room(context, shares.holders_of(caller))
    if competition.plan.settings["rated"]:
        is_paired_now = competition.status == RUNNING
        check = access.must_get_rated_games if is_paired_now else access.must_not_be_excluded
        check(context, [player.id])
    points = rated_points(context, player.id, competition.plan.settings)
    most = 0 if competition.plan.invitation is not None else shares.most_of_caller(context)
    share = Share(caller.share, player.id, most)
    return _change(
        context, competition_id, player, lambda one: entering.enter(one, player, points, share, context.now_ms())
    )


def leave(context: Context, caller: Caller, competition_id: str) -> Json:
    """Stop being paired. Before the start, this cancels the entry; in an arena, the player can join again.

    Has no effect if the caller has not entered, or has left. Raises: competition/not_found, competition/closed.
    """
    player = access.must_be_player(context, caller)

    def withdraw(competition: Competition) -> Competition | None:
        entrant = competition.entrant_of(player.id)
        if entrant is None:
            return None
        return _withdraw(competition, entrant, PAUSED if competition.plan.format == ARENA else WITHDRAWN)

    return _change(context, competition_id, player, withdraw)


def _withdraw(competition: Competition, entrant: Entrant, status: str) -> Competition:
    """Return the competition in which the entrant is no longer paired. Raises: competition/closed."""
    if competition.is_over:
        raise GameError("competition/closed", became=competition.status)
    if competition.status == COMING and status != REMOVED:
        return competition.without_entrant(entrant.number)
    return competition if entrant.status == REMOVED else competition.with_entrant(replace(entrant, status=status))


# ------------------------------------------------------------------------------------------------------- hosting


def start(context: Context, caller: Caller, competition_id: str) -> Json:
    """Let a keeper start the competition at once.

    Raises: competition/not_found, auth/host_only, competition/closed, competition/too_few.
    """
    player = access.must_be_player(context, caller)

    def set_start(competition: Competition) -> Competition | None:
        _must_host(competition, player)
        if competition.status != COMING:
            raise GameError("competition/closed", became=competition.status)
        if len(competition.active) < MIN_ENTRANTS:
            raise GameError("competition/too_few")
        return replace(competition, starts_at=min(competition.starts_at or context.now_ms(), context.now_ms()))

    return _change(context, competition_id, player, set_start)


def cancel(context: Context, caller: Caller, competition_id: str) -> None:
    """Cancel the competition: no further pairings; running games continue. Cancelling again changes nothing.

    The operator can do this too. Raises: competition/not_found, auth/host_only, competition/closed.
    """
    if access.is_admin(context, caller):
        cancel_as_staff(context, OPERATOR, competition_id)
    else:
        _cancel(context, competition_id, access.must_be_player(context, caller), None)


def cancel_as_staff(context: Context, actor: Actor, competition_id: str, reason: str | None = None) -> None:
    """Cancel the competition as a member of staff. Raises: competition/not_found, competition/closed."""
    _cancel(context, competition_id, None, LogEntry(actor, "cancel_competition", "competition", competition_id, reason))


def _cancel(context: Context, competition_id: str, player: StoredPlayer | None, entry: LogEntry | None) -> None:
    """Cancel the competition as its host, or as staff with an entry of the audit log."""

    def cancel_once(competition: Competition) -> Competition | None:
        if player is not None:
            _must_host(competition, player)
        if competition.status == OVER:
            raise GameError("competition/closed", became=competition.status)
        if competition.status == CANCELLED:
            return None
        if entry is not None:
            context.moderation.append(entry)
        return progress.cancel(competition, context.now_ms())

    competition_records.change(context, competition_id, cancel_once)


def remove(context: Context, caller: Caller, competition_id: str, word: str) -> None:
    """Remove the player with this id or handle from the competition. They cannot join again.

    Raises: competition/not_found, auth/host_only, competition/closed, competition/not_entered, player/not_found.
    """
    player = access.must_be_player(context, caller)
    _must_host(competition_records.get(context, competition_id), player)
    other = handles.must_find(context, word)

    def remove_entrant(competition: Competition) -> Competition | None:
        entrant = competition.entrant_of(other.id)
        if entrant is None:
            raise GameError("competition/not_entered")
        return _withdraw(competition, entrant, REMOVED)

    competition_records.change(context, competition_id, remove_entrant)


def _must_host(competition: Competition, player: StoredPlayer) -> None:
    if competition.host != player.id:
        raise GameError("auth/host_only")
