"""The service: what can be played, new games, tournaments."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tqdm import tqdm

from azul_games.bodies import read
from azul_games.connection import LONG_POLL_S, Connection
from azul_games.errors import TaskFailedError, answered
from azul_games.game import Game
from azul_games_client.api.games import create_game
from azul_games_client.api.rulesets import list_levels, list_rulesets
from azul_games_client.api.seats import claim_seat
from azul_games_client.api.tournaments import create_tournament, end_tournament, get_tournament
from azul_games_client.models import (
    ClaimSeatRequest,
    CreatedGame,
    CreateGameRequest,
    GivenSeat,
    Level,
    LevelList,
    RulesetList,
    RulesetSummary,
    Tournament,
    TournamentRequest,
)

KINDS = {"player", "open"}


class Service(Connection):
    """A running service, and how one speaks to it."""

    def rulesets(self) -> list[RulesetSummary]:
        """What can be played."""
        return answered(RulesetList, list_rulesets.sync_detailed(client=self.client())).rulesets

    def levels(self) -> list[Level]:
        """How strong AIs play, weakest first."""
        return answered(LevelList, list_levels.sync_detailed(client=self.client())).levels

    def create(
        self,
        ruleset: str,
        seats: Sequence[str | Mapping[str, Any]] = ("player", "greedy"),
        *,
        variant: str | None = None,
        **options: Any,
    ) -> Game:
        """A new game, whose tokens are kept.

        A seat is `player` (ours), `open`, the level of an AI, or what the document calls a NewSeatRequest. `variant`
        None: the ruleset's first. `options`: other members of CreateGameRequest (`first_seat`, `clock`, `seed`, …).
        ValueError for a ruleset, a seat or an option that the document does not know.
        """
        body = {"ruleset": ruleset, "variant": variant or self._first_variant(ruleset), **options}
        request = read(CreateGameRequest, {**body, "seats": [_seat(seat) for seat in seats]})
        key = secrets.token_hex(16)
        made = answered(CreatedGame, create_game.sync_detailed(client=self.client(), body=request, idempotency_key=key))
        self.tokens.keep(made.game.id, made.tokens.to_dict())
        return Game(self, made.game.id, made.game)

    def game(self, game_id: str) -> Game:
        """A game that exists, with the tokens that are kept of it."""
        return Game(self, game_id)

    def claim(
        self, game_id: str, *, invite: str | None = None, seat: int | None = None, name: str | None = None
    ) -> Game:
        """Take an open seat (`seat` None: the first), whose token is kept. A private game wants its invite token."""
        body = ClaimSeatRequest(token=invite, seat=seat, name=name)
        given = answered(
            GivenSeat,
            claim_seat.sync_detailed(game_id, client=self.client(), body=body, idempotency_key=secrets.token_hex(16)),
        )
        self.tokens.keep(game_id, {"seats": {str(given.seat): given.token}})
        return Game(self, game_id, given.game)

    def tournament(
        self,
        ruleset: str,
        levels: Sequence[str],
        deals: int,
        *,
        variant: str | None = None,
        progress: bool = True,
        **options: Any,
    ) -> Tournament:
        """Levels against each other, each pair of them, to the end: `deals` deals, each once for every seat.

        `progress`: whether a bar on stderr tells how far it is. `options`: other members of TournamentRequest.
        ValueError as for `create`; TaskFailedError where it will not be done. Whoever interrupts it ends it.
        """
        body = {"ruleset": ruleset, "variant": variant or self._first_variant(ruleset), **options}
        request = read(TournamentRequest, {**body, "levels": list(levels), "deals": deals})
        seen = answered(Tournament, create_tournament.sync_detailed(client=self.client(), body=request))
        try:
            with tqdm(total=seen.games, unit="game", disable=not progress) as bar:
                while seen.status in {"waiting", "running"}:
                    answer = get_tournament.sync_detailed(
                        seen.id, client=self.client(), after=seen.version, wait=LONG_POLL_S
                    )
                    if isinstance(answer.parsed, Tournament):  # else there was no news for so long
                        seen = answer.parsed
                        bar.update(seen.games_played - bar.n)
        except KeyboardInterrupt:
            end_tournament.sync_detailed(seen.id, client=self.client())
            raise
        if seen.status == "failed":
            raise TaskFailedError(f"the tournament {seen.id} will not be done")
        return seen

    def _first_variant(self, ruleset: str) -> str:
        found = [known.variants[0] for known in self.rulesets() if known.id == ruleset]
        if not found:
            raise ValueError(f"{ruleset} cannot be played at {self.url}")
        return found[0]


def _seat(seat: str | Mapping[str, Any]) -> dict[str, Any]:
    """A seat as the document wants it."""
    if not isinstance(seat, str):
        return dict(seat)
    return {"kind": seat} if seat in KINDS else {"kind": "ai", "level": seat}
