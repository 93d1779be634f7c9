"""Play a small game of every ruleset over the API and record a request and response for each operation.

Operations that differ between rulesets are recorded for each, as `<operation>.<ruleset>.json`, the others once. A
further status is recorded as `<operation>.<status>.json`. Fixed values replace random ones, times and secrets, so that
every recording produces the same files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import orjson
from werkzeug.test import TestResponse

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.storage.notifications.webhooks import DeliveryKey
from service.storage.people.leaderboards import Place
from service.storage.work.tasks import DONE, RUNNING
from service.usecases.notifications import dispatch
from service.usecases.people import follow_ups, leaderboard_names
from service.usecases.puzzles import puzzle_views
from service.usecases.views.viewers import MAX_CONNECTIONS, STREAM_LIFETIME_S
from tests.openapi.recorded_competitions import compete
from tests.outgoing.oidc_provider import OidcProvider
from tests.usecases.players import everybody_decides
from tests.web.client import Client, Json, operation_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.game_records import long_record, process_import
from tests.web.test_callers import DEVICE_KEYS
from workers import jobs
from workers.search.decisions import search_at_level
from workers.tasks import analysis

SHOWN_SETTINGS = ("PORT", "ADMIN_TOKEN", "GAME_TTL_S")
SHOWN_LEVELS, SHOWN_REASONS, SHOWN_SCHEMAS = 3, 3, 2
PLAIN = ("createGame", "claimSeat", "listLegalActions", "submitAction", "abortGame")
OF_A_RULESET = ("getRuleset", "listLegalActions", "getLegalChoices", "getGame", "submitAction")
FOLDER = Path(__file__).parents[2] / "openapi" / "examples"
VERSION = re.compile(r'"version": \d{13}')  # of a competition: unix ms, at least
DAY = re.compile(r'"day": "\d{4}-\d\d-\d\d"')
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LATER = re.compile(r" \+[0-9.]+$", re.MULTILINE)  # seconds since the previous event, in a game as text
TEXT = "text/plain"
SEED = "07" * 32
SIMULATIONS = 2_000
NOON_MS = 1_767_268_800_000
"""A time in 2026-01-01, the day of all examples."""
DECISIONS = 10  # after this many first actions there are tiles to place


def new_game(ruleset: Ruleset) -> Json:
    """Return the host's request."""
    return {
        "ruleset": ruleset.id,
        "variant": ruleset.variants[0],
        "seats": [{"kind": "player", "name": "Ana"}, {"kind": "open"}],
        "first_seat": 0,
        "seed": SEED,
        "visibility": "public",
    }


