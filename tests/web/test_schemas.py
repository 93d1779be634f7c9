"""Stored bytes never pass through the schemas on their way out; so here they are read by them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from marshmallow import RAISE, ValidationError

from service.web import schemas
from tests.web.conftest import Table


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_views_and_events_are_what_their_schemas_say_and_nothing_more(
    new_game: Callable[..., Table], variant: str
) -> None:
    table = new_game(variant=variant, seats=[{"kind": "player"}] * 3, first_seat=None)
    for _ in range(40):  # past the first round
        table.act()
    for event in (table.anyone.get(f"{table.path}/history").json or {})["events"]:
        assert event == schemas.Event().load(event, unknown=RAISE)
        view = table.anyone.get(f"{table.path}/history/{event['revision']}").json or {}
        assert view == schemas.Game().load(view, unknown=RAISE)


def test_what_is_no_event_of_ours_is_not_read(table: Table) -> None:
    event = (table.anyone.get(f"{table.path}/history").json or {})["events"][-1]
    with pytest.raises(ValidationError):
        schemas.Event().load({**event, "kind": "sneeze"})
    with pytest.raises(ValidationError):
        schemas.Event().load({**event, "draw": {"type": "deal", "tiles": ["pink"]}})
