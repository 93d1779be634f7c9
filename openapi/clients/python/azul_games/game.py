"""A game: its position, legal actions, decisions and events."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from azul_games.bodies import read
from azul_games.connection import LONG_POLL_S, Connection
from azul_games.errors import ServiceError, TaskFailedError, expect
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
from azul_games_client.types import Response


class Game:
    """A game of a service. `view`: its latest known state, updated by all methods."""

    def __init__(self, connection: Connection, game_id: str, view: View | None = None) -> None:
        self._connection = connection
        self.id = game_id
        tokens = connection.tokens.get(game_id)
        self.seats: dict[int, str] = {int(seat): token for seat, token in tokens.get("seats", {}).items()}
        """Tokens of your seats by number."""
        self._read_token = next(iter(self.seats.values()), tokens.get("host") or tokens.get("watch"))
        self.view: View = view or self.refresh()

    # ------------------------------------------------------------------------------------------- state

    @property
    def is_over(self) -> bool:
        """Whether the game is finished or aborted."""
        return self.view.status in OVER

    @property
    def is_my_turn(self) -> bool:
        """Whether one of your seats has to decide."""
        return self.view.to_decide in self.seats and not self.is_over

    @property
    def position(self) -> dict[str, Any]:
        """The position as JSON; empty before the start."""
        return {} if self.view.position is None else self.view.position.to_dict()

    def refresh(self) -> View:
        """Fetch and return the current state."""
        self.view = expect(View, get_game.sync_detailed(self.id, client=self._client()))
        return self.view

    def wait(self) -> bool:
        """Wait until one of your seats has to decide. Return False if the game is over."""
        while not (self.is_over or self.is_my_turn):
            seen = f'"{self.view.revision}"'
            answer = get_game.sync_detailed(self.id, client=self._client(), wait=LONG_POLL_S, if_none_match=seen)
            if isinstance(answer.parsed, View):  # 304 without a change
                self.view = answer.parsed
        return not self.is_over

    def events(self, after: int | None = None) -> Iterator[Event]:
        """Yield a snapshot unless `after` is a revision, then each event until the game is over.

        Broken connections are resumed. `event.game` is the state after the event; `view` may be newer after a decision.
        """
        for event in follow(self._client().get_httpx_client(), self.id, after):
            self._update(event.game)
            yield event

    # ------------------------------------------------------------------------------------------- deciding

    def legal_actions(self, **fields: Any) -> list[LegalAction]:
        """Return all legal actions of the seat to decide. `fields`: only actions with these values (`source="centre"`).

        Raise TypeError for a field that is not a filter, and ServiceError with status 422 if the ruleset does not have
        the field or its value.
        """
        if "type" in fields:
            fields["type_"] = fields.pop("type")
        actions: list[LegalAction] = []
        while True:
            page = expect(LegalActions, list_legal_actions.sync_detailed(self.id, client=self._client(), **fields))
            actions += page.actions
            if not page.next_cursor:
                return actions
            fields["cursor"] = page.next_cursor

    def play(self, action: LegalAction | Mapping[str, Any] | str | None = None, **fields: Any) -> Decided:
        """Play an action at the revision of `view`: a legal action, its id, or its fields.

        Raise ServiceError with status 409 if the seat cannot act now or the action is illegal (`problem["reason"]`),
        and with 412 if the game has changed; `view` is then refreshed.
        """
        if isinstance(action, LegalAction):
            action = action.id
        body = read(ActRequest, {"id": action} if isinstance(action, str) else {"action": dict(action or fields)})
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
        return self._update_from(expect(Decided, answer))

    def resign(self, seat: int | None = None) -> Decided:
        """Resign; an AI continues. The default of `seat` is the one to decide, or your first."""
        return self._decide(resign_game.sync_detailed, seat)

    def take_back(self, seat: int | None = None) -> Decided:
        """Undo your last turn, or offer to undo it if other people play."""
        return self._decide(request_takeback.sync_detailed, seat)

    def _decide(self, send: Callable[..., Response[Any]], seat: int | None) -> Decided:
        body, key = SeatDecideRequest(seat=seat), secrets.token_hex(16)
        answer = send(self.id, client=self._client(seat), body=body, idempotency_key=key)
        return self._update_from(expect(Decided, answer))

    # ------------------------------------------------------------------------------------------- analysis, pictures

    def hints(self, best: int = 3, seconds: float = 1.0) -> list[AnalysedAction]:
        """Return the best actions of the seat to decide, best first, with evaluations and expected continuations.

        `seconds`: search time, 0.05 to 10. Raise TaskFailedError if the analysis fails.
        """
        decision = self._run_analysis(AnalyseGameRequest(kind="decision", best=best, seconds=seconds)).decision
        return decision.actions if decision else []

    def review(self) -> Review:
        """Return the review of a finished game: the best action of every decision, and the loss of the played one."""
        review = self._run_analysis(AnalyseGameRequest(kind="review")).review
        if review is None:
            raise TaskFailedError(f"the analysis of game {self.id} contains no review")
        return review

    def picture(self, revision: int | None = None) -> str:
        """Return the table as SVG, now or at a revision."""
        query: dict[str, Any] = {} if revision is None else {"revision": revision}
        return expect(str, get_board.sync_detailed(self.id, client=self._client(), **query))

    def _run_analysis(self, body: AnalyseGameRequest) -> Analysis:
        client = self._client()
        seen = expect(Analysis, analyse_game.sync_detailed(self.id, client=client, body=body))
        while seen.status in {"waiting", "running"}:
            answer = get_analysis.sync_detailed(seen.id, client=client, after=seen.version, wait=LONG_POLL_S)
            if isinstance(answer.parsed, Analysis):
                seen = answer.parsed
        if seen.status == "failed":
            raise TaskFailedError(f"the analysis {seen.id} failed")
        return seen

    def _client(self, seat: int | None = None) -> AuthenticatedClient:
        token = self._read_token if seat is None else self.seats.get(seat, self._read_token)
        return self._connection.client(token)

    def _update_from(self, decided: Decided) -> Decided:
        self._update(decided.game)
        return decided

    def _update(self, view: View) -> None:
        if view.revision >= self.view.revision:
            self.view = view
