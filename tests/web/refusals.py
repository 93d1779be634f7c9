"""The smallest request that causes each documented refusal of an operation."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import orjson
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from service.games import session
from service.identity_providers import Provider
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.base.packing import unpack
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.games import timeouts
from service.usecases.keeping import sanctions
from tests.outgoing.oidc_provider import OidcProvider
from tests.web import bot_refusals, competition_refusals, puzzle_refusals
from tests.web.client import OPERATIONS, Client, Json, body_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.game_records import long_record
from tests.web.players import new_player, new_staff_token, open_table
from tests.web.table import Table
from tests.web.test_callers import ACTING, BODIES, NO_GAME, QUERIES, USUAL_IDS

CODES_OF = {
    operation: [code for answer in told["responses"].values() for code in answer.get("x-codes", ())]
    for operation, (_, _, told) in OPERATIONS.items()
}
THREE: list[Json] = [{"kind": "player"}] * 3
HOSTS = ("startGame", "abortGame")
ASKED_AT: dict[str, Callable[[int], Json]] = {  # a revision is a part of the query, or of the path
    **dict.fromkeys(("getBoard", "getBoardText"), lambda revision: {"query_string": f"revision={revision}"}),
    "streamEvents": lambda revision: {"query_string": f"after={revision}"},
    "getPositionAt": lambda revision: {"path": {"revision": revision}},
}
WITH_BODY = ("POST", "PUT", "PATCH")
OF_PLAYERS = (
    "/v1/(me|reports|seeks|challenges|competitions)(/|$)|/v1/players/{player}/challenges$"
    "|/v1/puzzles/{puzzle_id}/attempts$"
)
CLOCK = {"turn_s": 10, "on_timeout": "ai"}
OPEN_SEAT: Json = {"seats": [*THREE, {"kind": "open"}]}
JSON = "application/json"
REPEATED = {"Idempotency_Key": "0123456789-0123456789-a"}
SIMPLE: dict[str, tuple[Json, Json]] = {  # changes of the game, and of the request
    "malformed": ({}, {"data": b"{", "content_type": JSON}),
    "too_large": ({}, {"data": b" " * 9_000_000, "content_type": JSON}),
    "unsupported_media_type": ({}, {"data": b"{}", "content_type": "text/html"}),
    "unsupported_encoding": ({}, {"data": b"{}", "content_type": JSON, "headers": {"Content_Encoding": "gzip"}}),
    "bad_etag": ({}, {"headers": {"If_Match": "17"}}),
    "bad_key": ({}, {"headers": {"Idempotency_Key": "a key"}}),
    "not_acceptable": ({}, {"headers": {"Accept": "text/plain"}}),
    "revision_required": ({}, {"body": {"id": "0"}}),
    "help_forbidden": ({"help": False}, {}),
    "ticket_unknown": ({"visibility": "private"}, {"query_string": "ticket=none-of-ours"}),
    "not_started": (OPEN_SEAT, {}),
    "full": ({}, {"token": ""}),
    "seat_taken": (OPEN_SEAT, {"token": "", "body": {"seat": 0}}),
    **dict.fromkeys(("no_program", "not_rated", "not_reviewed", "no_sign_in", "already_started"), ({}, {})),
}


def final_position(view: Json) -> Json:
    """Return the position at the end of a game that continues at random."""
    rng = generator(bytes(range(1, 33)))
    position = RULESETS[view["ruleset"]].read(view)
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(rng))
        else:
            position = position.play(position.random_action(rng))
    return position.ruleset.view(position)


class Refusals:
    """The smallest request for each refusal. Method `code_X` causes the refusals whose code ends in X."""

    def __init__(self, app: Flask, store: Redis) -> None:
        self.anyone, self.store = Client(app.test_client()), store
        self.context: Context = app.extensions["context"]
        provider = Provider("google", "https://provider.example", ("azul",))
        self.context.settings = replace(self.context.settings, oidc_providers=(provider,))

    def new(self, **changes: Any) -> Table:
        """Return a new game of three people without accounts."""
        body = {"ruleset": "azul", "variant": "grey", "first_seat": 0, "seats": THREE, **changes}
        made = body_of(self.anyone.post("/v1/games", body), 201)
        return Table(made["game"]["id"], made["tokens"], self.anyone)

    def request(self, operation: str, code: str) -> TestResponse:
        """Return the refusal with that code by that operation."""
        name = code.partition("/")[2]
        if re.match("/v1/(admin/)?competitions/", OPERATIONS[operation][1]) and name in competition_refusals.WAYS:
            return competition_refusals.WAYS[name](self, operation)
        if OPERATIONS[operation][1].startswith("/v1/puzzles/") and name in puzzle_refusals.WAYS:
            return puzzle_refusals.WAYS[name](self, operation)
        if name == "not_found":
            return self.not_found(operation, code)
        if name in SIMPLE:
            table, request = SIMPLE[name]
            return self.ask(operation, self.new(**table), **request)
        way: Callable[[str], TestResponse] | None = getattr(self, f"code_{name}", None)
        return self.of_callers(operation, code) if way is None else way(operation)

    def ask(self, operation: str, table: Table, token: str | None = None, **more: Any) -> TestResponse:
        """Send the smallest request of seat 0 (of the host, if only hosts may), or of the token.

        `body`, `path` and `headers` change it.
        """
        method, path, _ = OPERATIONS[operation]
        values = more.pop("path", {})
        if operation == "getLeaderboard" and token is not None:
            more.setdefault("query_string", "around=me")
        if re.match(OF_PLAYERS, path) and token is None:
            token = self.new_token()
        if path.startswith("/v1/admin/") and token is None:
            token = ADMIN_TOKEN
        values = {**self.ids(operation, table, token, values), **values}
        given = dict(more.pop("body", BODIES.get(operation, {})))
        if operation in ACTING and not given:
            given = {"id": table.actions(1)[0]["id"] if table.view()["to_decide"] is not None else "0"}
            given["revision"] = table.view()["revision"]
        if operation == "analysePosition" and not given:
            given = {"position": table.view()["position"]}
        if method in WITH_BODY and "data" not in more:
            more["json"] = given
        if operation == "getGame":
            more.setdefault("query_string", "include=actions")
        if operation in QUERIES:
            more.setdefault("query_string", QUERIES[operation])
        if token is None:
            token = table.tokens["host"] if operation in HOSTS else table.tokens["seats"]["0"]
        client = table.anyone.with_token(token or None)
        return client.send(method, path.format(**values), **more)

    def ids(self, operation: str, table: Table, token: str | None, given: Json) -> Json:
        """Return the ids that the path of the operation needs, except the given ones."""
        path, own = OPERATIONS[operation][1], table.anyone.with_token(token)
        is_for_staff = path.startswith("/v1/admin/")
        asks_for_own = operation in ("getSeek", "streamSeek", "deleteSeek")
        makers: dict[str, Callable[[], Any]] = {
            "task_id": lambda: self.task(table, path),
            "player": lambda: self.new_token().partition(".")[0],
            "webhook_id": lambda: self.webhook(own),
            "challenge_id": lambda: self.challenge(operation, table.anyone, token),
            "competition_id": lambda: competition_refusals.announce(
                self, competition_refusals.new_client(self) if is_for_staff else own
            ),
            "seek_id": lambda: self.seek(own if asks_for_own else table.anyone.with_token(self.new_token())),
        }
        made = {name: make() for name, make in makers.items() if f"{{{name}}}" in path and name not in given}
        return {**USUAL_IDS, "game_id": table.id, **made}

    def task(self, table: Table, path: str) -> str:
        """Create an analysis, an import or a tournament as seat 1. Return its id."""
        if "imports" in path:
            return str((table.seat(1).post("/v1/games/import", long_record()).json or {})["id"])
        kind = "analyses" if "analyses" in path else "tournaments"
        bodies = {"analyses": {"position": table.view()["position"]}, "tournaments": BODIES["createTournament"]}
        return str((table.seat(1).post(f"/v1/{kind}", bodies[kind]).json or {})["id"])

    def webhook(self, owner: Client) -> str:
        """Return the id of a new webhook, or a missing id if the owner is not a player."""
        made = owner.post("/v1/me/webhooks", BODIES["createWebhook"]).json or {}
        return str(made["webhook"]["id"]) if "webhook" in made else NO_GAME

    def challenge(self, operation: str, anyone: Client, token: str | None) -> str:
        """Return the id of a new challenge received or sent by the token's player, or a missing id without a player."""
        own, other = anyone.with_token(token), anyone.with_token(self.new_token())
        me = (own.get("/v1/me").json or {}).get("id")
        if me is None:
            return NO_GAME
        asking, asked = (own, other) if operation == "deleteChallenge" else (other, own)
        path = f"/v1/players/{(asked.get('/v1/me').json or {})['id']}/challenges"
        return str((asking.post(path, BODIES["createChallenge"]).json or {}).get("id", NO_GAME))

    def code_answered(self, operation: str) -> TestResponse:
        table, token = self.new(), self.new_token()
        path = {"challenge_id": self.challenge(operation, table.anyone, token)}
        self.ask(operation, table, token, path=path)
        return self.ask(operation, table, token, path=path)

    def seek(self, owner: Client) -> str:
        """Return the id of a new seek, or a missing id if the owner is not a player."""
        return str((owner.post("/v1/seeks", BODIES["createSeek"]).json or {}).get("id", NO_GAME))

    def of_callers(self, operation: str, code: str) -> TestResponse:
        """Return refusals that depend only on the token."""
        table = self.new()
        tokens = {
            "auth/token_unknown": f"{'A' * 16}.{'x' * 43}",
            "auth/admin_only": new_staff_token(self.anyone.with_token(ADMIN_TOKEN), "moderator"),
            "auth/wrong_seat": table.tokens["watch" if operation == "sendMessage" else "host"],
            "auth/not_taking_part": table.tokens["invite"] if operation == "sendMessage" else self.new_token(),
        }
        if OPERATIONS[operation][1].startswith("/v1/admin/"):
            tokens["auth/token_unknown"] = f"staff.{tokens['auth/token_unknown']}"
        return self.ask(operation, table, tokens.get(code, table.tokens["seats"]["0"]))

    def code_last_admin(self, operation: str) -> TestResponse:
        token = new_staff_token(self.anyone.with_token(ADMIN_TOKEN), "admin")
        return self.ask(operation, self.new(), token, path={"staff_id": token.split(".")[1]})

    # ------------------------------------------------------------------ requests

    def code_unreadable(self, operation: str) -> TestResponse:
        """Send unreadable notation."""
        if operation == "importGame":
            return self.ask(operation, self.new(), data=b"3b4", content_type="text/plain")
        if operation == "getPositionBoard":
            return self.ask(operation, self.new(), query_string="position_notation=azul")
        body: Json = {"notation": "3b", "revision": 3} if operation in ACTING else {"position_notation": "azul"}
        if operation == "createGame":
            body = {**body, **BODIES[operation]}
        if operation == "analyseGame":
            body = {"kind": "decision", "candidate": {"notation": "3b"}}
        return self.ask(operation, self.new(), body=body)

    def code_illegal_event(self, operation: str) -> TestResponse:
        events = [{"revision": 1, "kind": "join", "at": "2026-01-01T00:00:00.000Z"}]
        return self.ask(operation, self.new(), body={**BODIES[operation], "events": events})

    def code_no_picture(self, operation: str) -> TestResponse:
        if operation == "getReportedBoard":  # a report about a player keeps no position
            reported = {"type": "player", "category": "abuse", "player": self.new_token().partition(".")[0]}
            made = body_of(self.anyone.with_token(self.new_token()).post("/v1/reports", reported), 201)
            return self.ask(operation, self.new(), path={"report_id": made["id"]})
        with mock.patch.dict(RULESETS, {"azul": replace(RULESETS["azul"], picture=None, text_picture=None)}):
            return self.ask(operation, self.new())

    def code_invalid(self, operation: str) -> TestResponse:
        if OPERATIONS[operation][0] not in WITH_BODY:
            return self.ask(operation, self.new(), query_string="nonsense=1")
        return self.ask(operation, self.new(), body={"nonsense": 1})

    def not_found(self, operation: str, code: str) -> TestResponse:
        """Name a missing object or an invalid path."""
        missing: Json = {
            "task/not_found": {"task_id": NO_GAME},
            "game/not_found": {"game_id": NO_GAME},
            "offer/not_found": {"offer": 99},
            "webhook/not_found": {"webhook_id": NO_GAME},
            "delivery/not_found": {"delivery_id": NO_GAME},
            "player/not_found": {"player": NO_GAME},
            "seek/not_found": {"seek_id": NO_GAME},
            "ruleset/not_found": {"ruleset_id": "chess"},
            "challenge/not_found": {"challenge_id": NO_GAME},
            "competition/not_found": {"competition_id": NO_GAME},
            "bot/not_found": {},
            "staff/not_found": {"staff_id": NO_GAME},
            "process/not_found": {"process": "nowhere"},
            "report/not_found": {"report_id": NO_GAME},
            "message/not_found": {"game_id": NO_GAME},
        }
        if operation == "createReport":
            return self.missing_report(code)
        no_path = {"game_id": "a/b", "task_id": "a/b", "ruleset_id": "a/b", "seat": "x", "message": "x"}
        more: Json = {"body": {"token": self.new_token()}} if operation == "adoptBot" else {}
        if operation == "listMyGames":
            more = {"query_string": f"opponent={NO_GAME}"}
        return self.ask(operation, self.new(), path=missing.get(code, no_path), **more)

    def missing_report(self, code: str) -> TestResponse:
        """Report a missing player, game or message."""
        person = new_player(self.anyone)
        body: Json = {"type": "message", "category": "spam", "game_id": open_table(person).id, "message": 1}
        if code == "game/not_found":
            body["game_id"] = NO_GAME
        elif code == "player/not_found":
            body = BODIES["createReport"]
        return self.ask("createReport", self.new(), person.token, body=body)

    def code_not_taking_part(self, operation: str) -> TestResponse:
        if operation != "createReport":
            return self.of_callers(operation, "auth/not_taking_part")
        table = open_table(new_player(self.anyone))
        body = {"type": "message", "category": "spam", "game_id": table.id, "message": 1}
        return self.ask(operation, table, self.new_token(), body=body)

    def code_revision_conflict(self, operation: str) -> TestResponse:
        body = {
            **BODIES.get(operation, {}),
            "revision": 3,
            **({"id": "0"} if operation in ACTING else {}),
        }
        return self.ask(operation, self.new(), body=body, headers={"If_Match": '"4"'})

    def code_stale_revision(self, operation: str) -> TestResponse:
        if operation == "listLegalActions":
            return self.ask(operation, self.new(), query_string="cursor=1.0")
        body = {
            **BODIES.get(operation, {}),
            "revision": 1,
            **({"id": "0"} if operation in ACTING else {}),
        }
        return self.ask(operation, self.new(), body=body)

    def code_running(self, operation: str) -> TestResponse:
        with mock.patch.object(self.context.replies, "replace", return_value=False):
            return self.ask(operation, self.new(), headers=REPEATED, path={"seek_id": NO_GAME})

    def code_mismatch(self, operation: str) -> TestResponse:
        """Repeat a successful request with its key and another body."""
        table, headers = self.new(), REPEATED
        if "idempotency/running" in CODES_OF[operation]:
            with mock.patch.object(self.context.store, "create_replay", return_value=orjson.dumps({"body": "another"})):
                return self.ask(operation, table, headers=headers, path={"seek_id": NO_GAME})
        path = {}
        if operation in ("claimSeat", "startGame"):
            table = self.new(**OPEN_SEAT)
        elif operation == "requestTakeback":
            table.act()
        elif operation == "offerRematch":
            table.host.post(f"{table.path}/abort")
        elif operation == "offerResume":
            self.to_endpoint(table, "pauses")
        elif operation == "answerOffer":
            made = table.seat(1).post(f"{table.path}/pauses").json or {}
            path = {"offer": made["game"]["offers"][0]["id"]}
        first = self.ask(operation, table, headers=headers, path=path)
        assert first.status_code == 201, first.json
        body = {**BODIES.get(operation, {}), **({"id": "0"} if operation in ACTING else {})}
        changed: Json = {"name": "Cleo"} if operation in ("claimSeat", "transferSeat") else {"revision": 77}
        if operation == "importGame":
            changed = {"id": "another"}
        elif operation == "createGame":
            changed = {"variant": "grey"}
        return self.ask(operation, table, headers=headers, path=path, body={**body, **changed})

    # ------------------------------------------------------------------ analyses and tournaments

    def code_nobody_decides(self, operation: str) -> TestResponse:
        table = self.new()
        position = table.view()["position"]
        table.host.post(f"{table.path}/abort")
        if operation == "analysePosition":
            return self.ask(operation, table, body={"position": final_position(position)})
        return self.ask(operation, table)

    def code_not_over(self, operation: str) -> TestResponse:
        body: Json = {"body": {"kind": "review"}} if operation == "analyseGame" else {}
        return self.ask(operation, self.new(), **body)

    def code_revision_not_found(self, operation: str) -> TestResponse:
        if operation in ASKED_AT:
            return self.ask(operation, self.new(), **ASKED_AT[operation](99))
        return self.ask(operation, self.new(), body={"kind": "decision", "revision": 99})

    # ------------------------------------------------------------------ webhooks

    def code_off(self, operation: str) -> TestResponse:
        """Switch outgoing calls off after the setup."""
        table = self.new()
        token = (table.anyone.post("/v1/players", {"bot": True}).json or {})["token"]
        path = {"webhook_id": self.webhook(table.anyone.with_token(token))}
        bot = {"name": "Bot", "url": "https://bot.example/"}
        bodies: Json = {"createTournament": {**BODIES["createTournament"], "endpoints": [bot]}}
        called = {"kind": "http", "endpoint": {"url": bot["url"]}}
        bodies["createGame"] = {**BODIES["createGame"], "seats": [{"kind": "player"}, called]}
        bodies["publishBot"] = {**BODIES["publishBot"], "endpoint": {"url": bot["url"]}}
        body = {"changeWebhook": {"enabled": True}, **bodies}.get(operation, BODIES.get(operation, {}))
        with mock.patch.object(self.context, "settings", replace(self.context.settings, outgoing="off")):
            return self.ask(operation, table, token, path=path, body=body)

    def code_disabled(self, operation: str) -> TestResponse:
        table, token = self.new(), self.new_token()
        owner = table.anyone.with_token(token)
        path = {"webhook_id": self.webhook(owner)}
        owner.patch(f"/v1/me/webhooks/{path['webhook_id']}", {"enabled": False})
        return self.ask(operation, table, token, path=path)

    def code_no_endpoint(self, operation: str) -> TestResponse:
        """Act as a bot that polls."""
        table = self.new()
        token = (table.anyone.post("/v1/players", {"bot": True}).json or {})["token"]
        body_of(table.anyone.with_token(token).put("/v1/me/bot", BODIES["publishBot"]))
        return self.ask(operation, table, token)

    def code_waiting(self, operation: str) -> TestResponse:
        table, token = self.new(), self.new_token()
        owner = table.anyone.with_token(token)
        path = {"webhook_id": self.webhook(owner)}
        pinged = body_of(owner.post(f"/v1/me/webhooks/{path['webhook_id']}/ping"), 202)
        return self.ask(operation, table, token, path={**path, "delivery_id": pinged["id"]})

    # ------------------------------------------------------------------ callers

    def code_read_only(self, operation: str) -> TestResponse:
        """Send a player's token that can only read."""
        table, token = self.new(**(OPEN_SEAT if operation == "claimSeat" else {})), self.new_token()
        reading = table.anyone.with_token(token).post("/v1/me/tokens", {"scopes": ["read"]})
        path = {"webhook_id": self.webhook(table.anyone.with_token(token))}
        return self.ask(operation, table, (reading.json or {})["token"], path=path)

    def code_blocked(self, operation: str) -> TestResponse:
        """Act as a player whom a seated player has blocked."""
        table = self.new(seats=[{"kind": "player"}, *[{"kind": "open"}] * 3])
        if operation == "joinSeek":
            return self.blocked_in_the_lobby(table.anyone)
        if operation in ("createChallenge", "followPlayer"):
            return self.blocked_by_the_challenged(operation, table)
        if operation in ("offerRematch", "answerOffer"):
            return bot_refusals.blocked_rematch(self, operation)
        made = [table.anyone.post("/v1/players").json or {} for _ in range(2)]
        seated, other = (table.anyone.with_token(one["token"]) for one in made)
        for client in (seated, other) if operation == "sendMessage" else (seated,):
            client.post(f"{table.path}/seats")
        seated.put(f"/v1/me/blocked/{made[1]['player']['id']}", {})
        return self.ask(operation, table, other.token)

    def blocked_by_the_challenged(self, operation: str, table: Table) -> TestResponse:
        asked, token = table.anyone.with_token(self.new_token()), self.new_token()
        own = (table.anyone.with_token(token).get("/v1/me").json or {})["id"]
        asked.put(f"/v1/me/blocked/{own}", {})
        return self.ask(operation, table, token, path={"player": (asked.get("/v1/me").json or {})["id"]})

    def blocked_in_the_lobby(self, anyone: Client) -> TestResponse:
        seeker, other = (anyone.with_token(self.new_token()) for _ in range(2))
        seeker.put(f"/v1/me/blocked/{(other.get('/v1/me').json or {})['id']}", {})
        return other.post(f"/v1/seeks/{self.seek(seeker)}/join")

    # ------------------------------------------------------------------ rated games

    def code_rated(self, operation: str) -> TestResponse:
        return self.ask(operation, *self.rated_table())

    def code_in_competition(self, operation: str) -> TestResponse:
        return competition_refusals.in_competition(self, operation)

    def rated_table(self, *seats: Json) -> tuple[Table, str]:
        """Create a rated game with an AI or these seats. Return it and its creator's token."""
        token = self.new_token()
        own = [{"kind": "player"}, *(seats or [{"kind": "ai", "level": "greedy"}])]
        body = {"ruleset": "azul", "variant": "grey", "first_seat": 0, "seats": own, "clock": CLOCK, "rated": True}
        made = body_of(self.anyone.with_token(token).post("/v1/games", body), 201)
        return Table(made["game"]["id"], made["tokens"], self.anyone), token

    def code_token_required(self, operation: str) -> TestResponse:
        body = {"body": {**BODIES["createGame"], **bot_refusals.RATED}} if operation == "createGame" else {}
        return self.ask(operation, self.new(), "", **body)

    def code_player_required(self, operation: str) -> TestResponse:
        if operation == "createGame":
            return self.ask(operation, self.new(), body={**BODIES[operation], **bot_refusals.RATED})
        if operation != "claimSeat":
            return self.of_callers(operation, "auth/player_required")
        return self.ask(operation, self.rated_table({"kind": "open"})[0], "")

    def code_already_seated(self, operation: str) -> TestResponse:
        return self.ask(operation, *self.rated_table({"kind": "open"}), body={"seat": 1})

    def code_not_mixed(self, operation: str) -> TestResponse:
        return bot_refusals.code_not_mixed(self, operation)

    def code_not_ready(self, operation: str) -> TestResponse:
        """Join a game whose creator has started another one since."""
        client = self.anyone.with_token(self.new_token())
        made = [client.post("/v1/games", {**BODIES["createGame"], "clock": CLOCK}).json or {} for _ in range(2)]
        ids = [one["game"]["id"] for one in made]
        self.anyone.with_token(made[1]["tokens"]["host"]).post(f"/v1/games/{ids[1]}/start")
        return self.ask(
            operation, Table(ids[0], made[0]["tokens"], self.anyone), "" if operation == "claimSeat" else None
        )

    def code_declines(self, operation: str) -> TestResponse:
        return bot_refusals.code_declines(self, operation)

    def code_yourself(self, operation: str) -> TestResponse:
        table = self.new()
        if operation == "joinSeek":
            own = table.anyone.with_token(self.new_token())
            seek = body_of(own.post("/v1/seeks", {**BODIES["createSeek"], "variant": "coloured"}), 201)
            return own.post(f"/v1/seeks/{seek['id']}/join")
        made = table.anyone.post("/v1/players").json or {}
        body = {"body": {"token": made["token"]}} if operation == "adoptBot" else {}
        if operation == "createReport":
            body = {"body": {**BODIES[operation], "player": made["player"]["id"]}}
        return self.ask(operation, table, made["token"], path={"player": made["player"]["id"]}, **body)

    # ------------------------------------------------------------------ identities

    def proof(self, operation: str, provider: OidcProvider, **claims: Any) -> tuple[Json, Json]:
        """Return path and body of a request that proves an identity."""
        with mock.patch.object(self.context, "settings", self.settings_with(provider)):
            begun = self.anyone.post("/v1/sign-ins", {"provider": "google"}).json or {}
        token = provider.token(begun["nonce"], **claims)
        shown = {"sign_in": begun["id"]} if operation == "linkIdentity" else {}
        return {"sign_in": begun["id"]}, {**shown, "secret": begun["secret"], "id_token": token}

    def settings_with(self, provider: OidcProvider) -> Settings:
        """Return settings with this provider."""
        return replace(self.context.settings, oidc_providers=(provider.provider("google"),))

    def prove(self, operation: str, provider: OidcProvider, token: str = "", **claims: Any) -> TestResponse:
        """Send the operation with an ID token of the provider."""
        path, body = self.proof(operation, provider, **claims)
        with mock.patch.object(self.context, "settings", self.settings_with(provider)):
            return self.ask(operation, self.new(), token or None, path=path, body=body)

    def new_token(self) -> str:
        """Return the token of a new player."""
        return new_player(self.anyone).token

    def code_refused(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            return self.prove(operation, provider, self.new_token(), nonce="another")

    def code_wrong_secret(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            path, body = self.proof(operation, provider)
            with mock.patch.object(self.context, "settings", self.settings_with(provider)):
                return self.ask(operation, self.new(), self.new_token(), path=path, body={**body, "secret": "a guess"})

    def code_unavailable(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            path, body = self.proof(operation, provider)
            provider.stop()
            if operation == "beginSignIn":
                body = {"provider": "google", "redirect_uri": "https://game.example/back"}
            with mock.patch.object(self.context, "settings", self.settings_with(provider)):
                return self.ask(operation, self.new(), self.new_token(), path=path, body=body)

    def code_taken(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            assert 201 == self.prove(operation, provider, self.new_token()).status_code
            return self.prove(operation, provider, self.new_token())

    def code_linked(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            token = self.new_token()
            assert 201 == self.prove(operation, provider, token).status_code
            return self.prove(operation, provider, token, sub="another")

    def code_unknown(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            return self.prove(operation, provider)

    def code_busy(self, operation: str) -> TestResponse:
        """Claim the identity for a player who does not exist yet."""
        if operation not in ("completeSignIn", "linkIdentity"):
            return bot_refusals.code_busy(self, operation)
        with OidcProvider() as provider:
            name = digest_of(f"{provider.issuer} {provider.subject}")
            assert self.context.identities.reserve(name, NO_GAME, 60)
            return self.prove(operation, provider)

    def code_banned(self, operation: str) -> TestResponse:
        with OidcProvider() as provider:
            token = self.new_token()
            if operation != "getMe":
                assert 201 == self.prove("linkIdentity", provider, token).status_code
            banned = self.context.players.get(token.partition(".")[0])
            assert banned is not None
            self.context.players.change(banned, {"banned_at": "2026-01-01T12:00:00.000Z"})
            return self.ask(operation, self.new(), token) if operation == "getMe" else self.prove(operation, provider)

    def code_muted(self, operation: str) -> TestResponse:
        person = new_player(self.anyone)
        table = open_table(person)
        until_ms = self.context.now_ms() + 60_000
        sanctions.act(self.context, Caller(ADMIN_TOKEN), person.id, "mute", until_ms)
        return self.ask(operation, table, person.token)

    # ------------------------------------------------------------------ players

    def code_handle_taken(self, operation: str) -> TestResponse:
        table = self.new()
        other = table.anyone.with_token(self.new_token())
        other.put("/v1/me/handle", BODIES["setMyHandle"])
        return self.ask(operation, table)

    def code_handle_too_soon(self, operation: str) -> TestResponse:
        table, token = self.new(), self.new_token()
        for handle in ("Ana", "Anna"):
            table.anyone.with_token(token).send("PUT", "/v1/me/handle", json={"handle": handle})
        return self.ask(operation, table, token)

    def code_invite_required(self, operation: str) -> TestResponse:
        table = self.new(**OPEN_SEAT, visibility="private")
        return self.ask(operation, table, table.tokens["watch"])

    # ------------------------------------------------------------------ the game

    def code_rebased(self, operation: str) -> TestResponse:
        """Change the rules after the offer, so that the game continues from its base."""
        table = self.new()
        table.act()
        offer = (table.seat(0).post(f"{table.path}/takebacks").json or {})["game"]["offers"][0]["id"]
        (key,) = self.store.scan_iter(f"*:game:{table.id}")
        state = orjson.loads(unpack(self.store.hget(key, "state")))  # type: ignore[arg-type]
        base: Json = {"revision": offer, "ruleset_version": 1, "position": table.view()["position"]}
        base["state"] = {**state, "base": None}
        self.store.hset(key, "state", orjson.dumps({**state, "base": base}))
        token = table.tokens["seats"]["1" if operation == "answerOffer" else "0"]
        if operation == "analyseGame":
            return self.ask(operation, table, body={"kind": "decision", "revision": 2})
        if operation in ASKED_AT:
            return self.ask(operation, table, **ASKED_AT[operation](2))
        if operation == "requestTakeback":
            table.seat(0).post(f"{table.path}/offers/{offer}/answer", {"accept": False})
        if operation == "answerOffer":
            self.ask(operation, table, table.tokens["seats"]["2"], path={"offer": offer})
        return self.ask(operation, table, token, path={"offer": offer})

    def code_too_late_to_abort(self, operation: str) -> TestResponse:
        table = self.new()
        for _ in THREE:
            table.act()
        return self.ask(operation, table)

    def code_over(self, operation: str) -> TestResponse:
        table = self.new()
        table.host.post(f"{table.path}/abort")
        return self.ask(operation, table)

    def to_endpoint(self, table: Table, what: str) -> None:
        for seat in range(3):
            offers = (table.seat(seat).post(f"{table.path}/{what}").json or {})["game"]["offers"]
            assert seat == 2 or offers

    def code_paused(self, operation: str) -> TestResponse:
        table = self.new()
        self.to_endpoint(table, "pauses")
        return self.ask(operation, table)

    def code_not_your_turn(self, operation: str) -> TestResponse:
        table = self.new()
        return self.ask(operation, table, table.tokens["seats"]["1"])

    def code_illegal_action(self, operation: str) -> TestResponse:
        table = self.new()
        body: Json = {"id": "99999", "revision": table.view()["revision"]}
        if operation in ("analyseGame", "analysePosition"):
            asked = {"kind": "decision"} if operation == "analyseGame" else {"position": table.view()["position"]}
            body = {**asked, "candidate": {"id": "99999"}}
        return self.ask(operation, table, body=body)

    def code_resigned(self, operation: str) -> TestResponse:
        table = self.new()
        table.seat(0).post(f"{table.path}/resignation")
        return self.ask(operation, table, **self.own_seat(operation))

    def own_seat(self, operation: str) -> Json:
        return {"body": {"seat": 0}} if operation == "claimSeat" else {}

    def overdue_table(self, **clock: Any) -> Table:
        """Create a game in which the time of seat 0 is up."""
        table = self.new(clock={**CLOCK, **clock})
        then = self.context.now_ms() + 11_000
        self.context.now_ms = lambda: then  # type: ignore[method-assign]
        return table

    def code_time_is_up(self, operation: str) -> TestResponse:
        return self.ask(operation, self.overdue_table())

    def code_away(self, operation: str) -> TestResponse:
        table = self.overdue_table()
        assert timeouts.keep_time(self.context, table.id)
        return self.ask(operation, table)

    def code_timed_out(self, operation: str) -> TestResponse:
        table = self.overdue_table(on_timeout="lose")
        assert timeouts.keep_time(self.context, table.id)
        return self.ask(operation, table, **self.own_seat(operation))

    # ------------------------------------------------------------------ offers

    def over_or_moved(self, operation: str) -> Table:
        table = self.new()
        if operation == "offerRematch":
            table.host.post(f"{table.path}/abort")
        elif operation == "offerResume":
            self.to_endpoint(table, "pauses")
        else:
            table.act()
        return table

    def code_log_full(self, operation: str) -> TestResponse:
        table = self.over_or_moved(operation)
        with mock.patch.multiple(session, ROOM=1, MAX_EVENTS=1):
            return self.ask(operation, table, **self.own_seat(operation))

    def code_open(self, operation: str) -> TestResponse:
        table = self.over_or_moved(operation)
        assert 201 == self.ask(operation, table).status_code
        return self.ask(operation, table)

    def code_declined(self, operation: str) -> TestResponse:
        table = self.over_or_moved(operation)
        offer = (self.ask(operation, table).json or {})["game"]["offers"][0]["id"]
        table.seat(1).post(f"{table.path}/offers/{offer}/answer", {"accept": False})
        return self.ask(operation, table)

    def code_not_asked(self, operation: str) -> TestResponse:
        table = self.new()
        offer = (table.seat(0).post(f"{table.path}/pauses").json or {})["game"]["offers"][0]["id"]
        return self.ask(operation, table, path={"offer": offer})
