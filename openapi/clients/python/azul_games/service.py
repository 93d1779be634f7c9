"""The service: rulesets, levels, new games and tournaments."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tqdm import tqdm

from azul_games.bodies import read
from azul_games.connection import LONG_POLL_S, Connection
from azul_games.errors import TaskFailedError, expect
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
    """A connection to a running service."""

    def rulesets(self) -> list[RulesetSummary]:
        """Return the rulesets."""
        return expect(RulesetList, list_rulesets.sync_detailed(client=self.client())).rulesets

    def levels(self) -> list[Level]:
        """Return the levels of AIs, weakest first."""
        return expect(LevelList, list_levels.sync_detailed(client=self.client())).levels

    def create(
        self,
        ruleset: str,
        seats: Sequence[str | Mapping[str, Any]] = ("player", "greedy"),
        *,
        variant: str | None = None,
        **options: Any,
    ) -> Game:
        """Create a game and store its tokens.

        A seat is `player` (yours), `open`, the level of an AI, or a NewSeatRequest of the document. The default of
        `variant` is the ruleset's first. `options`: other members of CreateGameRequest (`first_seat`, `clock`, `seed`,
        …). Raise ValueError for unknown rulesets, seats and options.
        """
        body = {"ruleset": ruleset, "variant": variant or self._first_variant(ruleset), **options}
        request = read(CreateGameRequest, {**body, "seats": [_seat(seat) for seat in seats]})
        key = secrets.token_hex(16)
        answer = create_game.sync_detailed(client=self.client(), body=request, idempotency_key=key)
        created = expect(CreatedGame, answer)
        self.tokens.keep(created.game.id, created.tokens.to_dict())
        return Game(self, created.game.id, created.game)

    def game(self, game_id: str) -> Game:
        """Return an existing game with its stored tokens."""
        return Game(self, game_id)

    def claim(
        self, game_id: str, *, invite: str | None = None, seat: int | None = None, name: str | None = None
    ) -> Game:
        """Take an open seat (default: the first) and store its token. Private games need their invite token."""
        body, key = ClaimSeatRequest(token=invite, seat=seat, name=name), secrets.token_hex(16)
        answer = claim_seat.sync_detailed(game_id, client=self.client(), body=body, idempotency_key=key)
        claimed = expect(GivenSeat, answer)
        self.tokens.keep(game_id, {"seats": {str(claimed.seat): claimed.token}})
        return Game(self, game_id, claimed.game)

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
        """Play a tournament and return its result. Each pair of levels plays `deals` deals, once from every seat.

        `progress`: show a progress bar on stderr. `options`: other members of TournamentRequest. Raise ValueError as in
        `create`, and TaskFailedError if the tournament fails. Ctrl+C cancels the tournament.
        """
        body = {"ruleset": ruleset, "variant": variant or self._first_variant(ruleset), **options}
        request = read(TournamentRequest, {**body, "levels": list(levels), "deals": deals})
        seen = expect(Tournament, create_tournament.sync_detailed(client=self.client(), body=request))
        try:
            with tqdm(total=seen.games, unit="game", disable=not progress) as bar:
                while seen.status in {"waiting", "running"}:
                    answer = get_tournament.sync_detailed(
                        seen.id, client=self.client(), after=seen.version, wait=LONG_POLL_S
                    )
                    if isinstance(answer.parsed, Tournament):  # 204 without a change
                        seen = answer.parsed
                        bar.update(seen.games_played - bar.n)
        except KeyboardInterrupt:
            end_tournament.sync_detailed(seen.id, client=self.client())
            raise
        if seen.status == "failed":
            raise TaskFailedError(f"the tournament {seen.id} failed")
        return seen

    def _first_variant(self, ruleset: str) -> str:
        for known in self.rulesets():
            if known.id == ruleset:
                return str(known.variants[0])
        raise ValueError(f"{self.url} has no ruleset {ruleset}")


def _seat(seat: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return a seat as a request contains it."""
    if not isinstance(seat, str):
        return dict(seat)
    return {"kind": seat} if seat in KINDS else {"kind": "ai", "level": seat}
