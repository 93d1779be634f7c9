"""Every operation, asked by every kind of caller, for a public and a private game in every state.

The operations come from the document, so a new one fails here until RULES lists its roles and states. The client checks
each answer against the document. This module checks that a private game answers outsiders exactly like an unknown id,
and that no answer contains a secret: no seed before the end, no token, no digest of one. Only secrets that the request
itself has created may appear.

The games are created once and restored in Redis after each request that changed one.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.puzzles import model
from service.settings import Settings
from tests.web.client import OPERATIONS, Client, Json, body_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.game_records import long_record
from tests.web.table import SEED

NO_GAME = "AAAAAAAAAAAAAAAA"
PUZZLE = model.of_ruleset("azul")[0]
QUERIES = {"getPositionBoard": {"position_notation": PUZZLE.notation}}
"""The smallest queries of operations that need one."""
NDJSON = "application/x-ndjson"
LIMITED = re.compile(rb".*:(webhooks:|handle:|seeks|challenge|competition)")
STATES = ("open", "playing", "paused", "finished")
SEATS = ("seat 0", "seat 1", "seated player")  # the last is seat 2, and a player's
HOLDERS = (*SEATS, "host", "watch", "invite", "admin")
OUTSIDERS = ("nobody", "nonsense", "forged", "other game", "player")  # the last is a player without a seat
CALLERS = (*HOLDERS, *OUTSIDERS)


@dataclass(frozen=True)
class Rule:
    """Roles that are allowed, states in which the operation works, and whether everyone is allowed in public games.

    `refused`: the answer in other states.
    """

    may: tuple[str, ...]
    works: tuple[str, ...] = STATES
    public: bool = False
    refused: str = "409"


READ = Rule(HOLDERS, public=True)
RULES = {
    "getGame": READ,
    "listLegalActions": READ,
    "getLegalChoices": READ,
    "getHistory": READ,
    "getPositionAt": READ,
    "streamEvents": READ,
    "submitAction": Rule(SEATS, ("playing",)),
    "previewAction": Rule(SEATS, ("playing",)),
    "resignGame": Rule(SEATS, ("playing", "paused")),
    "requestTakeback": Rule(SEATS, ("playing",)),
    "offerPause": Rule(SEATS, ("playing",)),
    "offerResume": Rule(SEATS, ("paused",)),
    "offerRematch": Rule(SEATS, ("finished",)),
    "answerOffer": Rule(SEATS, ()),  # there is none
    "transferSeat": Rule(SEATS, ("open", "playing", "paused")),
    "claimSeat": Rule(("host", "invite"), ("open",), public=True),
    "startGame": Rule(("host",), ("open",)),
    "abortGame": Rule(("host", "admin"), ("open", "playing", "paused")),
    "rotateToken": Rule(("host",)),
    "listMessages": Rule((*SEATS, "host", "watch", "admin")),
    "sendMessage": Rule((*SEATS, "host")),
    "createTicket": Rule(HOLDERS),
    "exportGame": READ,
    "getBoard": READ,
    "getBoardText": READ,
    "getAnimation": Rule(HOLDERS, ("finished",), public=True),
    "getPresence": READ,
    "getReview": Rule(HOLDERS, (), public=True, refused="404"),  # there is none
    "getGameRating": Rule(HOLDERS, (), public=True),  # none is rated
    "analyseGame": Rule(HOLDERS, ("playing", "paused"), public=True),
}
ACTING = ("submitAction", "previewAction")
STILL_409 = {  # allowed but impossible: it is seat 0's turn, and later only the operator aborts
    *((operation, caller, "playing") for operation in ACTING for caller in ("seat 1", "seated player")),
    *(("abortGame", "host", state) for state in ("playing", "paused")),
}
RECORD: Json = {
    "format": "azul-games/1",
    "id": "elsewhere",
    "ruleset": "azul",
    "ruleset_version": 1,
    "variant": "coloured",
    "seats": [{"kind": "player"}, {"kind": "open"}],
    "created_at": "2026-01-01T00:00:00.000Z",
    "events": [{"revision": 1, "kind": "created", "at": "2026-01-01T00:00:00.000Z"}],
}
DEVICE_KEYS = {  # from RFC 8291
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
USUAL_IDS: Json = {  # of objects that need not exist
    **dict.fromkeys(("token_id", "challenge_id", "device_id", "delivery_id", "staff_id", "report_id"), NO_GAME),
    "ruleset_id": "azul",
    "puzzle_id": PUZZLE.id,
    "revision": 1,
    "message": 1,
    "process": "nowhere",
    "seat": 0,
    "offer": 1,
    "sign_in": "x",
    "provider": "google",
}
ALL = dict.fromkeys(CALLERS, "ok")
FORGED = {"forged": "401"}  # well-formed but unknown
PLAYERS_ONLY = {**dict.fromkeys(CALLERS, "403"), **FORGED, "nobody": "401", "player": "ok", "seated player": "ok"}
OWNER_ONLY = {**PLAYERS_ONLY, "seated player": "404"}  # the webhook is the other player's
STAFF_ONLY = {**dict.fromkeys(CALLERS, "403"), "nobody": "401", "admin": "ok"}  # the operator
UNKNOWN_TO_STAFF = {**STAFF_ONLY, "admin": "404"}
WITHOUT_GAME = {
    "getHealth": ALL,
    "getReadiness": dict.fromkeys(CALLERS, "503"),  # without workers
    "getIndex": ALL,
    "getService": ALL,
    "getOpenapi": ALL,
    "getOpenapiYaml": ALL,
    **dict.fromkeys(("getAdminOpenapi", "getAdminOpenapiYaml"), ALL),
    "getPostmanCollection": ALL,
    "getAsyncapi": ALL,
    "listRulesets": ALL,
    "getRuleset": ALL,
    "listLevels": ALL,
    "listGames": ALL,
    "createGame": {**ALL, **FORGED},
    "createPlayer": ALL,
    "checkPosition": ALL,
    "getPositionBoard": ALL,
    "importGame": {**ALL, **FORGED},
    "analysePosition": ALL,
    "getAnalysis": ALL,
    "getImport": ALL,
    "endAnalysis": ALL,  # the task was created without a token
    "createTournament": ALL,
    "getTournament": ALL,
    "streamTournament": ALL,
    "listTournamentGames": ALL,
    "endTournament": ALL,
    "getMe": PLAYERS_ONLY,
    "rotateMyToken": PLAYERS_ONLY,
    **dict.fromkeys(("changeMe", "setMyHandle", "deleteMyHandle", "createMyToken", "listMyTokens"), PLAYERS_ONLY),
    **dict.fromkeys(("listBlocked", "unblockPlayer", "exportMe", "deleteMe"), PLAYERS_ONLY),
    **dict.fromkeys(("listFollowing", "unfollowPlayer"), PLAYERS_ONLY),
    **{name: {**PLAYERS_ONLY, "player": "409"} for name in ("blockPlayer", "followPlayer")},  # the player themselves
    "deleteMyToken": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},  # unknown id
    "listIdentityProviders": ALL,
    "beginSignIn": dict.fromkeys(CALLERS, "422"),  # no provider is configured
    "completeSignIn": dict.fromkeys(CALLERS, "404"),
    "listIdentities": PLAYERS_ONLY,
    "linkIdentity": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},  # no sign-in has begun
    "unlinkIdentity": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},
    "getLeaderboard": ALL,
    "getPlayerStatistics": ALL,
    "listMyChallenges": PLAYERS_ONLY,
    **dict.fromkeys(("streamMyChallenges", "streamMyEvents"), PLAYERS_ONLY),
    "createChallenge": {**PLAYERS_ONLY, "player": "409"},  # the player themselves
    **{
        operation: {**PLAYERS_ONLY, "player": "404", "seated player": "404"}  # unknown id
        for operation in ("getChallenge", "acceptChallenge", "declineChallenge", "deleteChallenge")
    },
    "getPushKey": ALL,
    **dict.fromkeys(("subscribeDevice", "listDevices"), PLAYERS_ONLY),
    "unsubscribeDevice": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},  # unknown id
    "listBots": ALL,
    "getBot": dict.fromkeys(CALLERS, "404"),  # the player is not a bot
    "publishBot": {**PLAYERS_ONLY, "player": "409", "seated player": "409"},  # both are people
    "withdrawBot": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},
    **{
        operation: {**PLAYERS_ONLY, "player": "404", "seated player": "404"}
        for operation in ("rotateBotSecret", "endOldBotSecrets")
    },
    "adoptBot": {**PLAYERS_ONLY, "player": "401", "seated player": "401"},  # the token in the body is unknown
    "listMyBots": PLAYERS_ONLY,
    "releaseBot": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},
    "createCompetition": PLAYERS_ONLY,
    "listMyCompetitions": PLAYERS_ONLY,
    **dict.fromkeys(("listCompetitions", "streamCompetition", "listCompetitionGames"), ALL),
    "getCompetition": {**ALL, **FORGED},
    "joinCompetition": PLAYERS_ONLY,
    "leaveCompetition": PLAYERS_ONLY,
    "startCompetition": {**PLAYERS_ONLY, "player": "409", "seated player": "403"},  # nobody has
    "cancelCompetition": {**PLAYERS_ONLY, "seated player": "403", "admin": "ok"},  # the other player hosts it
    "adjudicateGame": {**PLAYERS_ONLY, "player": "404", "seated player": "403", "admin": "404"},  # there is none
    "removeFromCompetition": {**PLAYERS_ONLY, "player": "409", "seated player": "403"},
    "listSeeks": ALL,
    "createSeek": PLAYERS_ONLY,
    **dict.fromkeys(("getSeek", "streamSeek", "deleteSeek"), OWNER_ONLY),
    "joinSeek": {**PLAYERS_ONLY, "player": "409"},  # the player themselves
    "getPlayer": ALL,
    "getPlayerRatings": ALL,
    "listPlayerGames": {**ALL, **FORGED},
    "listMyTurns": PLAYERS_ONLY,
    "listMyGames": PLAYERS_ONLY,
    **dict.fromkeys(("createWebhook", "listWebhooks"), PLAYERS_ONLY),
    **dict.fromkeys(("getWebhook", "changeWebhook", "listDeliveries", "pingWebhook", "deleteWebhook"), OWNER_ONLY),
    **dict.fromkeys(("rotateWebhookSecret", "endOldWebhookSecrets"), OWNER_ONLY),
    "resendDelivery": {**OWNER_ONLY, "player": "404"},  # unknown id
    **dict.fromkeys(("listAllGames", "listStaff", "createStaffMember", "listAuditEntries", "listReports"), STAFF_ONLY),
    **dict.fromkeys(("getReport", "resolveReport", "requestReportReviews", "getReportedBoard"), UNKNOWN_TO_STAFF),
    **dict.fromkeys(("deleteStaffMember", "deleteMessage", "endGame"), UNKNOWN_TO_STAFF),
    **dict.fromkeys(("drainProcess", "resumeProcess"), UNKNOWN_TO_STAFF),
    **dict.fromkeys(("getServiceState", "listSettings", "listFigures", "searchPlayers", "listAllBots"), STAFF_ONLY),
    **dict.fromkeys(("listAllCompetitions", "cancelAnyCompetition"), STAFF_ONLY),
    **dict.fromkeys(("setAnnouncement", "deleteAnnouncement", "beginMaintenance", "endMaintenance"), STAFF_ONLY),
    **dict.fromkeys(("exportPlayer", "deletePlayer", "actOnRatedGames"), STAFF_ONLY),
    **dict.fromkeys(("getModeratedPlayer", "actOnPlayer", "listLinkedPlayers", "listRatedGames"), STAFF_ONLY),
    **dict.fromkeys(("getPuzzle", "getPuzzleBoard", "getPuzzleBoardText", "getDailyPuzzle", "getDailyBoard"), ALL),
    **{name: {**ALL, **FORGED} for name in ("getNextPuzzle", "attemptPuzzle")},
    "getMyPuzzles": PLAYERS_ONLY,
    "listMyReports": PLAYERS_ONLY,
    "createReport": {**PLAYERS_ONLY, "player": "404", "seated player": "404"},  # nobody has the handle
}
BODIES: dict[str, Json] = {
    "createGame": {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}, {"kind": "open"}]},
    "answerOffer": {"accept": True},
    "sendMessage": {"text": "hello"},
    "rotateToken": {"role": "watch"},
    "importGame": RECORD,
    "analyseGame": {"kind": "decision"},
    "createTournament": {"ruleset": "azul", "variant": "coloured", "levels": ["greedy", "random"], "deals": 1},
    "createWebhook": {"url": "https://bot.example/azul"},
    "changeWebhook": {"events": None},
    "changeMe": {"colour": "#123456"},
    "setMyHandle": {"handle": "Somebody"},
    "createChallenge": {"ruleset": "azul", "variant": "grey"},
    "publishBot": {"rulesets": ["azul"]},
    "subscribeDevice": {"subscription": {"endpoint": "https://push.example/send/x", "keys": DEVICE_KEYS}},
    "adoptBot": {"token": f"{NO_GAME}.{'x' * 43}"},
    "createSeek": {"ruleset": "azul", "variant": "grey", "seats": 4},
    "createCompetition": {
        "name": "Open",
        "format": "swiss",
        "ruleset": "azul",
        "variant": "grey",
        "clock": {"turn_s": 30, "bank_s": 60},
    },
    "adjudicateGame": {"result": "draw"},
    "createReport": {"type": "player", "category": "abuse", "player": "nobody-9"},
    "attemptPuzzle": {"answers": [{"id": str(PUZZLE.steps[0].solutions[0])}]},
    "actOnPlayer": {"act": "unban"},
    "setAnnouncement": {"en": "A new ruleset!"},
    "actOnRatedGames": {"act": "remove_rated_games", "reason": "Cheating."},
    "resolveReport": {"status": "no_action"},
    "createStaffMember": {"name": "Kim", "role": "moderator"},
    "beginSignIn": {"provider": "google"},
    "completeSignIn": {"secret": "x", "id_token": "x"},
    "linkIdentity": {"sign_in": "x", "secret": "x", "id_token": "x"},
}
THREE = [{"kind": "player", "name": name} for name in ("Ana", "Ben", "Cleo")]


@dataclass
class Known:
    """A new game, with all tokens and its content in Redis."""

    id: str
    tokens: dict[str, str]
    action: Json = field(default_factory=dict)
    frozen: dict[bytes, bytes] = field(default_factory=dict)


def first_items(answer: TestResponse, count: int) -> bytes:
    """Return the first items of a stream and close it."""
    items: Any = answer.response
    content = b"".join(itertools.islice(items, count))
    answer.close()
    return content


class World:
    """The application, games in every state, and all secrets in use."""

    def __init__(self, app: Flask, store: Redis) -> None:
        self.app, self.flask, self.store = app, app.test_client(), store
        self.player, self.seated = (self.call("POST", "/v1/players") for _ in range(2))
        self.shared = {"player": self.player["token"], "seated player": self.seated["token"], "admin": ADMIN_TOKEN}
        self.shared |= {"nonsense": "x" * 43, "forged": f"{self.player['player']['id']}.{'x' * 43}"}
        self.secrets = {ADMIN_TOKEN, self.player["token"], self.seated["token"]}
        self.shared["other game"] = self.create("public", "open").tokens["seat 0"]
        self.games = {key: self.create(*key) for key in itertools.product(("public", "private"), STATES)}
        known = self.games["public", "playing"]
        self.position = self.call("GET", f"/v1/games/{known.id}")["position"]
        self.secrets |= {hashlib.sha256(secret.encode()).hexdigest() for secret in self.secrets}
        self.players = {key: self.dump(key) for key in store.scan_iter("*:player:*")}

    def call(self, method: str, path: str, token: str | None = None, body: Any = None) -> Json:
        """Return the answer to a request that must succeed."""
        return body_of(Client(self.flask, token).send(method, path, json=body))

    def create(self, visibility: str, state: str) -> Known:
        """Create a game in this state with three people, the last a player (and an open seat if it is open)."""
        seats = [*THREE, *([{"kind": "open"}] if state == "open" else [])]
        rules = {"ruleset": "azul", "variant": "coloured", "first_seat": 0, "seed": SEED, "visibility": visibility}
        made = self.call("POST", "/v1/games", None, {**rules, "seats": seats})
        created = made["tokens"]
        tokens = {name: created[name] for name in ("host", "watch", "invite")}
        tokens |= {f"seat {number}": token for number, token in created["seats"].items()}
        self.secrets |= set(tokens.values())
        game = Known(made["game"]["id"], {**self.shared, **tokens})
        path = f"/v1/games/{game.id}"
        created = self.call("POST", f"{path}/seats/2/handover", tokens["seat 2"])["token"]
        self.call("POST", f"{path}/seats", self.seated["token"], {"seat": 2, "token": created})
        self.secrets.add(created)
        if state != "open":
            for caller in SEATS:
                self.call("POST", f"{path}/actions", game.tokens[caller], self.first_action(game))
            game.action = self.first_action(game)
        if state == "paused":
            offer = self.call("POST", f"{path}/pauses", game.tokens["seat 0"])["game"]["offers"][0]["id"]
            for caller in SEATS[1:]:
                self.call("POST", f"{path}/offers/{offer}/answer", game.tokens[caller], {"accept": True})
        if state == "finished":
            for caller in SEATS[:2]:
                self.call("POST", f"{path}/resignation", game.tokens[caller])
        view = self.call("GET", path, game.tokens["host"])
        assert state == ("paused" if view["paused_until"] else view["status"])
        game.action = game.action or {"id": "0", "revision": view["revision"]}
        game.action["revision"] = view["revision"]
        game.frozen = {key: self.dump(key) for key in self.store.scan_iter(f"*{game.id}*")}
        return game

    def first_action(self, game: Known) -> Json:
        legal = self.call("GET", f"/v1/games/{game.id}/actions?limit=1", game.tokens["host"])
        return {"id": legal["actions"][0]["id"], "revision": legal["revision"]}

    def dump(self, key: bytes) -> bytes:
        content: Any = self.store.dump(key)
        return bytes(content)

    def revision(self, game: Known) -> int:
        """Return the game's revision in the store."""
        (key,) = (key for key in game.frozen if key.endswith(b":game:" + game.id.encode()))
        return int(self.store.hget(key, "revision") or 0)

    def makers(self, path: str) -> dict[str, Callable[[], str]]:
        """Return functions that create objects of a path: an anonymous task, or objects of a player without a seat."""
        return {
            "task_id": lambda: self.task(path),
            "webhook_id": self.webhook,
            "seek_id": lambda: self.create_owned("/v1/seeks", "createSeek")["id"],
            "competition_id": lambda: self.create_owned("/v1/competitions", "createCompetition")["id"],
        }

    def task(self, path: str) -> str:
        """Create an analysis, an import or a tournament. Return its id."""
        if "analyses" in path:
            return str(self.call("POST", "/v1/analyses", None, {"position": self.position})["id"])
        if "imports" in path:
            return str(self.call("POST", "/v1/games/import", None, long_record())["id"])
        return str(self.call("POST", "/v1/tournaments", None, BODIES["createTournament"])["id"])

    def webhook(self) -> str:
        made = self.create_owned("/v1/me/webhooks", "createWebhook")
        self.secrets.add(made["secret"])
        return str(made["webhook"]["id"])

    def create_owned(self, path: str, operation: str) -> Json:
        return self.call("POST", path, self.player["token"], BODIES[operation])

    def restore(self, game: Known | None) -> None:
        """Restore the game, or the players, to their first state."""
        frozen = self.players if game is None else game.frozen
        pipeline = self.store.pipeline(transaction=True)
        for key in [] if game is None else self.store.scan_iter(f"*{game.id}*"):
            pipeline.delete(key)
        for key, content in frozen.items():
            pipeline.restore(key, 0, content, replace=True)
        pipeline.execute()
        context = self.app.extensions["context"]
        context.views.clear()  # a log never changes except here
        context.steps.clear()

    def forget_limited(self) -> None:
        """Delete objects of which a player has only a few."""
        if found := [key for key in self.store.scan_iter(count=1000) if LIMITED.match(key)]:
            self.store.delete(*found)

    def ask(self, operation: str, caller: str, game: Known | None, game_id: str = "") -> tuple[TestResponse, bytes]:
        """Send the smallest valid request. Return the answer, and its headers and body as bytes."""
        method, path, _ = OPERATIONS[operation]
        tokens = self.shared if game is None else game.tokens
        seat = SEATS.index(caller) if caller in SEATS else 0
        own = {"game_id": game_id or NO_GAME, "seat": seat, "player": self.player["player"]["id"]}
        made = {name: make() for name, make in self.makers(path).items() if f"{{{name}}}" in path}
        path = path.format(**{**USUAL_IDS, **own, **made})
        headers = {"X-Request-Id": "of-the-test", "Accept": f"application/json, {NDJSON};q=0.5"}
        body = game.action if game is not None and operation in ACTING else BODIES.get(operation)
        if operation in ("checkPosition", "analysePosition"):
            body = {"position": self.position}
        client, query = Client(self.flask, tokens.get(caller)), QUERIES.get(operation)
        answer = client.send(method, path, headers=headers, json=body, query_string=query)
        if operation.startswith("stream") and answer.status_code == 200:
            content = first_items(
                answer, 1 + (operation not in ("streamMyChallenges", "streamMyEvents"))
            )  # may have none
        else:
            content = answer.get_data()
        return answer, str(answer.headers).encode() + content


