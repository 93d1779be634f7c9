"""Players, their games, and the time, for tests of what happens between people."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from service.cases import (
    Caller,
    Cases,
    creating,
    ledgers,
    players,
    playing,
    reading,
    turns,
)
from service.rulesets.kernel import generator
from tests.cases.test_cases import act


class Time:
    """What the use cases take for now; moved by the test."""

    def __init__(self, cases: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ms = cases.now_ms()
        monkeypatch.setattr(cases, "now_ms", lambda: self.ms)

    def pass_(self, seconds: float) -> None:
        self.ms += round(1000 * seconds)


def player(cases: Cases, name: str | None = None) -> tuple[str, Caller]:
    """A new player: (id, caller with its token)."""
    made = players.create(cases, name)
    return made["player"]["id"], Caller(made["token"])


def new_of(cases: Cases, caller: Caller, *seats: Any, **changes: Any) -> tuple[str, dict[str, Any]]:
    """A game that this caller has created: (id, tokens)."""
    made = creating.create(cases, caller, creating.NewGame("azul", "coloured", seats, first_seat=0, **changes))
    return made["game"]["id"], made["tokens"]


def decide(cases: Cases, game: str, caller: Caller) -> Any:
    """The caller's first legal action, in a game that only they may read."""
    legal = reading.legal(cases, caller, game)
    return playing.act(cases, caller, game, legal["actions"][0]["id"], None, legal["revision"])


def view(cases: Cases, game: str) -> dict[str, Any]:
    return dict(orjson.loads(ledgers.load(cases, game).stored.view))


def roles(cases: Cases, game: str, caller: Caller) -> set[str]:
    return set(ledgers.load(cases, game, caller).roles)


def ai_acts(cases: Cases, game: str) -> None:
    """The AI that is due plays one decision."""
    found = view(cases, game)
    turn = turns.take(cases, game, found["revision"], found["to_decide"])
    assert turn is not None
    turns.act(cases, turn, turn.position.random_action(generator(bytes([found["revision"] % 255 + 1]) * 32)))


def play(cases: Cases, game: str, callers: dict[int, Caller], decisions: int) -> None:
    """So many decisions, of whoever is to decide."""
    for _ in range(decisions):
        number = view(cases, game)["to_decide"]
        if number in callers:
            act(cases, game, callers[number])
        else:
            ai_acts(cases, game)


def the_offer(cases: Cases, game: str) -> int:
    (offer,) = view(cases, game)["offers"]
    return int(offer["id"])
