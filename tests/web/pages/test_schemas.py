"""Schemas read stored bytes, which are sent without them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jsonschema_rs import Draft202012Validator, Registry
from marshmallow import RAISE, ValidationError

from service.rulesets.registry import RULESETS
from service.web.schemas.games import events as event_schemas
from service.web.schemas.games import games as game_schemas
from tests.sampling import one_in
from tests.web.client import Json, faults
from tests.web.table import EVERY_VARIANT, NewTable, Table

EVENT = {"$ref": "#/components/schemas/Event"}


def tagged_objects(event: Json) -> Iterator[tuple[str, Json]]:
    """Yield the parts of an event defined by the ruleset: (family, tagged object)."""
    for family in ("action", "draw"):
        if event[family] is not None:
            yield family, event[family]
    for effect in event["effects"]:
        yield "effect", effect


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_views_and_events_match_their_schemas_exactly(new_game: NewTable, ruleset: str, variant: str) -> None:
    """Parts of a ruleset are read by its own schemas and match the unions of its slice of the document."""
    table = new_game(ruleset=ruleset, variant=variant, seats=[{"kind": "player"}] * 3, first_seat=None)
    actual = (table.anyone.get(f"/v1/rulesets/{ruleset}").json or {})["schemas"]
    address = f"/v1/openapi.json?ruleset={ruleset}"
    own_document = Registry([("urn:own", table.anyone.get(address).json)])
    for _ in range(12):
        table.act()
    for event in (table.anyone.get(f"{table.path}/history").json or {})["events"]:
        assert event == event_schemas.Event().load(event, unknown=RAISE)
        for family, tagged in tagged_objects(event):
            schema = getattr(RULESETS[ruleset].wire, f"{family}_schemas")[tagged["type"]]
            assert tagged == schema().load(tagged, unknown=RAISE)
            union = {"$ref": actual[family].replace(address, "urn:own")}
            assert Draft202012Validator(union, registry=own_document).is_valid(tagged)
        if event["revision"] % 3 == 0:
            view = table.anyone.get(f"{table.path}/history/{event['revision']}").json or {}
            assert view == game_schemas.Game().load(view, unknown=RAISE)


def test_an_unknown_event_is_refused(table: Table) -> None:
    event = (table.anyone.get(f"{table.path}/history").json or {})["events"][-1]
    with pytest.raises(ValidationError):
        event_schemas.Event().load({**event, "kind": "sneeze"})
    assert [] == faults(EVENT, event)
    assert [] != faults(EVENT, {**event, "draw": {"type": "deal", "tiles": ["pink"]}})
    assert [] != faults(EVENT, {**event, "draw": {"type": "no such"}})