@pytest.fixture(scope="module")
def world(valkey: EmbeddedRedis) -> Iterator[World]:
    """Create the games of this module."""
    if valkey.pid is None:
        valkey.restart()
    with Redis.from_url(valkey.socket_url) as store:
        store.flushdb()
        environment = {"ADMIN_TOKEN": ADMIN_TOKEN, "OUTGOING": "on"}
        app = create_app(Settings.from_environment({"REDIS_URL": valkey.url, **environment}))
        yield World(app, store)
        app.extensions["context"].hub.close()


def family(rule: Rule, operation: str, caller: str, visibility: str) -> str:
    """Return the expected result of a caller."""
    if operation == "claimSeat" and caller == "forged":
        return "401"
    if visibility == "public" and rule.public:
        return "ok"
    if caller in OUTSIDERS:
        return "404" if visibility == "private" else "403" if caller == "player" else "401"
    return "ok" if caller in rule.may else "403"


def expected_family(operation: str, caller: str, key: tuple[str, str]) -> str:
    """Return the expected result: ok (409 or 404 where the operation does not work), 401, 403 or 404."""
    visibility, state = key
    rule = RULES[operation]
    results = family(rule, operation, caller, visibility)
    if results != "ok":
        return results
    return "ok" if state in rule.works and (operation, caller, state) not in STILL_409 else rule.refused


