"""A session: a game, and the events that are to be appended to its log, written by commands at one time.

It folds as it writes, so a command sees what the events before it have made of the game, and draws that follow a
decision stand in the same session, to be committed together.
"""

from __future__ import annotations

from collections.abc import Callable

from service.games.chance import generator_of_draw
from service.games.errors import GameError
from service.games.events import (
    AbortEvent,
    ActionEvent,
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
from service.games.state.endpoints import pause_after
from service.games.state.model import Game, position_of
from service.games.state.moments import later, unix_ms
from service.games.state.offers import PAUSE, REMATCH, RESUME, TAKEBACK, Offer
from service.games.state.seats import ACTIVE, AWAY, OPEN_SEAT, PLAYER, RESIGNED, TIMED_OUT
from service.games.state.statuses import OPEN, PLAYING
from service.games.state.takebacks import Target
from service.levels import FALLBACK
from service.rulesets.ruleset import IllegalActionError, Position


class GameSession:
    """Commands write at `now` (RFC 3339), or at the moment of the event before, where that is later.

    Many machines write into one log, and their clocks differ; a log whose moments went back could not be replayed.

    Takebacks need `past`, which tells the game at a revision; rematches need `new_id`, which gives out an id.
    """

    def __init__(
        self,
        game: Game,
        now: str,
        past: Callable[[int], Game] | None = None,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        self.before = game
        self.game = game
        self._clock = now
        self.events: list[Event] = []
        self.checkpoints: list[Game] = []
        self._past = past
        self._new_id = new_id

    @property
    def now(self) -> str:
        """The moment of the next event; such texts of one form are in the order of time."""
        return max(self._clock, self.game.updated_at)

    @now.setter
    def now(self, moment: str) -> None:
        self._clock = moment

    @property
    def head(self) -> tuple[int, str]:
        """Revision and moment of the next event."""
        return self.game.revision + 1, self.now

    def add(self, event: Event, after: Position | None = None) -> None:
        """Append an event and fold it; `after`: the position it leads to, where it is known."""
        self.game = fold(self.game, event, after)
        self.events.append(event)
        if self.game.is_checkpoint:
            self.checkpoints.append(self.game)

    # ---------------------------------------------------------------------------------------- seats, start

    def create(self) -> None:
        """The first event of every log; the game starts at once where no seat is open."""
        self.add(CreatedEvent(*self.head))
        self._start_if_full()

    def join(self, seat: int, name: str | None, player: str | None = None) -> None:
        """Somebody takes a seat, also one that was taken; the game starts when no seat is open.

        In a rated game it is a player, who has no other seat.
        """
        self._must_not_be_over()
        if self.game.meta.rated:
            self._must_be_another_player(seat, player)
        taken = self.game.seats[seat]
        if taken.is_out:
            raise GameError(_gone(taken.status))
        if taken.kind != OPEN_SEAT:
            self._must_be_below_limit(MAX_EVENTS if taken.status == AWAY else ROOM)
        self.add(JoinEvent(*self.head, seat=seat, name=name, player=player))
        self._start_if_full()

    def hand_over(self, seat: int, name: str | None) -> None:
        """The seat is somebody else's from now on; the game does not notice."""
        self._must_not_be_over()
        self._must_not_be_rated()
        self._must_be_below_limit(ROOM)
        if self.game.seats[seat].is_out:
            raise GameError(_gone(self.game.seats[seat].status))
        self.add(HandOverEvent(*self.head, seat=seat, name=name))

    def _start_if_full(self) -> None:
        if self.game.status == OPEN and all(seat.kind != OPEN_SEAT for seat in self.game.seats):
            self.start()

    def start(self) -> None:
        """The game starts; AIs of the fallback level fill the seats that are still open."""
        if self.game.status != OPEN:
            raise GameError("game/already_started")
        empty = [number for number, seat in enumerate(self.game.seats) if seat.kind == OPEN_SEAT]
        self.add(StartEvent(*self.head, filled=tuple(Filled(seat, FALLBACK) for seat in empty)))
        self.draw()

    def take_over(self, replayed: Replayed, source: str) -> None:
        """Go on where a record of the game `source` ends."""
        self.game, self.events, self.checkpoints = replayed.game, [*replayed.events], [*replayed.checkpoints]
        self.add(ImportedEvent(*self.head, source=source))
        self.draw()

    # ---------------------------------------------------------------------------------------- moves

    def draw(self) -> None:
        """All draws that are due now, each an event with what it brought."""
        while self.game.status == PLAYING and (position := position_of(self.game)).status == "drawing":
            rng = generator_of_draw(bytes.fromhex(self.game.meta.seed), self.game.revision + 1)
            drawn = position.sample(rng)
            named = self.game.ruleset.wire.name_draw(position.table_state(), drawn)
            effects, after = position.step_draw(drawn)
            self.add(DrawEvent(*self.head, draw=named, effects=effects), after)

    def act(self, seat: int, action: int, *, draw: bool = True) -> None:
        """A decision of a seat, and the draws that follow (unless it is only tried)."""
        self._must_go_on()
        if self.game.to_decide != seat:
            raise GameError("game/not_your_turn", to_decide=self.game.to_decide)
        self._must_be_in_time()
        try:
            effects, after = position_of(self.game).step(action)
        except IllegalActionError as illegal:
            raise GameError("game/illegal_action", reason=illegal.reason) from None
        named = self.game.ruleset.wire.decode(action)
        self.add(ActionEvent(*self.head, seat=seat, action=named, effects=effects), after)
        if draw:
            self.draw()

    def fail(self, reason: str, rule: str | None = None) -> None:
        """The endpoint to decide has not done so: it is asked again later, or the seat is played or lost without it."""
        self._must_go_on()
        seat, endpoint = self.game.to_decide, self.game.endpoint_to_decide
        if seat is None or endpoint is None:
            raise GameError("game/not_your_turn", to_decide=seat)
        failures = self.game.seats[seat].failures + 1
        last = failures >= endpoint.attempts or self.game.revision >= ROOM
        retry_at = None if last else later(self.now, pause_after(failures))
        then = endpoint.on_failure if last else None
        self.add(CallFailedEvent(*self.head, seat, reason=reason, rule=rule, retry_at=retry_at, then=then))

    def resign(self, seat: int) -> None:
        """A seat gives up. With one seat left the game ends; else an AI plays on for it, and it ranks last."""
        self._must_play()
        if self.game.seats[seat].is_out:
            raise GameError(_gone(self.game.seats[seat].status))
        self.add(ResignationEvent(*self.head, seat=seat))

    def abort(self) -> None:
        """The game ends without an outcome: while nobody else would lose by it. A rated one is also lost to an AI."""
        people = self.game.people
        shared = len(people) > 1 or self.game.meta.rated
        if not self.game.is_over and shared and all(self.game.acted[seat] for seat in people):
            raise GameError("game/too_late_to_abort")
        self.end()

    def end(self) -> None:
        """The game ends without an outcome even where somebody would lose by it: the operator's right."""
        self._must_not_be_over()
        self.add(AbortEvent(*self.head))

    # ---------------------------------------------------------------------------------------- time

    def keep_time(self) -> bool:
        """What time alone brings: a pause ends; or the seat to decide loses, or falls to an AI. False: nothing yet."""
        now = unix_ms(self.now)
        if self.game.due_at is None or now < self.game.due_at:
            return False
        if self.game.is_paused:
            self.add(ResumeEvent(*self.head, seat=None))
            return True
        clock, rule = self.game.clock, self.game.meta.clock
        if self.game.deadline is None or clock is None or clock.seat is None or rule is None:
            return False
        self.add(TimeoutEvent(*self.head, seat=clock.seat, then=rule.on_timeout))
        return True

    # ---------------------------------------------------------------------------------------- offers

    def take_back(self, seat: int, target: Target | None) -> None:
        """Offer to return to the position before the seat's last turn."""
        self._must_go_on()
        self._must_not_be_rated()
        self.must_be_active(seat)
        self._must_be_in_time()
        if target is None:
            raise GameError("offer/nothing_to_take_back")
        self._offer(seat, TAKEBACK, to=target.revision, across_draw=target.across_draw)

    def pause(self, seat: int, seconds: int) -> None:
        """Offer a pause of at most so many seconds. In a rated game nobody pauses alone: the clock counts."""
        self._must_go_on()
        if self.game.meta.rated and not self.game.awaiting(Offer(0, PAUSE, seat)):
            raise GameError("game/rated")
        self.must_be_active(seat)
        self._must_be_in_time()
        self._offer(seat, PAUSE, seconds=seconds)

    def resume(self, seat: int) -> None:
        """Offer to go on before the pause is over."""
        self._must_play()
        self.must_be_active(seat)
        if not self.game.is_paused:
            raise GameError("game/not_paused")
        self._offer(seat, RESUME)

    def rematch(self, seat: int) -> None:
        """Offer another game with the same seats."""
        if not self.game.is_over:
            raise GameError("game/not_over")
        if self.game.rematch is None:
            self._offer(seat, REMATCH)

    def _offer(
        self, seat: int, kind: str, *, to: int | None = None, across_draw: bool = False, seconds: int | None = None
    ) -> None:
        """Make the offer, and carry it out where nobody has to agree; the same offer of two seats is agreement."""
        self._must_be_below_limit(MAX_EVENTS if kind in (RESUME, REMATCH) else ROOM)
        for open_offer in self.game.offers:
            if open_offer.seat == seat:
                raise GameError("offer/open", offer=open_offer.id)
            if open_offer.kind == kind != TAKEBACK:
                self.answer(seat, open_offer.id, accept=True)
                return
        if kind != RESUME and (seat, kind) in self.game.declined:
            raise GameError("offer/declined")
        if self.game.awaiting(offer := Offer(0, kind, seat, (), to, across_draw, seconds)):
            self.add(OfferEvent(*self.head, seat, kind, to, across_draw, seconds))
        else:
            self._carry_out(offer)

    def answer(self, seat: int, offer_id: int, *, accept: bool) -> None:
        """Accept an offer or decline it; who made it withdraws it by declining. The last to agree carries it out."""
        offer = next((offer for offer in self.game.offers if offer.id == offer_id), None)
        if offer is None:
            raise GameError("offer/not_found")
        if seat not in self.game.awaiting(offer) and (accept or seat != offer.seat):
            raise GameError("offer/not_asked")
        self._must_be_in_time()
        self.add(AnswerEvent(*self.head, seat=seat, offer=offer_id, accept=accept))
        if accept and not self.game.awaiting(offer.accepted_by(seat)):
            self._carry_out(offer)

    def asked(self, offer_id: int, seats: list[int]) -> int | None:
        """Which of these seats can answer the offer; None if none can, or there is no such offer."""
        for offer in self.game.offers:
            if offer.id == offer_id:
                return next((seat for seat in seats if seat in (*self.game.awaiting(offer), offer.seat)), None)
        return None

    def _carry_out(self, offer: Offer) -> None:
        if offer.kind == TAKEBACK and offer.to is not None and self._past is not None:
            back = position_of(self._past(offer.to))
            view = self.game.ruleset.view(back)
            self.add(TakebackEvent(*self.head, offer.seat, offer.to, offer.across_draw, view), back)
        elif offer.kind == PAUSE and offer.seconds is not None:
            self.add(PauseEvent(*self.head, seat=offer.seat, until=later(self.now, offer.seconds)))
        elif offer.kind == RESUME:
            self.add(ResumeEvent(*self.head, seat=offer.seat))
        elif offer.kind == REMATCH and self._new_id is not None:
            self.add(RematchEvent(*self.head, seat=offer.seat, game_id=self._new_id()))
        else:
            raise ValueError(f"this session cannot carry out {offer}")

    # ---------------------------------------------------------------------------------------- what must hold

    def _must_be_below_limit(self, most: int) -> None:
        """Refuse what is no play once the log has so many events."""
        if self.game.revision >= most:
            raise GameError("game/log_full", limit=most)

    def _must_not_be_over(self) -> None:
        if self.game.is_over:
            raise GameError("game/over")

    def _must_not_be_rated(self) -> None:
        if self.game.meta.rated:
            raise GameError("game/rated")

    def _must_be_another_player(self, seat: int, player: str | None) -> None:
        if player is None:
            raise GameError("auth/player_required")
        if any(other.player == player for number, other in enumerate(self.game.seats) if number != seat):
            raise GameError("game/already_seated")

    def _must_play(self) -> None:
        if self.game.status == OPEN:
            raise GameError("game/not_started")
        self._must_not_be_over()

    def _must_go_on(self) -> None:
        self._must_play()
        if self.game.is_paused:
            raise GameError("game/paused", until=self.game.paused_until)

    def _must_be_in_time(self) -> None:
        deadline = self.game.deadline
        if deadline is not None and unix_ms(self.now) > deadline:
            raise GameError("game/time_is_up")

    def must_be_active(self, seat: int) -> None:
        """Refuse a person for whom an AI plays on."""
        status = self.game.seats[seat].status
        if self.game.seats[seat].kind == PLAYER and status != ACTIVE:
            raise GameError(_gone(status))


def _gone(status: str) -> str:
    """The code for why the seat's person no longer decides."""
    return {RESIGNED: "game/resigned", TIMED_OUT: "game/timed_out", AWAY: "game/away"}[status]
