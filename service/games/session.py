"""A session applies commands to a game and collects the events that a commit appends to the log.

Each event is applied at once, so a command sees the effect of the events before it. An action and the draws that
follow it are committed together.
"""

from __future__ import annotations

from collections.abc import Callable

from service.games.chance import generator_of_draw
from service.games.errors import GameError
from service.games.events import (
    AbortEvent,
    ActionEvent,
    AdjudicationEvent,
    AnswerEvent,
    CallFailedEvent,
    CreatedEvent,
    DrawEvent,
    Event,
    Filled,
    HandOverEvent,
    ImportedEvent,
    JoinEvent,
    OfferEvent,
    PauseEvent,
    RematchEvent,
    ResignationEvent,
    ResumeEvent,
    StartEvent,
    TakebackEvent,
    TimeoutEvent,
)
from service.games.game_export import Replayed
from service.games.log import fold
from service.games.state.bounds import MAX_EVENTS, ROOM
from service.games.state.clocks import LOSE
from service.games.state.endpoints import pause_after
from service.games.state.model import Game, position_of
from service.games.state.moments import add_seconds, unix_ms
from service.games.state.offers import PAUSE, REMATCH, RESUME, TAKEBACK, Offer
from service.games.state.seats import ACTIVE, AWAY, FAILED, OPEN_SEAT, PLAYER, RESIGNED, TIMED_OUT
from service.games.state.statuses import OPEN, PLAYING, TIME
from service.games.state.takebacks import Target
from service.levels import FALLBACK
from service.rulesets.ruleset import IllegalActionError, Position

NOT_DECIDING = {
    RESIGNED: "game/resigned",
    TIMED_OUT: "game/timed_out",
    FAILED: "game/timed_out",  # a bot whose endpoint failed: an AI plays on for it, too
    AWAY: "game/away",
}
"""Error code by the status of a seat whose holder no longer decides."""