def actual_family(answer: TestResponse) -> str:
    """Return the actual result of an answer."""
    return "ok" if answer.status_code < 300 else str(answer.status_code)


def test_the_tables_contain_exactly_the_operations() -> None:
    assert set(OPERATIONS) == set(RULES) | set(WITHOUT_GAME)
    of_games = {name for name, (_, path, _) in OPERATIONS.items() if path.startswith("/v1/games/{game_id}")}
    assert of_games == set(RULES)


@pytest.mark.parametrize("operation", RULES)
def test_every_caller_gets_the_expected_answer_for_every_game_and_no_secret(world: World, operation: str) -> None:
    seen, expected, actual = {}, {}, []
    for key, game in world.games.items():
        for caller in CALLERS:
            answer, content = world.ask(operation, caller, game, game.id)
            case = f"{caller}, {' '.join(key)}"
            expected[case], seen[case] = expected_family(operation, caller, key), actual_family(answer)
            secrets = world.secrets | (set() if key[1] == "finished" else {SEED})
            if operation == "abortGame" and answer.status_code == 201:
                secrets -= {SEED}  # it is over, so the seed is public
            actual += [f"{case}: contains {secret[:6]}…" for secret in secrets if secret.encode() in content]
            if answer.status_code == 201:
                world.restore(game)
        if world.revision(game) != game.action["revision"]:
            actual.append(f"{' '.join(key)}: a request that was refused changed the game")
    assert [] == actual
    assert expected == seen


