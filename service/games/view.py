"""A game as everybody may see it: the same for every viewer, so that its ETag is the revision."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from service.games.state.model import Game
from service.games.state.moments import later, rfc3339, unix_ms
from service.games.state.seats import AWAY, FAILED, HTTP, TIMED_OUT
from service.games.state.statuses import FINISHED
from service.rulesets.ruleset import Json

SPARE_S = 86_400  # a game is kept for so long after a time that must come in it, where its own life is not shorter


@dataclass(frozen=True)
class Lifetimes:
    """What the operator allows, in seconds: how long a game is kept after its last event, when a person is gone."""

    game_s: int
    finished_s: int
    gone_s: int

    def of(self, game: Game) -> int:
        """How long this game is kept after its last event: no clock and no pause outlasts it."""
        if game.is_over:
            return self.finished_s
        waits_s = 0 if not game.due_at else (game.due_at - unix_ms(game.updated_at)) // 1000
        return max(self.game_s, waits_s + min(self.game_s, SPARE_S))


def outcome(game: Game) -> Json | None:
    """How it ended, by seat; None before the end. Who resigned or ran out of time ranks behind all who did not."""
    if game.status != FINISHED or game.position is None:
        return None
    results = game.position.outcome()
    order = [(game.seats[seat].is_out, result.rank) for seat, result in enumerate(results)]
    ranks = [1 + sum(other < own for other in order) for own in order]
    seats = [
        {"score": result.score, "rank": rank, "won": rank == 1, "breakdown": dict(result.breakdown)}
        for result, rank in zip(results, ranks, strict=True)
    ]
    return {"reason": _reason(game), "seats": seats}


def _reason(game: Game) -> str:
    if game.position is not None and game.position.status == "over":
        return "completed"
    seen = {seat.status for seat in game.seats}
    return "timeout" if TIMED_OUT in seen else "failure" if FAILED in seen else "resignation"


def replaceable_at(game: Game, number: int, gone_s: int) -> str | None:
    """From when on somebody else may claim the seat of a person who does not come; None where nobody may.

    Where the clock has given the seat to an AI, from then on. Where there is no clock, when the game has waited for
    the person for `gone_s` seconds.
    """
    seat = game.seats[number]
    if seat.status == AWAY:
        return None if game.is_over else seat.away_at
    if game.clock is None and game.person_to_decide == number:
        return later(game.waiting_since, gone_s)
    return None


def _endpoint(game: Game, number: int) -> Json | None:
    """The state of a seat's endpoint; its URL is shown to nobody."""
    seat = game.seats[number]
    agreed = game.meta.endpoints[number] if seat.kind == HTTP and game.meta.endpoints else None
    if agreed is None:
        return None
    health = "down" if not seat.is_called else "failing" if seat.failures else "ok"
    return {
        "health": health,
        **{name: getattr(seat, name) for name in ("failures", "failure", "rule", "retry_at")},
        **{name: getattr(agreed, name) for name in ("timeout_s", "attempts", "on_failure")},
    }


def offers(game: Game) -> list[Json]:
    """The offers that wait for answers, each with the seats that must give one."""
    return [{**asdict(offer), "awaiting": game.awaiting(offer)} for offer in game.offers]


def _clock(game: Game) -> Json | None:
    rule, clock = game.meta.clock, game.clock
    if rule is None or clock is None:
        return None
    deadline = game.deadline
    return {
        **asdict(rule),
        "banks": [left / 1000 for left in clock.banks],
        "seat": clock.seat,
        "deadline": None if deadline is None else rfc3339(deadline),
    }


def summary(game: Game, lifetimes: Lifetimes) -> Json:
    """What a listing shows of a game."""
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
        "seats": seats,
        "to_decide": game.to_decide,
        "clock": _clock(game),
        "paused_until": game.paused_until,
        "created_at": game.meta.created_at,
        "updated_at": game.updated_at,
        "expires_at": later(game.updated_at, lifetimes.of(game)),
    }


def view(game: Game, lifetimes: Lifetimes) -> Json:
    """The game with all that lies on the table."""
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
