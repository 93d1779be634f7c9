"""The notices that players of a game get of what has just happened in it.

A notice is for a player, so who has several seats gets one of each type. It is written with the events it tells of and
sent later, maybe too late: a `your_turn` says since when the game has been waiting, and whoever sends it looks whether
it still does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.games.events import Event, OfferEvent, RematchEvent, TimeoutEvent
from service.games.state.model import Game
from service.games.state.statuses import OPEN, PLAYING
from service.games.view import offers
from service.rulesets.wire import Json

GAME_STARTED, YOUR_TURN, OFFER = "game_started", "your_turn", "offer"
SEAT_LOST, GAME_OVER, REMATCH_STARTED = "seat_lost", "game_over", "rematch"
CHALLENGE, CHALLENGE_ANSWERED = "challenge", "challenge_answered"  # of no game
NOTICES = (GAME_STARTED, YOUR_TURN, OFFER, SEAT_LOST, GAME_OVER, REMATCH_STARTED, CHALLENGE, CHALLENGE_ANSWERED)


@dataclass(frozen=True)
class Notice:
    """A notice to a player. `seat`: theirs, the first that it concerns; `more`: the type's own members."""

    player: str
    type: str
    seat: int
    more: Json


def notices(before: Game, game: Game, events: Sequence[Event]) -> list[Notice]:
    """What the events, which have led from one game to the other, are to its players: one of each type at most."""
    by_recipient: dict[tuple[str, str], Notice] = {}
    for kind, seated, seat, more in _every(before, game, events):
        player = seated.seats[seat].player
        if player is not None:
            by_recipient.setdefault((player, kind), Notice(player, kind, seat, more))
    return list(by_recipient.values())


def _every(before: Game, game: Game, events: Sequence[Event]) -> Iterator[tuple[str, Game, int, Json]]:
    """(type, the game in which somebody has the seat, the seat, the type's own members)."""
    everybody = [(seated, seat) for seated in (game, before) for seat in range(len(seated.seats))]
    if before.status == OPEN and game.status == PLAYING:
        yield from ((GAME_STARTED, *seated, {}) for seated in everybody)
    seat = game.person_to_decide
    if seat is not None and _waits_anew(before, game, events):
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


def _waits_anew(before: Game, game: Game, events: Sequence[Event]) -> bool:
    """Whether the player whom the game waits for was not waited for before, or something has changed meanwhile."""
    return _awaited(before) != _awaited(game) or any(event.notifies_again for event in events)


def _awaited(game: Game) -> str | None:
    """The player whom the game waits for."""
    return None if game.person_to_decide is None else game.seats[game.person_to_decide].player