@pytest.mark.parametrize("operation", RULES)
def test_a_private_game_answers_outsiders_like_an_unknown_id(world: World, operation: str) -> None:
    for state, caller in itertools.product(STATES, OUTSIDERS):
        game = world.games["private", state]
        private, private_content = world.ask(operation, caller, game, game.id)
        unknown, unknown_content = world.ask(operation, caller, game, NO_GAME)
        assert (state, caller, unknown.status_code, unknown_content) == (
            state,
            caller,
            private.status_code,
            private_content,
        )


@pytest.mark.parametrize("operation", WITHOUT_GAME)
def test_every_caller_gets_the_expected_answer_without_a_game(world: World, operation: str) -> None:
    seen, actual = {}, []
    for caller in CALLERS:
        game = world.games["private", "playing"]
        answer, content = world.ask(operation, caller, game)
        seen[caller] = actual_family(answer)
        actual += [f"{caller}: contains {secret[:6]}…" for secret in world.secrets if secret.encode() in content]
        for changed in (None, *(world.games.values() if operation == "deleteMe" else ())):
            world.restore(changed)
        world.forget_limited()
    assert [] == actual
    assert WITHOUT_GAME[operation] == seen


@pytest.mark.parametrize("query", ["", "?after=1"])
@pytest.mark.parametrize("state", ["open", "playing", "paused"])
def test_no_item_of_a_stream_contains_a_secret(world: World, state: str, query: str) -> None:
    game = world.games["private", state]
    headers = {"Authorization": f"Bearer {game.tokens['watch']}", "Accept": NDJSON}
    answer = world.flask.get(f"/v1/games/{game.id}/events{query}", headers=headers)
    items = game.action["revision"] - 1 if query else 1
    content = first_items(answer, items)
    assert items == content.count(b"\n")
    assert [] == [secret for secret in world.secrets | {SEED} if secret.encode() in content]


def test_an_invalid_ticket_does_not_reveal_a_private_game(world: World) -> None:
    game = world.games["private", "playing"]
    headers = {"X-Request-Id": "of-the-test"}
    private, unknown = (
        world.flask.get(f"/v1/games/{game_id}/events?ticket=nonsense", headers=headers)
        for game_id in (game.id, NO_GAME)
    )
    assert (unknown.status_code, (unknown.json or {})["code"]) == (private.status_code, (private.json or {})["code"])