class Recorder:
    """Send requests and record the first response for each file and status."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.ruleset = ""
        self.found: dict[str, Json] = {}
        self.stand_ins: dict[str, str] = {}
        self.keeps: Callable[[str], bool] = lambda _operation: True

    def stand_in(self, real: str, name: str) -> None:
        """Replace a secret by a fixed one of the same length and alphabet."""
        digest = hashlib.sha512(name.encode()).hexdigest()
        self.stand_ins[real] = digest[: len(real)]

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> TestResponse:
        """Send a request and record its successful answer."""
        handover = {} if body is None else {"json": body}
        answer = self.client.with_token(token).send(method, path, headers=headers, **handover)
        operation = operation_of(method, path.partition("?")[0])
        assert answer.status_code < 300, answer.data
        assert operation is not None
        with answer:
            content = _content(answer)
        kept = {"request": body, "status": answer.status_code, "content_type": answer.mimetype, "response": content}
        name = operation["operationId"]
        name += f".{self.ruleset}" * (name in OF_A_RULESET) + ".text" * (answer.mimetype == TEXT)
        if self.found.get(name, kept)["status"] != kept["status"]:
            name += f".{kept['status']}"
        if self.keeps(operation["operationId"]):
            self.found.setdefault(name, kept)
        return answer

    def normal(self) -> dict[str, bytes]:
        """Return the files by name without `.json`."""
        return {name: self._normal(recorded) for name, recorded in self.found.items()}

    def _normal(self, recorded: Json) -> bytes:
        is_text = recorded["content_type"] == TEXT
        if is_text:
            recorded["response"] = LATER.sub("", recorded["response"])
        if not is_text:
            shorten(recorded["response"])
        text = orjson.dumps(recorded, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
        for real, instead in self.stand_ins.items():
            text = text.replace(real, instead)
        export = orjson.loads(text)
        if "blocked" in export["response"] and "games" in export["response"]:  # sorted by their real ids
            export["response"]["games"].sort(key=lambda game: str(game["id"]))
            text = orjson.dumps(export, option=orjson.OPT_INDENT_2).decode()
        text = VERSION.sub('"version": 1767268800000', text)
        text = DAY.sub('"day": "2026-01-01"', text)
        return TIME.sub("2026-01-01T12:00:00.000Z", text).encode() + b"\n"


def shorten(response: Json) -> None:
    """Keep a few entries of long lists, only the heads of documents, and no figures that vary."""
    if "info" in response:
        head = {name: text for name, text in response["info"].items() if name in {"title", "name", "version", "schema"}}
        empty = {name: type(response[name])() for name in ("paths", "item", "channels") if name in response}
        texts = {name: text for name, text in response.items() if isinstance(text, str)}
        response.clear()
        response |= texts | {"info": head} | empty
    for server in response.get("servers", ()):
        server |= {"ping_s": 0.0004, "used_bytes": 4_000_000}
    for work in (*response.get("queues", ()), *response.get("due", ())):
        work |= {"count": 0, "oldest_s": 0.0}
    if "settings" in response:
        response["settings"] = [one for one in response["settings"] if one["name"] in SHOWN_SETTINGS]
    levels = response.get("levels", [])
    del levels[SHOWN_LEVELS:]
    for level in levels:
        del level["strength"][1:]
    if "components" in response:
        del response["reasons"][SHOWN_REASONS:]
        for name in ("actions", "draws", "effects"):
            response["schemas"][name] = dict(list(response["schemas"][name].items())[:SHOWN_SCHEMAS])


def _content(answer: TestResponse) -> Any:
    """Return the content of an answer. Of a stream, return the first item."""
    if answer.mimetype == TEXT:
        return answer.text
    return answer.json if answer.is_json else orjson.loads(next(line for line in _lines(answer) if line))


def _lines(answer: TestResponse) -> Iterator[bytes]:
    """Yield the lines of an answer as they arrive."""
    for part in answer.iter_encoded():
        yield from part.splitlines()


def play(recorder: Recorder) -> None:
    """Play a game of each ruleset to its end and send all other requests."""
    documents = ("/v1/openapi.json", "/v1/admin/openapi.json", "/v1/asyncapi.json", "/v1/postman.json")
    for path in ("/", "/v1/rulesets", "/v1/levels", "/healthz", "/readyz", *documents):
        recorder.ask("GET", path)
    play_among_people(recorder)
    for ruleset in RULESETS.values():
        recorder.ruleset = ruleset.id
        if ruleset is next(iter(RULESETS.values())):
            recorder.ask("GET", f"/v1/rulesets/{ruleset.id}")
        play_game(recorder, ruleset)
        play_to_choices(recorder, ruleset)
    play_in_the_background(recorder)
    for operation in ("start", "abort"):
        made = recorder.ask("POST", "/v1/games", new_game(next(iter(RULESETS.values())))).json or {}
        stand_in(recorder, made)
        body, host = {"revision": made["game"]["revision"]}, made["tokens"]["host"]
        recorder.ask("POST", f"/v1/games/{made['game']['id']}/{operation}", body, host)


def play_among_people(recorder: Recorder) -> None:
    """Play with two people and a clock, and use all features of a game. Operations of plain games are not recorded."""
    recorder.keeps = lambda operation: operation not in PLAIN
    ana, ben = (new_player(recorder, name) for name in ("Ana", "Ben"))
    describe_oneself(recorder, ana)
    block_and_follow(recorder, ana, ben)
    link_an_identity(recorder, ana)
    body = {**new_game(next(iter(RULESETS.values()))), "clock": {"turn_s": 60, "bank_s": 600}}
    made = recorder.ask("POST", "/v1/games", body, ana).json or {}
    stand_in(recorder, made)
    path = f"/v1/games/{made['game']['id']}"
    recorder.ask("POST", f"{path}/seats", token=ben)
    for operation in ("turns", "games?limit=1"):
        recorder.ask("GET", f"/v1/me/{operation}", token=ana)
    recorder.ask("GET", "/v1/players/ana-bel/games?limit=1")
    work_as_staff(recorder)
    recorder.ask("POST", f"{path}/messages", {"text": "Good luck!"}, ben)
    recorder.ask("GET", f"{path}/messages", token=ana)
    report_a_message(recorder, ana, made["game"]["id"])
    ticket = recorder.ask("POST", f"{path}/tickets", {}, ana).json or {}
    recorder.stand_in(ticket["ticket"], "ticket")
    rotated = recorder.ask("POST", f"{path}/tokens", {"role": "invite"}, ana).json or {}
    recorder.stand_in(secret_of(rotated["token"]), "rotated")
    offer_and_answer(recorder, path, ana, ben)
    cleo, dora = (new_player(recorder, name) for name in ("Cleo", "Dora"))
    seek_each_other(recorder, cleo, dora)
    compete(recorder, cleo, dora)
    name_a_webhook(recorder, ana)
    publish_a_bot(recorder, ana)
    for part in ("bots", "competitions", "figures?days=1"):
        recorder.ask("GET", f"/v1/admin/{part}", token=ADMIN_TOKEN)
    play_for_ratings(recorder, ana, ben)
    export_data(recorder, ana)
    handover = recorder.ask("POST", f"{path}/seats/1/handover", {"name": "Eve"}, ben).json or {}
    name_issued_token(recorder, handover["token"], "given")
    recorder.ask("POST", f"{path}/abort", {}, ana)
    recorder.ask("POST", f"{path}/rematch", {}, ana)
    renewed = recorder.ask("POST", "/v1/me/token", {}, ana).json or {}
    recorder.stand_in(secret_of(renewed["token"]), "renewed")
    recorder.keeps = lambda _operation: True


def solve_puzzles(recorder: Recorder, ana: str) -> None:
    """Answer the puzzle of a day wrong, as a player. All examples show that puzzle."""
    context = recorder.client.flask.application.extensions["context"]
    with mock.patch.object(context, "now_ms", return_value=NOON_MS):
        daily = (recorder.ask("GET", "/v1/puzzles/daily").json or {})["puzzle"]
        ids = [puzzle.id for puzzle in puzzle_views.all_puzzles()]
        recorder.ask("GET", f"/v1/puzzles/next?after={ids[ids.index(daily['id']) - 1]}")
        recorder.ask("GET", f"/v1/puzzles/{daily['id']}")
        puzzle = puzzle_views.find(daily["id"])
        wrong = next(action for action in puzzle.position.legal_actions() if action not in puzzle.steps[0].solutions)
        answers = {"answers": [{"notation": puzzle.position.ruleset.notation_of(wrong)}]}
        recorder.ask("POST", f"/v1/puzzles/{puzzle.id}/attempts", answers, ana)
        recorder.ask("GET", "/v1/me/puzzles", token=ana)


def export_data(recorder: Recorder, ana: str) -> None:
    """Let a player solve a puzzle, and export their data, by themselves and by an admin."""
    solve_puzzles(recorder, ana)
    exported = recorder.ask("GET", "/v1/me/export", token=ana).json or {}
    recorder.stand_in(exported["addresses"][0]["digest"], "address")
    path = f"/v1/admin/players/{ana.partition('.')[0]}/export"
    recorder.ask("POST", path, {"reason": "Asked by e-mail."}, ADMIN_TOKEN)


def work_as_staff(recorder: Recorder) -> None:
    """Create a moderator, and read what only the staff may read."""
    recorder.ask("GET", "/v1/admin/games?limit=1", token=ADMIN_TOKEN)
    made = recorder.ask("POST", "/v1/admin/staff", {"name": "Kim", "role": "moderator"}, ADMIN_TOKEN).json or {}
    recorder.ask("GET", "/v1/admin/staff", token=ADMIN_TOKEN)
    for part in ("state", "settings"):
        recorder.ask("GET", f"/v1/admin/{part}", token=ADMIN_TOKEN)
    log = recorder.ask("GET", "/v1/admin/log?limit=1", token=made["token"]).json or {}
    recorder.stand_in(secret_of(made["token"]), "token of Kim")
    recorder.stand_in(made["member"]["id"], "Kim")
    recorder.stand_ins[log["entries"][0]["id"]] = "1767268800000-0-0"
    announcement = {"en": "A new ruleset!", "de": "Ein neues Spiel!", "until": "2099-01-01T00:00:00.000Z"}
    recorder.ask("PUT", "/v1/admin/announcement", announcement, ADMIN_TOKEN)
    recorder.ask("PUT", "/v1/admin/maintenance", {"reason": "An upgrade."}, ADMIN_TOKEN)
    recorder.ask("GET", "/v1")
    recorder.client.with_token(ADMIN_TOKEN).delete("/v1/admin/maintenance")


def report_a_message(recorder: Recorder, ana: str, game_id: str) -> None:
    """Report the first message of a game, and resolve the report."""
    body = {"type": "message", "category": "abuse", "game_id": game_id, "message": 1, "text": "Sarcasm."}
    made = recorder.ask("POST", "/v1/reports", body, ana).json or {}
    path = f"/v1/admin/reports/{made['id']}"
    recorder.ask("GET", "/v1/admin/reports?status=received", token=ADMIN_TOKEN)
    recorder.ask("GET", path, token=ADMIN_TOKEN)
    recorder.ask("POST", f"{path}/reviews", token=ADMIN_TOKEN)
    recorder.ask("PUT", f"{path}/status", {"status": "no_action", "reason": "It is friendly."}, ADMIN_TOKEN)
    recorder.ask("GET", "/v1/me/reports", token=ana)
    player = f"/v1/admin/players/{ana.partition('.')[0]}"
    recorder.ask("POST", f"{player}/acts", {"act": "warn", "reason": "Report only what breaks the rules."}, ADMIN_TOKEN)
    recorder.client.with_token(ADMIN_TOKEN).post(f"{player}/acts", {"act": "withdraw_warning"})
    for path in (player, f"{player}/linked", "/v1/admin/players?handle=ana"):
        recorder.ask("GET", path, token=ADMIN_TOKEN)
    recorder.stand_in(made["id"], "report")


def describe_oneself(recorder: Recorder, ana: str) -> None:
    """Change a profile and create a token for another device."""
    recorder.ask("PATCH", "/v1/me", {"colour": "#0a7ac2", "country": "PT"}, ana)
    recorder.ask("PUT", "/v1/me/handle", {"handle": "ana-bel"}, ana)
    recorder.ask("GET", "/v1/me", token=ana)
    recorder.ask("GET", "/v1/players/ana-bel")
    made = recorder.ask("POST", "/v1/me/tokens", {"name": "phone", "scopes": ["read"]}, ana).json or {}
    recorder.stand_in(secret_of(made["token"]), "phone")
    name_tokens(recorder, ana)


def block_and_follow(recorder: Recorder, ana: str, ben: str) -> None:
    """Block a player, unblock and follow them."""
    other, client = ben.partition(".")[0], recorder.client.with_token(ana)
    client.send("PUT", f"/v1/me/blocked/{other}", json={})
    recorder.ask("GET", "/v1/me/blocked", token=ana)
    client.send("DELETE", f"/v1/me/blocked/{other}")
    client.send("PUT", f"/v1/me/following/{other}", json={})
    recorder.ask("GET", "/v1/me/following", token=ana)


def name_tokens(recorder: Recorder, ana: str) -> None:
    """Replace the ids of all tokens."""
    for number, token in enumerate((recorder.ask("GET", "/v1/me/tokens", token=ana).json or {})["tokens"]):
        recorder.stand_in(token["id"], f"token {number}")


def seek_each_other(recorder: Recorder, cleo: str, dora: str) -> None:
    """Pair two players in the lobby, then send two challenges."""
    seek_body = {
        "ruleset": "azul",
        "variant": "grey",
        "clock": {"turn_s": 60},
        "fill": {"level": "club", "after_s": 30},
    }
    first = recorder.ask("POST", "/v1/seeks", seek_body, cleo).json or {}
    recorder.ask("GET", "/v1/seeks?ruleset=azul")
    recorder.ask("GET", f"/v1/seeks/{first['id']}", token=cleo)
    joined = recorder.ask("POST", f"/v1/seeks/{first['id']}/join", {}, dora).json or {}
    recorder.ask("GET", f"/v1/seeks/{first['id']}/events", token=cleo, Accept="application/x-ndjson")
    own = (recorder.client.with_token(dora).get("/v1/me").json or {})["id"]
    for number in range(2):
        sent = recorder.ask("POST", f"/v1/players/{own}/challenges", {"ruleset": "azul", "variant": "grey"}, cleo)
        challenge = (sent.json or {})["id"]
        recorder.stand_in(challenge, f"challenge {number}")
        if number:
            recorder.ask("POST", f"/v1/challenges/{challenge}/decline", {"reason": "later"}, dora)
        else:
            recorder.ask("GET", "/v1/me/challenges", token=dora)
            recorder.ask("GET", "/v1/me/challenges/events", token=dora, Accept="application/x-ndjson")
            recorder.ask("GET", f"/v1/challenges/{challenge}", token=cleo)
            accepted = recorder.ask("POST", f"/v1/challenges/{challenge}/accept", {}, dora).json or {}
            recorder.stand_in(accepted["game_id"], "challenged")
    context = recorder.client.flask.application.extensions["context"]
    board = leaderboard_names.board("azul", "two", leaderboard_names.PEOPLE, leaderboard_names.QUARTER, 0)
    context.leaderboards.place(board, Place(own, 1620, context.now_ms(), is_ranked=False), 60)
    recorder.ask("GET", "/v1/leaderboards/azul?limit=1")
    context.statistics.count(own, "one", context.now_ms(), ["azul:two", "azul:level:club"], won=True, score=61)
    recorder.ask("GET", f"/v1/players/{own}/statistics")
    for name, real in (("seek", first["id"]), ("joined", joined["id"]), ("paired", joined["game_id"])):
        recorder.stand_in(real, name)


def link_an_identity(recorder: Recorder, ana: str) -> None:
    """Link an identity in a browser, and sign in with it."""
    context = recorder.client.flask.application.extensions["context"]
    with OidcProvider() as google:
        settings = replace(context.settings, oidc_providers=(google.provider("google"),))
        recorder.stand_ins[google.issuer] = "https://accounts.google.example"
        with mock.patch.object(context, "settings", settings):
            recorder.ask("GET", "/v1/identity-providers")
            body = {"provider": "google", "redirect_uri": "https://game.example/signed-in"}
            for number in range(2):
                begun = recorder.ask("POST", "/v1/sign-ins", body).json or {}
                code = google.sign_in(begun["authorization_url"])["code"]
                challenge = parse_qs(urlsplit(begun["authorization_url"]).query)["code_challenge"][0]
                for name, real in (
                    *(("sign-in", begun["id"]), ("nonce", begun["nonce"]), ("code", code)),
                    ("secret of the sign-in", begun["secret"]),
                ):
                    recorder.stand_in(real, f"{name} {number}")
                recorder.stand_in(challenge, f"challenge {number}")
                proof = {"secret": begun["secret"], "code": code}
                if number == 0:
                    recorder.ask("POST", "/v1/me/identities", {"sign_in": begun["id"], **proof}, ana)
            made = recorder.ask("POST", f"/v1/sign-ins/{begun['id']}/token", {**proof, "name": "tablet"}).json
            recorder.stand_in(secret_of((made or {})["token"]), "tablet")
        recorder.ask("GET", "/v1/me/identities", token=ana)
    name_tokens(recorder, ana)


def name_a_webhook(recorder: Recorder, ana: str) -> None:
    """Create a webhook and ping it. The first attempt fails. Send the ping again after it has arrived."""
    context = recorder.client.flask.application.extensions["context"]
    with mock.patch.object(context, "settings", replace(context.settings, outgoing="on")):
        made = recorder.ask("POST", "/v1/me/webhooks", {"url": "https://bot.example/azul"}, ana).json or {}
        path = f"/v1/me/webhooks/{made['webhook']['id']}"
        for hook in ("/v1/me/webhooks", path):
            recorder.ask("GET", hook, token=ana)
        recorder.ask("PATCH", path, {"events": ["your_turn", "game_over"]}, ana)
        delivery = recorder.ask("POST", f"{path}/ping", {}, ana).json or {}
        rotated = recorder.ask("POST", f"{path}/secret", {"overlap_s": 3600}, ana).json or {}
        subscribe_a_device(recorder, ana)
    key = DeliveryKey(ana.partition(".")[0], made["webhook"]["id"], delivery["id"])
    for error, status in (("status", 503), (None, None)):
        parcel = dispatch.take(context, key)
        assert parcel is not None
        dispatch.report(context, parcel, error, status, 120)
        recorder.ask("GET", f"{path}/deliveries", token=ana)  # the first answer is recorded
    with mock.patch.object(context, "settings", replace(context.settings, outgoing="on")):
        recorder.ask("POST", f"{path}/deliveries/{delivery['id']}/attempts", {}, ana)
    for secret, name in ((made["secret"], "secret"), (rotated["secret"], "new secret")):
        recorder.stand_in(secret.removeprefix("whsec_"), name)
    recorder.stand_in(made["webhook"]["id"], "webhook")
    recorder.stand_in(delivery["id"], "delivery")


def subscribe_a_device(recorder: Recorder, ana: str) -> None:
    """Subscribe a phone with the keys of RFC 8291."""
    recorder.stand_in((recorder.ask("GET", "/v1/push-key").json or {})["public_key"], "push key")
    subscription = {"endpoint": "https://push.example/send/of-ana", "expirationTime": None, "keys": DEVICE_KEYS}
    body = {"subscription": subscription, "events": ["your_turn", "challenge"], "language": "de", "name": "phone"}
    made = recorder.ask("POST", "/v1/me/devices", body, ana).json or {}
    recorder.ask("GET", "/v1/me/devices", token=ana)
    recorder.stand_in(made["id"], "device")


def publish_a_bot(recorder: Recorder, ana: str) -> None:
    """Publish a polling bot that Ana owns."""
    token = new_player(recorder, "Robo", bot=True)
    plays = {"rulesets": ["azul"], "turn_s": {"least": 5}, "unclocked": False, "games_at_once": 4, "arena": True}
    recorder.ask("PUT", "/v1/me/bot", plays, token)
    adopted = recorder.ask("POST", "/v1/me/bots", {"token": token}, ana).json or {}
    recorder.ask("GET", f"/v1/bots/{adopted['player']['id']}")
    recorder.ask("GET", "/v1/bots?ruleset=azul&online=true")
    recorder.ask("GET", "/v1/me/bots", token=ana)
    context = recorder.client.flask.application.extensions["context"]
    with mock.patch.object(context, "settings", replace(context.settings, outgoing="on")):
        recorder.ask("PUT", "/v1/me/bot", {**plays, "endpoint": {"url": "https://bot.example/azul"}}, token)
        rotated = recorder.ask("POST", "/v1/me/bot/secret", {"overlap_s": 3600}, token).json or {}
    recorder.stand_in(rotated["secret"].removeprefix("whsec_"), "bot's secret")


def play_for_ratings(recorder: Recorder, ana: str, ben: str) -> None:
    """Play a rated game that Ben resigns, read its rating changes, and remove and restore it."""
    context = recorder.client.flask.application.extensions["context"]
    body = {
        **new_game(next(iter(RULESETS.values()))),
        "seed": None,
        "clock": {"turn_s": 60},
        "rated": True,
        "visibility": "unlisted",
    }
    made = recorder.client.with_token(ana).post("/v1/games", body).json or {}
    path = f"/v1/games/{made['game']['id']}"
    recorder.client.with_token(ben).post(f"{path}/seats")
    everybody_decides(context, made["game"]["id"])
    recorder.client.with_token(ben).post(f"{path}/resignation")
    follow_ups.run_due(context)
    recorder.ask("GET", f"{path}/rating")
    recorder.ask("GET", f"/v1/players/ana-bel/ratings?ruleset={body['ruleset']}&seats=two")
    rated = f"/v1/admin/players/{ana.partition('.')[0]}/rated-games"
    recorder.ask("GET", rated, token=ADMIN_TOKEN)
    recorder.ask("POST", f"{rated}/acts", {"act": "remove_rated_games", "reason": "Used an engine."}, ADMIN_TOKEN)
    recorder.client.with_token(ADMIN_TOKEN).post(f"{rated}/acts", {"act": "restore_rated_games", "reason": "Appeal."})
    stand_in(recorder, made, "rated game")


def new_player(recorder: Recorder, name: str, **more: Any) -> str:
    """Create a player and return their token."""
    made = recorder.ask("POST", "/v1/players", {"name": name, **more}).json or {}
    recorder.stand_in(secret_of(made["token"]), f"token of {name}")
    recorder.stand_in(made["player"]["id"], name)
    return str(made["token"])


def name_issued_token(recorder: Recorder, token: str, name: str) -> None:
    """Replace a game's token, and the id of the player's token to which it was issued."""
    _, token_id, secret = token.split(".")
    recorder.stand_in(token_id, f"token of {name}")
    recorder.stand_in(secret, name)


def secret_of(token: str) -> str:
    """Return the part of a token after the ids of a player and of the player's token."""
    return token.rpartition(".")[2]


