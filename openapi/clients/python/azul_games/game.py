"""One game: what lies on the table, what may be done, doing it, and following it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from azul_games.bodies import read
from azul_games.connection import LONG_POLL_S, Connection
from azul_games.errors import ServiceError, TaskFailedError, answered
from azul_games.events import OVER, Event, follow
from azul_games_client import AuthenticatedClient
from azul_games_client.api.actions import list_legal_actions, submit_action
from azul_games_client.api.analyses import analyse_game, get_analysis
from azul_games_client.api.games import get_game, resign_game
from azul_games_client.api.offers import request_takeback
from azul_games_client.api.pictures import get_board
from azul_games_client.models import (
    ActRequest,
    AnalysedAction,
    AnalyseGameRequest,
    Analysis,
    Decided,
    LegalAction,
    LegalActions,
    Review,
    SeatDecideRequest,
)
from azul_games_client.models import Game as View


class Game:
    """A game of a service. `view`: how it stood when it was last heard of; every method that learns more renews it."""

    def __init__(self, connection: Connection, game_id: str, view: View | None = None) -> None:
        self._connection = connection
        self.id = game_id
        tokens = connection.tokens.of(game_id)
        self.seats: dict[int, str] = {int(seat): token for seat, token in tokens.get("seats", {}).items()}
        """Ours, by number, with the token of each."""
        self._reads_by = next(iter(self.seats.values()), tokens.get("host") or tokens.get("watch"))
        self.view: View = view or self.refresh()

    # ------------------------------------------------------------------------------------------- how it stands

    @property
    def is_over(self) -> bool:
        """Whether it is finished or aborted."""
        return self.view.status in OVER

    @property
    def is_my_turn(self) -> bool:
        """Whether a seat of ours is to decide."""
        return self.view.to_decide in self.seats and not self.is_over

    @property
    def position(self) -> dict[str, Any]:
        """What lies on the table, as JSON; empty before the start."""
        return {} if self.view.position is None else self.view.position.to_dict()

    def refresh(self) -> View:
        """Ask how it stands now."""
        self.view = answered(View, get_game.sync_detailed(self.id, client=self._client()))
        return self.view

    def wait(self) -> bool:
        """Wait until a seat of ours is to decide (True) or the game is over (False)."""
        while not (self.is_over or self.is_my_turn):
            seen = f'"{self.view.revision}"'
            answer = get_game.sync_detailed(self.id, client=self._client(), wait=LONG_POLL_S, if_none_match=seen)
            if isinstance(answer.parsed, View):  # else nothing has happened for so long
                self.view = answer.parsed
        return not self.is_over

    def events(self, after: int | None = None) -> Iterator[Event]:
        """A snapshot and then each event, until the game is over; only events where `after` names a revision.

        Connections that break are taken up again. What was decided meanwhile may be ahead of the events: `view` is
        always the newest, `event.game` the one that the event left.
        """
        for event in follow(self._client().get_httpx_client(), self.id, after):
            self._see(event.game)
            yield event

    # ------------------------------------------------------------------------------------------- deciding

    def legal_actions(self, **fields: Any) -> list[LegalAction]:
        """What the seat to decide may do, of all pages. `fields`: only actions that say so, as in `source="centre"`.

        TypeError for a field that no action has.
        """
        if "type" in fields:
            fields["type_"] = fields.pop("type")
        found: list[LegalAction] = []
        while True:
            asked = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
            page = answered(
                LegalActions,
                list_legal_actions.sync_detailed(self.id, client=self._client(), **asked),  # type: ignore[arg-type]  # by name
            )
            found += page.actions
            if page.next_cursor is None:
                return found
            fields["cursor"] = page.next_cursor

    def play(self, action: LegalAction | Mapping[str, Any] | str | None = None, **fields: Any) -> Decided:
        """Decide, on the revision of `view`: by a legal action, by its id, or by its fields.

        ServiceError: 409 not now, not ours, or not legal (`problem["reason"]`); 412 somebody was faster, and `view`
        is then renewed. ValueError for fields that are an action of no ruleset.
        """
        if isinstance(action, LegalAction):
            named: dict[str, Any] = {"id": action.id}
        else:
            named = {"id": action} if isinstance(action, str) else {"action": dict(action or fields)}
        body = read(ActRequest, named)
        client = self._client(self.view.to_decide)
        key, revision = secrets.token_hex(16), f'"{self.view.revision}"'
        try:
            answer = submit_action.sync_detailed(
                self.id, client=client, body=body, if_match=revision, idempotency_key=key
            )
        except ServiceError as error:
            if error.status == 412:
                self.refresh()
            raise
        return self._decided(answered(Decided, answer))

    def resign(self, seat: int | None = None) -> Decided:
        """Give up; an AI plays on. `seat` None: the one to decide, or our first."""
        body, key = SeatDecideRequest(seat=seat), secrets.token_hex(16)
        answer = resign_game.sync_detailed(self.id, client=self._client(seat), body=body, idempotency_key=key)
        return self._decided(answered(Decided, answer))

    def take_back(self, seat: int | None = None) -> Decided:
        """Undo our last turn, or offer it where other people play."""
        body, key = SeatDecideRequest(seat=seat), secrets.token_hex(16)
        answer = request_takeback.sync_detailed(self.id, client=self._client(seat), body=body, idempotency_key=key)
        return self._decided(answered(Decided, answer))

    # ------------------------------------------------------------------------------------------- looking closer

    def hints(self, best: int = 3, seconds: float = 1.0) -> list[AnalysedAction]:
        """The best actions of the seat to decide, best first, each with its value and what would follow.

        `seconds`: of thought, 0.05 to 10. TaskFailedError where it will not be done.
        """
        found = self._analysed(AnalyseGameRequest(kind="decision", best=best, seconds=seconds)).decision
        return found.actions if found else []

    def review(self) -> Review:
        """Of a game that is over: for every decision what was best, and what was lost by another."""
        review = self._analysed(AnalyseGameRequest(kind="review")).review
        if review is None:
            raise TaskFailedError("the analysis came without a review")
        return review

    def picture(self, revision: int | None = None) -> str:
        """The table as SVG; `revision` None: as it stands now."""
        if revision is None:
            return answered(str, get_board.sync_detailed(self.id, client=self._client()))
        return answered(str, get_board.sync_detailed(self.id, client=self._client(), revision=revision))

    def _analysed(self, body: AnalyseGameRequest) -> Analysis:
        client = self._client()
        seen = answered(Analysis, analyse_game.sync_detailed(self.id, client=client, body=body))
        while seen.status in {"waiting", "running"}:
            answer = get_analysis.sync_detailed(seen.id, client=client, after=seen.version, wait=LONG_POLL_S)
            if isinstance(answer.parsed, Analysis):
                seen = answer.parsed
        if seen.status == "failed":
            raise TaskFailedError(f"the analysis {seen.id} will not be done")
        return seen

    def _client(self, seat: int | None = None) -> AuthenticatedClient:
        token = self._reads_by if seat is None else self.seats.get(seat, self._reads_by)
        return self._connection.client(token)

    def _decided(self, decided: Decided) -> Decided:
        self._see(decided.game)
        return decided

    def _see(self, view: View) -> None:
        if view.revision >= self.view.revision:
            self.view = view
