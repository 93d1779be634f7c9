"""What scripts can do with a game through the layer in Python, against a running service.

Run by `make test-clients`, which generates the client first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from azul_games import Service, ServiceError
from azul_games.transport import LONGEST_PAUSE_S, pause_s
from tests.e2e.stack import Stack

SEED = "07" * 32


@pytest.fixture
def service(limited: Stack, tmp_path: Path) -> Iterator[Service]:
    with Service(limited.url, tokens=tmp_path / "tokens.json") as running:
        yield running


def test_a_decision_is_made_by_a_legal_action_by_its_id_or_by_its_fields(service: Service) -> None:
    game = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    game.play(game.legal_actions()[0])
    assert game.wait()
    game.play(game.legal_actions()[-1].id)
    assert game.wait()
    fields = game.legal_actions()[0].action.to_dict()
    decided = game.play(**fields)
    assert ("action", fields) == (decided.events[0].kind, decided.events[0].action.to_dict())
    assert game.view.revision == decided.game.revision


def test_legal_actions_are_sifted_by_their_fields(service: Service) -> None:
    game = service.create("queens-garden", ["player", "random"], first_seat=0, seed=SEED)
    every = [actual.action.to_dict() for actual in game.legal_actions()]
    blue = [fields for fields in every if fields["type"] == "queens-garden.acquire" and fields["value"] == "blue"]
    assert 0 < len(blue) < len(every)
    pieces = blue[0]["pieces"]
    assert blue[0] in [actual.action.to_dict() for actual in game.legal_actions(pieces=pieces)]
    assert blue == [
        actual.action.to_dict() for actual in game.legal_actions(type="queens-garden.acquire", value="blue")
    ]
    with pytest.raises(TypeError):
        game.legal_actions(colour_of_the_sky="blue")


def test_refusals_tell_code_status_and_faults(service: Service) -> None:
    with pytest.raises(ServiceError) as unknown:
        service.create("azul", ["player", "invincible"])
    assert (422, "request/invalid") == (unknown.value.status, unknown.value.code)
    assert "/seats/1/level" in [fault["pointer"] for fault in unknown.value.errors]
    game = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    with pytest.raises(ServiceError) as illegal:
        game.play(type="azul.draft", source="centre", colour="blue", line=0)
    assert (409, "game/illegal_action") == (illegal.value.status, illegal.value.code)


def test_what_the_document_does_not_know_is_refused_here_or_there(service: Service) -> None:
    with pytest.raises(ValueError, match="visiblity"):
        service.create("azul", ["player", "random"], visiblity="private")
    with pytest.raises(ValueError, match="nmae"):
        service.create("azul", [{"kind": "player", "nmae": "Ana"}, "random"])
    with pytest.raises(ValueError, match="chess cannot be played"):
        service.create("chess")
    game = service.create("azul", ["player", "random"], first_seat=0)
    with pytest.raises(ValueError, match="castle"):
        game.play(type="castle")
    with pytest.raises(ServiceError, match="/action/column"):
        game.play(type="azul.draft", source="centre", colour="blue", line=0, column=0)


def test_a_stale_view_is_refused_and_renewed(service: Service) -> None:
    game = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    the_same = service.game(game.id)
    game.play(game.legal_actions()[0])
    with pytest.raises(ServiceError) as stale:
        the_same.play("0")
    assert 412 == stale.value.status
    assert the_same.view.revision >= game.view.revision


def test_an_open_seat_is_claimed_and_played(service: Service) -> None:
    host = service.create("azul", ["open", "random"], visibility="private")
    invite = service.tokens.of(host.id)["invite"]
    guest = service.claim(host.id, invite=invite, name="Ben")
    assert [0] == list(guest.seats)
    assert "Ben" == guest.refresh().seats[0].name
    assert guest.wait()


def test_turns_are_taken_back_and_games_given_up_looked_at_and_reviewed(service: Service) -> None:
    game = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    hints = game.hints(best=2, seconds=0.1)
    assert {hint.id for hint in hints} < {actual.id for actual in game.legal_actions()}
    before = game.position
    game.play(hints[0].id)
    assert before != game.position
    assert game.wait()
    game.take_back()
    assert before == game.position
    assert game.picture().startswith("<svg")
    assert game.picture(revision=1) != game.picture()
    game.play(game.legal_actions()[0])
    assert game.wait()
    game.resign()
    assert [event.kind for event in game.events()] == ["snapshot"]
    assert game.is_over
    assert not game.wait()
    assert {0, 1} >= {decision.seat for decision in game.review().decisions} > set()


def test_pauses_grow_with_attempts_in_vain_and_not_beyond_their_longest() -> None:
    longest = [max(pause_s(attempt) for _ in range(200)) for attempt in (1, 4, 100_000)]
    assert 0.1 < longest[0] <= 0.25 < longest[1] <= 2 < longest[2] <= LONGEST_PAUSE_S