def offer_and_answer(recorder: Recorder, path: str, ana: str, ben: str) -> None:
    """Let Ana offer a takeback, a pause, and its end, and Ben accept."""
    legal = recorder.ask("GET", f"{path}/actions?limit=1").json or {}
    recorder.ask("POST", f"{path}/actions", {"id": legal["actions"][0]["id"], "revision": legal["revision"]}, ana)
    for operation, body in (("takebacks", {}), ("pauses", {"seconds": 3600}), ("resumption", {})):
        offered = recorder.ask("POST", f"{path}/{operation}", body, ana).json or {}
        recorder.ask("GET", "/v1/me/events", token=ben, Accept="application/x-ndjson")
        offer = offered["game"]["offers"][0]["id"]
        recorder.ask("POST", f"{path}/offers/{offer}/answer", {"accept": True}, ben)


def play_in_the_background(recorder: Recorder) -> None:
    """Run an analysis and a tournament with reproducible results."""
    ruleset = next(iter(RULESETS.values()))
    context = recorder.client.flask.application.extensions["context"]
    body = {**new_game(ruleset), "seats": [{"kind": "player", "name": name} for name in ("Ana", "Ben")]}
    made = recorder.ask("POST", "/v1/games", body).json or {}
    stand_in(recorder, made)
    position = made["game"]["position"]
    tasks = [
        recorder.ask("POST", path, asked).json or {}
        for path, asked in (
            (f"/v1/games/{made['game']['id']}/analyses", {"kind": "decision", "seconds": 2, "best": 2}),
            ("/v1/analyses", {"position": position, "level": "master"}),
        )
    ]
    search = search_at_level(ruleset.read(position), "master", bytes.fromhex(SEED))
    search.choose(simulations=SIMULATIONS)
    results = {"progress": 1.0, "result": analysis.findings(search, 2)}
    context.tasks.report(tasks[0]["id"], DONE, orjson.dumps(results))
    recorder.ask("GET", f"/v1/analyses/{tasks[0]['id']}")
    levels = {"levels": ["greedy", "random"], "deals": 2, "seed": SEED}
    asked = {"ruleset": ruleset.id, "variant": ruleset.variants[0], **levels}
    tasks.append(recorder.ask("POST", "/v1/tournaments", asked).json or {})
    with mock.patch.object(jobs, "context", return_value=context):
        for number in range(4):
            jobs.play_game(tasks[-1]["id"], number)
    recorder.ask("GET", f"/v1/tournaments/{tasks[-1]['id']}")
    recorder.ask("GET", f"/v1/tournaments/{tasks[-1]['id']}/events", Accept="application/x-ndjson")
    tasks.append(read_a_long_record_in(recorder))
    tasks.append(look_back(recorder, made))
    for number, task in enumerate(tasks):
        recorder.stand_in(task["id"], f"task {number}")


