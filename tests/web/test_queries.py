"""An invalid query is refused with the name of the parameter."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.web.client import Client, invalid_fields
from tests.web.players import Person
from tests.web.table import Table

LIMITS = ["limit=0", "limit=101", "limit=x", "limit=1_0", "limit=%2B1", "limit=%201", "limit=%EF%BC%91"]
WAITS = ["wait=61", "wait=-1", "wait=x", "wait="]
LISTED = [*LIMITS, "cursor=x", "cursor="]
QUERIES: dict[str, list[str]] = {
    "/v1/admin/games": [
        *(*LISTED, "ruleset=chess", "status=x", "open_seats=1", "updated_since=yesterday", "visibility=secret"),
    ],
    "/v1/bots": [*LIMITS, "cursor=x", "ruleset=chess", "seats=1", "seats=x", "online=yes", "who=me"],
    "/v1/games": ["cursor=nonsense"],
    "/v1/games/{game}": [*WAITS, "wait=1&wait=2", "include=seed", "nonsense=1", "%00=1"],
    "/v1/games/{game}/actions": [
        *("limit=0", "limit=501", "cursor=x", "cursor=1", "colour=", "colour=pink", "colour=blue&colour=blue"),
        *("column=x", "column=5", "line=5", "payment={}", "form=choices"),
    ],
    "/v1/games/{game}/animation.svg": [
        *(f"seconds={wrong}" for wrong in ("0.05", "6", "x", "nan", "inf", "-1")),
        *("loop=often", "theme=pink", "layout=round", "revision=3"),
    ],
    "/v1/games/{game}/board.svg": ["theme=pink", "layout=round", "revision=x", "size=7"],
    "/v1/games/{game}/board.txt": ["revision=x", "revision=-1", "theme=dark"],
    "/v1/games/{game}/choices": ["limit=1", "type=azul.draft"],
    "/v1/games/{game}/events": [
        *(
            f"ticket={'x' * 101}",
            "ticket=",
            "hidden=perhaps",
            "viewer=short",
            "viewer=with blank",
            f"viewer={'x' * 33}",
        ),
    ],
    "/v1/games/{game}/export": ["format=pgn"],
    "/v1/games/{game}/messages": [
        *(
            "after=-1",
            "after=x",
            "after=9007199254740992",
            "after=",
            "limit=0",
            "limit=201",
            "wait=61",
            "wait=-1",
            "x=1",
        ),
    ],
    "/v1/leaderboards/azul": [
        *("seats=2", "of=ais", "period=month", "first=0", "limit=101", "around=Ana"),
        *("around=me&first=2", "around=me&of=bots"),
    ],
    "/v1/me": ["name=x"],
    "/v1/me/challenges/events": ["after=-1"],
    "/v1/me/events": ["after=-1", "after=x", f"after={10**15}", "x=1"],
    "/v1/admin/players": [*LISTED, "banned=1", "handle=", f"name={'x' * 41}"],
    "/v1/me/games": [*LISTED, "cursor=%00", f"cursor={'1' * 201}", "wait=1"],
    "/v1/me/turns": [*WAITS, "wait=1.5", "limit=1"],
    "/v1/openapi.json": ["ruleset=chess"],
    "/v1/openapi.yaml": ["ruleset=chess"],
    "/v1/players/{player}/games": ["cursor=x", "limit=0", "status=lost", "ruleset=chess", "open_seats=true", "wait=1"],
    "/v1/players/{player}/ratings": ["ruleset=chess", "seats=three", "seats=2", "wait=1"],
    "/v1/seeks": ["ruleset=chess", "seats=1", "seats=x", "status=open", "variant="],
}


@pytest.mark.parametrize("path", QUERIES)
def test_an_invalid_query_names_its_parameter(table: Table, ana: Person, admin: Client, path: str) -> None:
    client = admin if "admin" in path else table.seat(0) if "{game}" in path else ana.client
    for query in QUERIES[path]:
        answer = client.get(f"{path.format(game=table.id, player=ana.id)}?{query}")
        assert [f"/{unquote(query).rpartition('&')[2].partition('=')[0]}"] == invalid_fields(answer), query
        assert "query" == (answer.json or {})["errors"][0]["in"], query