class GameSession:
    """A game, the events added to it, and the commands that add them.

    `now`: the current time in RFC 3339. Clocks of servers differ, so no event is earlier than the event before it.
    `past` returns the game at a revision for takebacks, `new_id` a new id for rematches. `retry_pause_s`: see `fail`.

    Commands raise GameError if the game does not allow them.
    """

    def __init__(
        self,
        game: Game,
        now: str,
        past: Callable[[int], Game] | None = None,
        new_id: Callable[[], str] | None = None,
        retry_pause_s: int | None = None,
    ) -> None:
        self.before = game
        self.game = game
        self._clock = now
        self.events: list[Event] = []
        self.checkpoints: list[Game] = []
        self._past = past
        self._new_id = new_id
        self._retry_pause_s = retry_pause_s

    @property
    def current_time(self) -> str:
        """Time of the next event, in RFC 3339. Both operands have the same form, so text order is time order."""
        return max(self._clock, self.game.updated_at)

    @current_time.setter
    def current_time(self, moment: str) -> None:
        self._clock = moment

    @property
    def head(self) -> tuple[int, str]:
        """Revision and time of the next event."""
        return self.game.revision + 1, self.current_time

    def add(self, event: Event, after: Position | None = None) -> None:
        """Append an event and apply it. `after`: the new position, if already known."""
        self.game = fold(self.game, event, after)
        self.events.append(event)
        if self.game.is_checkpoint:
            self.checkpoints.append(self.game)

    # ---------------------------------------------------------------------------------------- seats, start

    def create(self) -> None:
        """Add the first event of the log. The game starts at once if no seat is open."""
        self.add(CreatedEvent(*self.head))
        self._start_if_full()

    def join(self, seat: int, name: str | None, player: str | None = None) -> None:
        """Assign a seat, which may have had a holder before. The game starts when no seat is open.

        In a rated game, the new holder must be a player without another seat.
        """
        self._must_not_be_over()
        if self.game.meta.rated:
            self._must_be_another_player(seat, player)
        self._must_not_be_out(seat)
        claimed = self.game.seats[seat]
        if claimed.kind != OPEN_SEAT:
            self._must_be_below_limit(MAX_EVENTS if claimed.status == AWAY else ROOM)
        self.add(JoinEvent(*self.head, seat=seat, name=name, player=player))
        self._start_if_full()

    def hand_over(self, seat: int, name: str | None) -> None:
        """Give the seat to another holder. The state of play does not change."""
        self._must_not_be_over()
        self._must_not_be_in_competition()
        self._must_not_be_rated()
        self._must_be_below_limit(ROOM)
        self._must_not_be_out(seat)
        self.add(HandOverEvent(*self.head, seat=seat, name=name))

    def _start_if_full(self) -> None:
        if self.game.status == OPEN and all(seat.kind != OPEN_SEAT for seat in self.game.seats):
            self.start()

    def start(self) -> None:
        """Start the game. AIs of the fallback level fill the open seats."""
        if self.game.status != OPEN:
            raise GameError("game/already_started")
        empty = [number for number, seat in enumerate(self.game.seats) if seat.kind == OPEN_SEAT]
        self.add(StartEvent(*self.head, filled=tuple(Filled(seat, FALLBACK) for seat in empty)))
        self.draw()

    def take_over(self, replayed: Replayed, source: str) -> None:
        """Continue an imported game. `source`: the id of the exported game."""
        self.game, self.events, self.checkpoints = replayed.game, [*replayed.events], [*replayed.checkpoints]
        self.add(ImportedEvent(*self.head, source=source))
        self.draw()

    # ---------------------------------------------------------------------------------------- moves

    def draw(self) -> None:
        """Add an event for each draw that is due."""
        while self.game.status == PLAYING and (position := position_of(self.game)).status == "drawing":
            rng = generator_of_draw(bytes.fromhex(self.game.meta.seed), self.game.revision + 1)
            drawn = position.sample(rng)
            draw_json = self.game.ruleset.wire.name_draw(position.table_state(), drawn)
            effects, after = position.step_draw(drawn)
            self.add(DrawEvent(*self.head, draw=draw_json, effects=effects), after)

    def act(self, seat: int, action: int, *, draw: bool = True) -> None:
        """Play an action of a seat, and the draws that follow. A preview passes `draw=False`."""
        self._must_be_running()
        if self.game.to_decide != seat:
            raise GameError("game/not_your_turn", to_decide=self.game.to_decide)
        self._must_be_in_time()
        try:
            effects, after = position_of(self.game).step(action)
        except IllegalActionError as illegal:
            raise GameError("game/illegal_action", reason=illegal.reason) from None
        action_json = self.game.ruleset.wire.decode(action)
        self.add(ActionEvent(*self.head, seat=seat, action=action_json, effects=effects), after)
        if draw:
            self.draw()

    def fail(self, reason: str, rule: str | None = None) -> None:
        """Record a failed call of the endpoint that has to decide.

        The call is retried after `retry_pause_s` or, without it, growing pauses. After the last attempt, the agreed
        consequence applies to the seat, and after its time that of the clock.
        """
        self._must_be_running()
        seat, endpoint = self.game.to_decide, self.game.endpoint_to_decide
        if seat is None or endpoint is None:
            raise GameError("game/not_your_turn", to_decide=seat)
        failures = self.game.seats[seat].failures + 1
        consequence = endpoint.on_failure if failures >= endpoint.attempts or self.game.revision >= ROOM else None
        if self.is_time_up and self.game.meta.clock is not None:
            consequence = self.game.meta.clock.on_timeout
        retry_at = None if consequence else add_seconds(self.current_time, self._retry_pause_s or pause_after(failures))
        is_aborted = consequence == LOSE and self.game.is_aborted_without(seat)
        then = None if is_aborted else consequence
        self.add(CallFailedEvent(*self.head, seat, reason=reason, rule=rule, retry_at=retry_at, then=then))
        if is_aborted:
            self.add(AbortEvent(*self.head, seat=seat, cause=FAILED))

    def resign(self, seat: int) -> None:
        """Resign a seat. If one seat is left, the game ends; otherwise an AI plays for the seat, which ranks last.

        Until every player has decided, it aborts a rated game.
        """
        self._must_be_started()
        self._must_not_be_out(seat)
        aborted = self.game.is_aborted_without(seat)
        self.add(AbortEvent(*self.head, seat, RESIGNED) if aborted else ResignationEvent(*self.head, seat=seat))

    def adjudicate(self, result: str, seat: int | None) -> None:
        """End the game with a result, one of `RESULTS`. `seat`: the winner. Repeating it changes nothing."""
        event = AdjudicationEvent(*self.head, seat, result)
        if self.game.ranks != event.ranks(len(self.game.seats)):
            self._must_be_started()
            self.add(event)

    def abort(self, seat: int | None = None) -> None:
        """End the game without an outcome. `seat`: the host's. Aborting is leaving if the game is rated.

        Refused once all people have acted, if there are several of them or the game is rated.
        """
        people = self.game.people
        shared = len(people) > 1 or self.game.meta.rated
        if not self.game.is_over and shared and all(self.game.acted[person] for person in people):
            raise GameError("game/too_late_to_abort")
        if self.game.status == PLAYING and seat is not None and self.game.is_aborted_without(seat):
            self.resign(seat)
        else:
            self.end()

    def end(self) -> None:
        """End the game without an outcome at any time. Only the operator may do this."""
        self._must_not_be_over()
        self.add(AbortEvent(*self.head))

    # ---------------------------------------------------------------------------------------- time

    def keep_time(self) -> bool:
        """Resume an expired pause, or apply the time-out of the seat to decide. Return False if neither is due."""
        if self.game.due != TIME or self.game.due_at is None or unix_ms(self.current_time) < self.game.due_at:
            return False
        if self.game.is_paused:
            self.add(ResumeEvent(*self.head, seat=None))
            return True
        clock, rule = self.game.clock, self.game.meta.clock
        if self.game.deadline is None or clock is None or clock.seat is None or rule is None:
            return False
        if rule.on_timeout == LOSE and self.game.is_aborted_without(clock.seat):
            self.add(AbortEvent(*self.head, clock.seat, TIMED_OUT))
        else:
            self.add(TimeoutEvent(*self.head, seat=clock.seat, then=rule.on_timeout))
        return True

    # ---------------------------------------------------------------------------------------- offers

    def take_back(self, seat: int, target: Target | None) -> None:
        """Offer to return to the position before the seat's last turn."""
        self._must_be_running()
        self._must_not_be_in_competition()
        self._must_not_be_rated()
        self.must_be_active(seat)
        self._must_be_in_time()
        if target is None:
            raise GameError("offer/nothing_to_take_back")
        self._offer(seat, TAKEBACK, to=target.revision, across_draw=target.across_draw)

    def pause(self, seat: int, seconds: int) -> None:
        """Offer a pause of up to `seconds`. In a rated game, another person must accept it."""
        self._must_be_running()
        self._must_not_be_in_competition()
        if not self.game.pending_seats(Offer(0, PAUSE, seat)):
            self._must_not_be_rated()
        self.must_be_active(seat)
        self._must_be_in_time()
        self._offer(seat, PAUSE, seconds=seconds)

    def resume(self, seat: int) -> None:
        """Offer to resume the game before the pause ends."""
        self._must_be_started()
        self.must_be_active(seat)
        if not self.game.is_paused:
            raise GameError("game/not_paused")
        self._offer(seat, RESUME)

    def rematch(self, seat: int) -> None:
        """Offer another game with the same seats. Do nothing if there is a rematch."""
        if not self.game.is_over:
            raise GameError("game/not_over")
        if self.game.rematch is None:
            self._offer(seat, REMATCH)

    def _offer(
        self, seat: int, kind: str, *, to: int | None = None, across_draw: bool = False, seconds: int | None = None
    ) -> None:
        """Make an offer, or carry it out if nobody has to accept it. An equal offer of another seat is accepted."""
        self._must_be_below_limit(MAX_EVENTS if kind in (RESUME, REMATCH) else ROOM)
        for open_offer in self.game.offers:
            if open_offer.seat == seat:
                raise GameError("offer/open", offer=open_offer.id)
            if open_offer.kind == kind != TAKEBACK:
                self.answer(seat, open_offer.id, accept=True)
                return
        if kind != RESUME and (seat, kind) in self.game.declined:
            raise GameError("offer/declined")
        if self.game.pending_seats(offer := Offer(0, kind, seat, (), to, across_draw, seconds)):
            self.add(OfferEvent(*self.head, seat, kind, to, across_draw, seconds))
        else:
            self._carry_out(offer)

    def answer(self, seat: int, offer_id: int, *, accept: bool) -> None:
        """Accept or decline an offer. Its author withdraws it by declining. The last acceptance carries it out."""
        offer = next((offer for offer in self.game.offers if offer.id == offer_id), None)
        if offer is None:
            raise GameError("offer/not_found")
        if seat not in self.game.pending_seats(offer) and (accept or seat != offer.seat):
            raise GameError("offer/not_asked")
        self._must_be_in_time()
        self.add(AnswerEvent(*self.head, seat=seat, offer=offer_id, accept=accept))
        if accept and not self.game.pending_seats(offer.accepted_by(seat)):
            self._carry_out(offer)

    def drop_offer(self, offer: Offer) -> None:
        """Withdraw an offer that has lapsed."""
        self.add(AnswerEvent(*self.head, seat=offer.seat, offer=offer.id, accept=False))

    def answering_seat(self, offer_id: int, seats: list[int]) -> int | None:
        """Return the first of the seats that can answer or withdraw the offer, or None."""
        for offer in self.game.offers:
            if offer.id == offer_id:
                return next((seat for seat in seats if seat in (*self.game.pending_seats(offer), offer.seat)), None)
        return None

    def _carry_out(self, offer: Offer) -> None:
        if offer.kind == TAKEBACK and offer.to is not None and self._past is not None:
            restored = position_of(self._past(offer.to))
            view = self.game.ruleset.view(restored)
            self.add(TakebackEvent(*self.head, offer.seat, offer.to, offer.across_draw, view), restored)
        elif offer.kind == PAUSE and offer.seconds is not None:
            self.add(PauseEvent(*self.head, seat=offer.seat, until=add_seconds(self.current_time, offer.seconds)))
        elif offer.kind == RESUME:
            self.add(ResumeEvent(*self.head, seat=offer.seat))
        elif offer.kind == REMATCH and self._new_id is not None:
            self.add(RematchEvent(*self.head, seat=offer.seat, game_id=self._new_id()))
        else:
            raise ValueError(f"the session needs `past` or `new_id` to carry out {offer}")

    # ---------------------------------------------------------------------------------------- conditions

    def _must_be_below_limit(self, max_events: int) -> None:
        if self.game.revision >= max_events:
            raise GameError("game/log_full", limit=max_events)

    def _must_not_be_over(self) -> None:
        if self.game.is_over:
            raise GameError("game/over")

    def _must_not_be_in_competition(self) -> None:
        if self.game.meta.competition is not None:
            raise GameError("game/in_competition")

    def _must_not_be_rated(self) -> None:
        if self.game.meta.rated:
            raise GameError("game/rated")

    def _must_be_another_player(self, seat: int, player: str | None) -> None:
        if player is None:
            raise GameError("auth/player_required")
        if any(other.player == player for number, other in enumerate(self.game.seats) if number != seat):
            raise GameError("game/already_seated")

    def _must_be_started(self) -> None:
        if self.game.status == OPEN:
            raise GameError("game/not_started")
        self._must_not_be_over()

    def _must_be_running(self) -> None:
        self._must_be_started()
        if self.game.is_paused:
            raise GameError("game/paused", until=self.game.paused_until)

    @property
    def is_time_up(self) -> bool:
        """Whether the seat to decide has no time left."""
        return self.game.deadline is not None and unix_ms(self.current_time) >= self.game.deadline

    def _must_be_in_time(self) -> None:
        deadline = self.game.deadline
        if deadline is not None and unix_ms(self.current_time) > deadline:
            raise GameError("game/time_is_up")

    def _must_not_be_out(self, seat: int) -> None:
        if self.game.seats[seat].is_out:
            raise GameError(NOT_DECIDING[self.game.seats[seat].status])

    def must_be_active(self, seat: int) -> None:
        """Raise GameError if an AI plays for the person of the seat."""
        status = self.game.seats[seat].status
        if self.game.seats[seat].kind == PLAYER and status != ACTIVE:
            raise GameError(NOT_DECIDING[status])