def look_back(recorder: Recorder, made: Json) -> Json:
    """Watch and review the game. Return the half-finished review."""
    context, path = recorder.client.flask.application.extensions["context"], f"/v1/games/{made['game']['id']}"
    watching = recorder.client.post("/v1/players", {"name": "Cleo"}).json or {}
    recorder.stand_in(watching["player"]["id"], "who watches")
    for viewer in ("1 seats 0", f"2 player {watching['player']['id']}", "3 unknown"):
        context.presence.show(made["game"]["id"], viewer, STREAM_LIFETIME_S, MAX_CONNECTIONS)
    recorder.ask("GET", f"{path}/presence")
    recorder.client.with_token(made["tokens"]["seats"]["0"]).post(f"{path}/resignation")
    task = recorder.client.post(f"{path}/analyses", {"kind": "review"}).json or {}
    context.tasks.report(task["id"], RUNNING, orjson.dumps({"progress": 0.5, "result": None}))
    recorder.ask("GET", f"{path}/review")
    return dict(task)


def read_a_long_record_in(recorder: Recorder) -> Json:
    """Import a long record and return the task. The record is too long for an example."""
    task = recorder.ask("POST", "/v1/games/import", long_record()).json or {}
    recorder.found["importGame.202"]["request"] = None
    stand_in_tokens(recorder, task["tokens"])
    process_import(recorder.client, task["id"])
    done = recorder.ask("GET", f"/v1/imports/{task['id']}").json or {}
    recorder.stand_in(done["game_id"], "game")
    return dict(task)


