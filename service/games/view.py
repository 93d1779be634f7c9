"""The public view of a game. It is the same for every viewer, so its ETag is the revision."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from service.games.state.model import Game
from service.games.state.moments import add_seconds, rfc3339, unix_ms
from service.games.state.seats import AWAY, FAILED, HTTP, TIMED_OUT
from service.games.state.statuses import FINISHED
from service.rulesets.ruleset import Json

SPARE_S = 86_400  # maximum time a game is kept after a deadline or pause in it


@dataclass(frozen=True)
class Lifetimes:
    """Lifetimes set by the operator, in seconds.

    `game_s` and `finished_s`: how long a game is kept after its last event. `gone_s`: how long an untimed game waits
    for a person before their seat can be claimed.
    """

    game_s: int
    finished_s: int
    gone_s: int

    def retention_s(self, game: Game) -> int:
        """Return how long the game is kept after its last event, at least until its clock or pause expires."""
        if game.is_over:
            return self.finished_s
        waits_s = 0 if not game.due_at else (game.due_at - unix_ms(game.updated_at)) // 1000
        return max(self.game_s, waits_s + min(self.game_s, SPARE_S))


def outcome(game: Game) -> Json | None:
    """Return the results by seat, or None before the end. Seats that are out rank behind the others.

    The ranks of an adjudicated game do not depend on its position.
    """
    if game.status != FINISHED or game.position is None:
        return None
    results = game.position.outcome()
    order = [(game.seats[seat].is_out, result.rank) for seat, result in enumerate(results)]
    ranks = game.ranks or [1 + sum(other < own for other in order) for own in order]
    seats = [
        {"score": result.score, "rank": rank, "won": rank == 1, "breakdown": dict(result.breakdown)}
        for result, rank in zip(results, ranks, strict=True)
    ]
    return {"reason": _reason(game), "seats": seats}


def _reason(game: Game) -> str:
    if game.ranks is not None:
        return "adjudication"
    if game.position is not None and game.position.status == "over":
        return "completed"
    statuses = {seat.status for seat in game.seats}
    return "timeout" if TIMED_OUT in statuses else "failure" if FAILED in statuses else "resignation"


def replaceable_at(game: Game, number: int, gone_s: int) -> str | None:
    """Return when others may claim the seat of an absent person, or None if they cannot.

    With a clock, since an AI plays for the person. Without a clock, after the game has waited `gone_s` seconds.
    """
    seat = game.seats[number]
    if seat.status == AWAY:
        return None if game.is_over else seat.away_at
    if game.clock is None and game.person_to_decide == number:
        return add_seconds(game.waiting_since, gone_s)
    return None


def _endpoint(game: Game, number: int) -> Json | None:
    """Return the state of a seat's endpoint without its URL."""
    seat = game.seats[number]
    endpoint = game.meta.endpoints[number] if seat.kind == HTTP and game.meta.endpoints else None
    if endpoint is None:
        return None
    health = "down" if not seat.is_called else "failing" if seat.failures else "ok"
    return {
        "health": health,
        **{name: getattr(seat, name) for name in ("failures", "failure", "rule", "retry_at")},
        **{name: getattr(endpoint, name) for name in ("timeout_s", "attempts", "on_failure")},
    }


def offers(game: Game) -> list[Json]:
    """Return the open offers, each with the seats that must answer it."""
    return [
        {
            **{name: value for name, value in asdict(offer).items() if name != "at"},
            "awaiting": game.pending_seats(offer),
            "ends_at": rfc3339(game.offer_ends_ms(offer)),
        }
        for offer in game.offers
    ]


def _clock(game: Game) -> Json | None:
    rule, clock = game.meta.clock, game.clock
    if rule is None or clock is None:
        return None
    deadline = game.deadline
    return {
        **asdict(rule),
        "banks": [bank_ms / 1000 for bank_ms in clock.banks],
        "seat": clock.seat,
        "deadline": None if deadline is None else rfc3339(deadline),
    }


def summary(game: Game, lifetimes: Lifetimes) -> Json:
    """Return the game as shown in lists."""
    scores = (None,) * len(game.seats) if game.position is None else game.position.scores
    seats = [
        {
            "kind": seat.kind,
            "name": seat.name,
            "level": seat.level,
            "player": seat.player,
            "status": seat.status,
            "score": score,
            "replaceable_at": replaceable_at(game, number, lifetimes.gone_s),
            "endpoint": _endpoint(game, number),
        }
        for number, (seat, score) in enumerate(zip(game.seats, scores, strict=True))
    ]
    return {
        "id": game.meta.id,
        "ruleset": game.meta.ruleset,
        "ruleset_version": game.meta.ruleset_version if game.base is None else game.base.ruleset_version,
        "variant": game.meta.variant,
        "visibility": game.meta.visibility,
        "revision": game.revision,
        "status": game.status,
        "fair": game.fair,
        "from_position": game.meta.position is not None,
        "help": game.meta.help,
        "rated": game.meta.rated,
        "mixed": game.meta.mixed,
        "competition": game.meta.competition,
        "seats": seats,
        "to_decide": game.to_decide,
        "clock": _clock(game),
        "paused_until": game.paused_until,
        "created_at": game.meta.created_at,
        "updated_at": game.updated_at,
        "expires_at": add_seconds(game.updated_at, lifetimes.retention_s(game)),
    }


def view(game: Game, lifetimes: Lifetimes) -> Json:
    """Return the complete view of a game."""
    return {
        **summary(game, lifetimes),
        "position": None if game.position is None else game.ruleset.view(game.position),
        "outcome": outcome(game),
        "offers": offers(game),
        "rematch_of": game.meta.rematch_of,
        "rematch": game.rematch,
        "seed_commitment": game.meta.seed_commitment,
        "seed": game.meta.seed if game.is_over else None,
    }
