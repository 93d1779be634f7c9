"""Create the game of a pairing. This module loads the rules, so keepers import it only when necessary."""

from __future__ import annotations

import secrets
from collections.abc import Container

from service.games.chance import SEED_BYTES
from service.games.state.clocks import ClockRule
from service.games.state.model import Meta
from service.games.state.moments import rfc3339
from service.games.state.seats import AI, HTTP, PLAYER, SEAT, Seat
from service.levels import FALLBACK
from service.rulesets.registry import RULESETS
from service.storage.matchmaking.seeks import Pairing, Partner
from service.usecases.base import published_bots
from service.usecases.base.context import Context
from service.usecases.games import new_games


def create(context: Context, pairing: Pairing) -> None:
    """Create the game. Its first seat is drawn unless the pairing determines it.

    A rated game is public, and a game of a competition has the competition's visibility; any other is unlisted. An AI
    replaces a player who was deleted. A bot with an endpoint gets a seat of kind `http`.

    Raises `GameExistsError`.
    """
    settings, clock = pairing.settings, pairing.settings["clock"]
    ids = [partner.player for partner in pairing.partners if partner.player is not None]
    players = {player.id: player for player in context.players.get_many(ids) if player is not None}
    bots = published_bots.find_published(context, players.values())
    endpoint_by_bot = {name: published_bots.endpoint_of(bot, rated=settings["rated"]) for name, bot in bots.items()}
    endpoints = tuple(endpoint_by_bot.get(partner.player or "") for partner in pairing.partners)
    seats = tuple(
        _seat(partner, players, HTTP if endpoint else PLAYER)
        for partner, endpoint in zip(pairing.partners, endpoints, strict=True)
    )
    meta = Meta(
        id=pairing.game_id,
        ruleset=settings["ruleset"],
        ruleset_version=RULESETS[settings["ruleset"]].version,
        variant=settings["variant"],
        visibility="public" if settings.get("public", settings["rated"]) else "unlisted",
        first_seat=settings.get("first_seat"),
        seed=secrets.token_bytes(SEED_BYTES).hex(),
        fair=True,
        created_at=rfc3339(context.now_ms()),
        seats=seats,
        clock=published_bots.default_clock(bots.values()) if clock is None else ClockRule(**clock),
        help=settings.get("help", not settings["rated"]),
        endpoints=endpoints if any(endpoints) else (),
        rated=settings["rated"],
        mixed=settings["rated"] and published_bots.is_mixed(players.values()),
        competition=settings.get("competition"),
    )
    holders = {f"player:{seat.player}": f"{SEAT}{number}" for number, seat in enumerate(seats) if seat.player}
    new_games.store(context, new_games.new_session(meta), holders)


def _seat(partner: Partner, players: Container[str | None], kind: str) -> Seat:
    if partner.player in players:
        return Seat(kind, partner.name, FALLBACK if kind == HTTP else None, partner.player)
    return Seat(AI, None, partner.level or FALLBACK)