def play_game(recorder: Recorder, ruleset: Ruleset) -> None:
    """Create, claim, read, act, resign."""
    made = recorder.ask("POST", "/v1/games", new_game(ruleset)).json or {}
    stand_in(recorder, made)
    path, ana = f"/v1/games/{made['game']['id']}", made["tokens"]["seats"]["0"]
    recorder.ask("GET", "/v1/games?limit=1")
    claimed = recorder.ask("POST", f"{path}/seats", {"name": "Ben"}).json or {}
    recorder.stand_in(claimed["token"], "claimed")
    legal = recorder.ask("GET", f"{path}/actions?limit=2").json or {}
    recorder.ask("GET", path)
    recorder.ask("GET", f"{path}/history")
    revision, action = legal["revision"], legal["actions"][-1]["action"]
    recorder.ask("POST", f"{path}/actions/preview", {"action": action, "revision": revision}, ana)
    recorder.ask("POST", f"{path}/actions", {"action": action, "revision": revision}, ana)
    position = (recorder.ask("GET", f"{path}/history/{revision}").json or {})["position"]
    recorder.ask("POST", "/v1/positions", {"position": position, "action": action, "form": "list", "limit": 1})
    after = (recorder.ask("GET", path).json or {})["revision"]
    recorder.ask("POST", f"{path}/resignation", {"revision": after}, claimed["token"])
    recorder.ask("GET", f"{path}/events", Accept="application/x-ndjson")
    record = recorder.ask("GET", f"{path}/export").json
    recorder.ask("GET", f"{path}/export?format=text")
    imported = recorder.ask("POST", "/v1/games/import", record).json or {}
    stand_in(recorder, imported)


