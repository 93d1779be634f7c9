"""Games through the Python layer against a running service. Run by `make test-clients`, which generates the client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from azul_games import Service, ServiceError
from azul_games.transport import LONGEST_PAUSE_S, pause_s
from tests.e2e.stack import Stack

SEED = "07" * 32


@pytest.fixture
def service(limited_stack: Stack, tmp_path: Path) -> Iterator[Service]:
    with Service(limited_stack.url, tokens=tmp_path / "tokens.json") as running:
        yield running


def test_an_action_is_played_as_an_object_an_id_or_fields(service: Service) -> None:
    game = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    game.play(game.legal_actions()[0])
    assert game.wait()
    game.play(game.legal_actions()[-1].id)
    assert game.wait()
    fields = game.legal_actions()[0].action.to_dict()
    decided = game.play(**fields)
    assert ("action", fields) == (decided.events[0].kind, decided.events[0].action.to_dict())
    assert game.view.revision == decided.game.revision


def test_legal_actions_are_filtered_by_fields(service: Service) -> None:
    game = service.create("queens-garden", ["player", "random"], first_seat=0, seed=SEED)
    all_actions = [legal.action.to_dict() for legal in game.legal_actions()]
    blue = [fields for fields in all_actions if fields["type"] == "queens-garden.acquire" and fields["value"] == "blue"]
    assert 0 < len(blue) < len(all_actions)
    assert blue == [legal.action.to_dict() for legal in game.legal_actions(type="queens-garden.acquire", value="blue")]
    assert blue == [legal.action.to_dict() for legal in game.legal_actions(value="blue")]
    with pytest.raises(TypeError):
        game.legal_actions(pieces=blue[0]["pieces"])
    with pytest.raises(ServiceError) as inapplicable:
        game.legal_actions(line=2)
    assert (422, ["/line"]) == (inapplicable.value.status, [fault["pointer"] for fault in inapplicable.value.errors])
    azul = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    assert {2} == {legal.action.to_dict()["line"] for legal in azul.legal_actions(line=2)}


def test_errors_have_code_status_and_faults(service: Service) -> None:
    with pytest.raises(ServiceError) as unknown:
        service.create("azul", ["player", "invincible"])
    assert (422, "request/invalid") == (unknown.value.status, unknown.value.code)
    assert "/seats/1/level" in [fault["pointer"] for fault in unknown.value.errors]
    game = service.create("azul", ["player", "random"], first_seat=0, seed=SEED)
    with pytest.raises(ServiceError) as illegal:
        game.play(type="azul.draft", source="centre", colour="blue", line=0)
    assert (409, "game/illegal_action") == (illegal.value.status, illegal.value.code)


def test_unknown_names_are_refused_by_client_or_service(service: Service) -> None:
    with pytest.raises(ValueError, match="visiblity"):
        service.create("azul", ["player", "random"], visiblity="private")
    with pytest.raises(ValueError, match="nmae"):
        service.create("azul", [{"kind": "player", "nmae": "Ana"}, "random"])
    with pytest.raises(ValueError, match="has no ruleset chess"):
        service.create("chess")
    game = service.create("azul", ["player", "random"], first_seat=0)
    with pytest.raises(ServiceError, match="/action/type"):
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
    invite = service.tokens.get(host.id)["invite"]
    guest = service.claim(host.id, invite=invite, name="Ben")
    assert [0] == list(guest.seats)
    assert "Ben" == guest.refresh().seats[0].name
    assert guest.wait()


def test_turns_are_taken_back_and_games_resigned_and_reviewed(service: Service) -> None:
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


def test_pauses_grow_with_failed_attempts_up_to_a_limit() -> None:
    longest = [max(pause_s(attempt) for _ in range(200)) for attempt in (1, 4, 100_000)]
    assert 0.1 < longest[0] <= 0.25 < longest[1] <= 2 < longest[2] <= LONGEST_PAUSE_S
