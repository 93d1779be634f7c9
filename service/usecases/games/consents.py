"""Consent given in advance: it counts only while the player is free to play.

Players agree in advance with an offer in a game, a seat of a game that has not started, a seek or a challenge. Consent
to a game with a live clock ends when its player starts another such game. All consent lapses after three days. A
published bot plays as many games as it has places for. See `service.storage.matchmaking.starts`.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.games.errors import GameError
from service.games.events import AnswerEvent, JoinEvent, RematchEvent, ResumeEvent
from service.games.session import GameSession
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.offers import Offer
from service.games.state.seats import HTTP, PLAYER
from service.games.state.statuses import PLAYING
from service.storage.matchmaking.starts import LAPSED, LONGEST_CONSENT_MS, NO_PLACE, Start
from service.usecases.base import access, published_bots, replaying, repository
from service.usecases.base.context import Context
from service.usecases.games.commands import Invocation


def record_start(context: Context, game: Game) -> None:
    """Record the start of a game that was paired, which ends the earlier consent of its people."""
    if game.is_live and game.status == PLAYING:
        consents = published_bots.consents_of(context, dict.fromkeys(_players(game)))
        people = [consent for consent in consents if consent.places is None]
        context.starts.begin(_start(context, game, game.meta.id, is_live=True), people)


def enter(context: Context, session: GameSession, player_id: str | None) -> None:
    """Record that a player takes a seat or starts the game, and that all players start it, if this change does.

    Players who take a seat of a rated game must get rated games now, and so must all its players when it starts.

    Raises: limit/excluded, limit/aborted_games, bot/busy, game/not_ready if a player who has joined earlier is no
    longer free.
    """
    before, game = session.before, session.game
    starts = before.status != PLAYING and game.status == PLAYING
    if game.meta.rated:
        checked_before = () if starts or not before.revision else _players(before)
        access.must_get_rated_games(context, {*_players(game)} - {*checked_before})
    agreed: dict[str, int | None] = {**_seated_since(context, before)} if starts else {}
    if player_id is not None and player_id in _players(game):
        agreed[player_id] = None
    if agreed:
        is_live = game.is_live and game.status == PLAYING
        _begin(context, _start(context, game, game.meta.id, is_live=is_live), agreed, GameError("game/not_ready"))


def _seated_since(context: Context, game: Game) -> dict[str, int]:
    """Return when each seated player has agreed to start the game. A player who follows it agrees now."""
    since = dict.fromkeys(_players(game), unix_ms(game.meta.created_at))
    for event in replaying.events_of(context, game.meta.id, 0, game.revision) if since else ():
        if isinstance(event, JoinEvent) and event.player in since:
            since[event.player] = unix_ms(event.at)
    present = {game.seats[number].player for number in context.presence.seats(game.meta.id, context.now_ms())}
    return {player: context.now_ms() if player in present else at for player, at in since.items()}


def drop_lapsed(invocation: Invocation) -> None:
    """Drop the offers of the game that have lapsed."""
    context, session = invocation.context, invocation.session
    game, now = session.game, context.now_ms()
    if not game.offers:
        return
    started = context.starts.last_live(_players(game)) if game.is_live else {}
    for offer in game.offers:
        agreed = _agreed_since(context, game, offer)
        if now >= game.offer_ends_ms(offer) or any(started.get(player, 0) > at for player, at in agreed.items()):
            session.drop_offer(offer)


def _agreed_since(context: Context, game: Game, offer: Offer) -> dict[str, int]:
    """Return when the players of an offer have made or accepted it."""
    seats = {offer.seat: game.offer_made_ms(offer)}
    for event in replaying.events_of(context, game.meta.id, offer.id, game.revision) if offer.accepted else ():
        if isinstance(event, AnswerEvent) and event.offer == offer.id:
            seats[event.seat] = unix_ms(event.at)
    return {player: at for seat, at in seats.items() if (player := game.seats[seat].player) is not None}


def confirm(invocation: Invocation) -> None:
    """Check and record the consent to what the command has changed: a rematch, or the end of a pause.

    Raises: player/blocked, bot/busy, bot/declines, game/stale_revision if an offer has lapsed in the meantime.
    """
    context, session = invocation.context, invocation.session
    before, game = session.before, session.game
    events = [event for event in session.events if not (isinstance(event, AnswerEvent) and not event.accept)]
    if game.is_over and events and context.players.blocks_among(_players(game)):
        raise GameError("player/blocked")
    for event in events:
        if isinstance(event, RematchEvent):
            _must_suit_bots(context, game)
        elif not isinstance(event, ResumeEvent) or event.seat is None:
            continue
        accepted = {event.offer for event in events if isinstance(event, AnswerEvent)}
        agreed: dict[str, int | None] = dict.fromkeys(_players(game))
        for offer in before.offers:
            if offer.id in accepted:
                agreed |= _agreed_since(context, before, offer)
        callers = {game.seats[seat].player for seat in access.seats_of(invocation.roles)}
        agreed |= {player: None for player in agreed if player in callers}
        new_id = event.game_id if isinstance(event, RematchEvent) else game.meta.id
        start = _start(context, game, new_id, is_live=game.is_live)
        scope = f"{game.meta.id} {min(accepted, default=before.revision)}"
        stale = repository.stale_error(before.revision)  # the retry drops an offer that has just lapsed
        _begin(context, start._replace(scope=scope), agreed, stale)


def must_not_keep_waiting(game: Game) -> None:
    """Raise bot/declines for a pause of a game with a called bot: a place of the bot would stay taken."""
    if any(seat.kind == HTTP and seat.player is not None for seat in game.seats):
        raise GameError("bot/declines", errors={"/seconds": "games with a called bot cannot be paused"})


def _must_suit_bots(context: Context, game: Game) -> None:
    """Raise bot/declines unless the called bots of the game accept another one with the same settings."""
    called = [seat.player for seat in game.seats if seat.kind == HTTP and seat.player is not None]
    if not called:
        return
    people = [seat.player for seat in game.seats if seat.kind == PLAYER and seat.player is not None]
    opponents = [player for player in context.players.get_many(people) if player is not None]
    meta, published = game.meta, published_bots.find_published(context, filter(None, context.players.get_many(called)))
    clock = None if meta.clock is None else vars(meta.clock)
    settings = {"ruleset": meta.ruleset, "seats": len(game.seats), "rated": meta.rated, "clock": clock}
    for bot_id in called:
        if bot_id not in published or not opponents:
            raise GameError("bot/declines", errors={"": "this bot is not published, or it plays against nobody"})
        for opponent in opponents:
            published_bots.must_accept(context, published[bot_id], opponent, settings)


def _players(game: Game) -> list[str]:
    return [*dict.fromkeys(seat.player for seat in game.seats if seat.player is not None)]


def _start(context: Context, game: Game, game_id: str, *, is_live: bool) -> Start:
    return Start(game.meta.id, game_id, is_live, context.now_ms(), context.settings.game_ttl_s)


def _begin(context: Context, start: Start, agreed: Mapping[str, int | None], lapsed: GameError) -> None:
    """Record the start of a game. Raises: bot/busy, and `lapsed` if a player is no longer free."""
    is_too_old = any(at is not None and at + LONGEST_CONSENT_MS <= start.now_ms for at in agreed.values())
    word = LAPSED if is_too_old else context.starts.begin(start, published_bots.consents_of(context, agreed))
    if word == NO_PLACE:
        raise GameError("bot/busy")
    if word == LAPSED:
        raise lapsed
