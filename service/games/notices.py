"""Notices to the players of a game about new events.

A player with several seats gets at most one notice of each type. Notices are stored with the events and sent later. A
`your_turn` contains the time since when the game waits, so that the sender can drop it if the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.games.events import Event, OfferEvent, RematchEvent, TimeoutEvent
from service.games.state.endpoints import ENDPOINT_DISABLED
from service.games.state.model import Game
from service.games.state.statuses import OPEN, PLAYING, ROUNDS_CHANGED
from service.games.view import offers
from service.rulesets.wire import Json

GAME_STARTED, YOUR_TURN, OFFER = "game_started", "your_turn", "offer"
SEAT_LOST, GAME_OVER, REMATCH_STARTED = "seat_lost", "game_over", "rematch"
CHALLENGE, CHALLENGE_ANSWERED = "challenge", "challenge_answered"  # sent without a game
NOTICES = (
    *(GAME_STARTED, YOUR_TURN, OFFER, SEAT_LOST, GAME_OVER, REMATCH_STARTED),
    *(CHALLENGE, CHALLENGE_ANSWERED, ROUNDS_CHANGED, ENDPOINT_DISABLED),
)


@dataclass(frozen=True)
class Notice:
    """A notice to a player. `seat`: the first of their seats that it concerns. `more`: members of this type only."""

    player: str
    type: str
    seat: int
    more: Json


def notices(before: Game, game: Game, events: Sequence[Event]) -> list[Notice]:
    """Return the notices about the events that changed the game from `before`: at most one per player and type."""
    by_recipient: dict[tuple[str, str], Notice] = {}
    for kind, seated, seat, more in _candidates(before, game, events):
        player = seated.seats[seat].player
        if player is not None:
            by_recipient.setdefault((player, kind), Notice(player, kind, seat, more))
    return list(by_recipient.values())


def _candidates(before: Game, game: Game, events: Sequence[Event]) -> Iterator[tuple[str, Game, int, Json]]:
    """Yield (type, game in which the recipient has the seat, seat, members of the type)."""
    everybody = [(seated, seat) for seated in (game, before) for seat in range(len(seated.seats))]
    if before.status == OPEN and game.status == PLAYING:
        yield from ((GAME_STARTED, *seated, {}) for seated in everybody)
    seat = game.person_to_decide
    if seat is not None and _is_new_turn(before, game, events):
        yield YOUR_TURN, game, seat, {"since": game.waiting_since}
    for event in events:
        if isinstance(event, OfferEvent):
            for offer in (offer for offer in offers(game) if offer["id"] == event.revision):
                yield from ((OFFER, game, seat, {"offer": offer}) for seat in offer["awaiting"])
        elif isinstance(event, TimeoutEvent):
            yield SEAT_LOST, before, event.seat, {"then": event.then}
        elif isinstance(event, RematchEvent):
            yield from ((REMATCH_STARTED, *seated, {"game_id": event.game_id}) for seated in everybody)
    if game.is_over and not before.is_over:
        yield from ((GAME_OVER, *seated, {}) for seated in everybody)


def _is_new_turn(before: Game, game: Game, events: Sequence[Event]) -> bool:
    """Return whether another player has to decide, or the same player must be notified again."""
    return _awaited_player(before) != _awaited_player(game) or any(event.notifies_again for event in events)


def _awaited_player(game: Game) -> str | None:
    return None if game.person_to_decide is None else game.seats[game.person_to_decide].player
