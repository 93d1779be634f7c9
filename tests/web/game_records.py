"""Records for tests, of tables and of golden playthroughs, and their import, however long they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from service.rulesets.ruleset import Json, Ruleset
from service.usecases.work import background, imports
from tests.rulesets.golden import FOLDER, games

if TYPE_CHECKING:  # the use cases' tests need records, and no web
    from tests.web.client import Client
    from tests.web.table import Table

AT = "2026-01-01T00:00:00.000Z"
PLAIN = ("revision", "kind", "seat", "at", "action", "draw", "name", "to", "offer", "accept", "until", "filled")


def export_table(table: Table) -> Json:
    """Return the table's record."""
    from tests.web.client import body_of

    return body_of(table.host.get(f"{table.path}/export"))


def import_record(anyone: Client, record: Json) -> Table:
    """Import a record and return the game. Long records are processed at once."""
    from tests.web.client import body_of
    from tests.web.table import Table

    made = body_of(anyone.post("/v1/games/import", record), 201 if imports.is_short(record) else 202)
    if not imports.is_short(record):
        process_import(anyone, made["id"])
        done = body_of(anyone.get(f"/v1/imports/{made['id']}"))
        return Table(done["game_id"], made["tokens"], anyone)
    return Table(made["game"]["id"], made["tokens"], anyone)


def process_import(anyone: Client, task_id: str) -> None:
    """Execute the import like a background worker."""
    context = anyone.flask.application.extensions["context"]
    task = context.tasks.get(background.IMPORT, task_id)
    assert task is not None
    imports.perform(context, task)


def plain_events(events: list[Json]) -> list[Json]:
    """Return the events without derived and null fields."""
    return [{name: event[name] for name in PLAIN if event.get(name) is not None} for event in events]


def golden_record(name: str, ruleset: Ruleset, variant: str, seats: int) -> tuple[Json, Json]:
    """Return the record of a golden playthrough, and the playthrough."""
    golden = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    head: list[Json] = [{"kind": "created"}, {"kind": "start", "filled": []}]
    steps: list[Json] = [
        {"kind": "draw", "draw": step["draw"]}
        if "draw" in step
        else {"kind": "action", "seat": step["seat"], "action": step["action"]}
        for step in golden["steps"]
    ]
    events = [{"revision": number, "at": AT, **event} for number, event in enumerate([*head, *steps], 1)]
    record = {
        "format": "azul-games/1",
        "id": "golden",
        "ruleset": ruleset.id,
        "ruleset_version": ruleset.version,
        "variant": variant,
        "seats": [{"kind": "player", "name": f"Seat {number}"} for number in range(seats)],
        "created_at": AT,
        "events": events,
    }
    return record, golden


def long_record(ruleset: str = "queens-garden") -> Json:
    """Return the record of a finished game with the most seats."""
    of_ruleset = (game for game in games() if game[1].id == ruleset)
    name, rules, variant, seats = max(of_ruleset, key=lambda game: (game[3], game[0]))
    return golden_record(name, rules, variant, seats)[0]
