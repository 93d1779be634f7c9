"""Stored bytes never pass through the schemas on their way out; so here they are read by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from jsonschema_rs import Draft202012Validator, Registry
from marshmallow import RAISE, ValidationError

from service.rulesets.registry import RULESETS
from service.web.schemas.games import events as event_schemas
from service.web.schemas.games import games as game_schemas
from tests.sampling import one_in
from tests.web.client import Json, faults
from tests.web.table import EVERY_VARIANT, Table

EVENT = {"$ref": "#/components/schemas/Event"}


def named(event: Json) -> Iterator[tuple[str, Json]]:
    """What the ruleset says in an event: (family, tagged object)."""
    for family in ("action", "draw"):
        if event[family] is not None:
            yield family, event[family]
    for effect in event["effects"]:
        yield "effect", effect


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_views_and_events_are_what_their_schemas_say_and_nothing_more(
    new_game: Callable[..., Table], ruleset: str, variant: str
) -> None:
    """What a ruleset says is read by its own schemas, and fits the unions of its slice of the document."""
    table = new_game(ruleset=ruleset, variant=variant, seats=[{"kind": "player"}] * 3, first_seat=None)
    actual = (table.anyone.get(f"/v1/rulesets/{ruleset}").json or {})["schemas"]
    address = f"/v1/openapi.json?ruleset={ruleset}"
    own_document = Registry([("urn:own", table.anyone.get(address).json)])
    for _ in range(12):
        table.act()
    for event in (table.anyone.get(f"{table.path}/history").json or {})["events"]:
        assert event == event_schemas.Event().load(event, unknown=RAISE)
        for family, said in named(event):
            own = getattr(RULESETS[ruleset].wire, f"{family}_schemas")[said["type"]]
            assert said == own().load(said, unknown=RAISE)
            union = {"$ref": actual[family].replace(address, "urn:own")}
            assert Draft202012Validator(union, registry=own_document).is_valid(said)
        if event["revision"] % 3 == 0:
            view = table.anyone.get(f"{table.path}/history/{event['revision']}").json or {}
            assert view == game_schemas.Game().load(view, unknown=RAISE)


def test_what_is_no_event_of_ours_is_not_read(table: Table) -> None:
    event = (table.anyone.get(f"{table.path}/history").json or {})["events"][-1]
    with pytest.raises(ValidationError):
        event_schemas.Event().load({**event, "kind": "sneeze"})
    assert [] == faults(EVENT, event)
    assert [] != faults(EVENT, {**event, "draw": {"type": "deal", "tiles": ["pink"]}})
    assert [] != faults(EVENT, {**event, "draw": {"type": "no such"}})
