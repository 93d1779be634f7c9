"""Records for tests: of tables, of golden playthroughs; and reading them in, however long they are."""

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


def exported(table: Table) -> Json:
    """The table's record."""
    from tests.web.client import answered

    return answered(table.host.get(f"{table.path}/export"))


def imported(anyone: Client, record: Json) -> Table:
    """The game that comes of a record; a long one is read in at once."""
    from tests.web.client import answered
    from tests.web.table import Table

    made = answered(anyone.post("/v1/games/import", record), 201 if imports.is_short(record) else 202)
    if not imports.is_short(record):
        read_in(anyone, made["id"])
        done = answered(anyone.get(f"/v1/imports/{made['id']}"))
        return Table(done["game_id"], made["tokens"], anyone)
    return Table(made["game"]["id"], made["tokens"], anyone)


def read_in(anyone: Client, task_id: str) -> None:
    """What a background worker does."""
    context = anyone.flask.application.extensions["context"]
    task = context.tasks.get(background.IMPORT, task_id)
    assert task is not None
    imports.perform(context, task)


def plain(events: list[Json]) -> list[Json]:
    """The events without what follows from them, and without what is null."""
    return [{name: event[name] for name in PLAIN if event.get(name) is not None} for event in events]


def of_golden(name: str, ruleset: Ruleset, variant: str, seats: int) -> tuple[Json, Json]:
    """The record of a golden playthrough, and the playthrough."""
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
    """Of a finished game of as many seats as there can be."""
    of_ruleset = (game for game in games() if game[1].id == ruleset)
    name, rules, variant, seats = max(of_ruleset, key=lambda game: (game[3], game[0]))
    return of_golden(name, rules, variant, seats)[0]