def play_to_choices(recorder: Recorder, ruleset: Ruleset) -> None:
    """Play a second game until there are several kinds of actions, and ask for its choices."""
    body = {**new_game(ruleset), "seats": [{"kind": "player", "name": name} for name in ("Ana", "Ben")]}
    made = recorder.ask("POST", "/v1/games", body).json or {}
    stand_in(recorder, made)
    path, game = f"/v1/games/{made['game']['id']}", made["game"]
    for _ in range(DECISIONS):
        first = (recorder.ask("GET", f"{path}/actions?limit=1").json or {})["actions"][0]["id"]
        token = made["tokens"]["seats"][str(game["to_decide"])]
        done = recorder.ask("POST", f"{path}/actions", {"id": first, "revision": game["revision"]}, token)
        game = (done.json or {})["game"]
    recorder.ask("GET", f"{path}/choices")


def stand_in(recorder: Recorder, made: Json, name_of_game: str = "game") -> None:
    """Replace all secrets of a new game."""
    recorder.stand_in(made["game"]["id"], name_of_game)
    stand_in_tokens(recorder, made["tokens"])


def stand_in_tokens(recorder: Recorder, tokens: Json) -> None:
    """Replace the tokens of a game."""
    for name in ("host", "invite", "watch"):
        recorder.stand_in(tokens[name], name)
    for token in tokens["seats"].values():
        recorder.stand_in(token, "seat")
