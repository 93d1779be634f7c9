"""A webhook that passes notices on to phones by Firebase Cloud Messaging (iPhones, too): `python fcm.py 8090`.

SECRET: of the webhook. PROJECT: of Firebase. ACCESS_TOKEN: OAuth 2.0, scope firebase.messaging; google-auth renews it.
PHONES: a JSON file, player id -> registration tokens, as your app tells them. Needs `pip install standardwebhooks`.
"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib import error, request

from standardwebhooks import Webhook, WebhookVerificationError

URL = f"{os.environ.get('FCM', 'https://fcm.googleapis.com')}/v1/projects/{os.environ['PROJECT']}/messages:send"
TEXTS = {"your_turn": "It is your turn.", "game_over": "The game is over.", "challenge": "You are challenged."}


def send(phone: str, kind: str, game_id: str) -> bool:
    """Whether the notice need not come again: FCM has it, or never will (404: the phone is gone)."""
    message: dict[str, Any] = {"token": phone, "notification": {"title": "Azul", "body": TEXTS.get(kind, kind)}}
    message |= {"data": {"type": kind, "game_id": game_id}, "android": {"priority": "high", "collapse_key": kind}}
    headers = {"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}", "Content-Type": "application/json"}
    try:
        with request.urlopen(request.Request(URL, json.dumps({"message": message}).encode(), headers), timeout=4):
            return True
    except error.HTTPError as refused:
        return refused.code in (400, 403, 404)
    except OSError:
        return False


class Notices(BaseHTTPRequestHandler):
    """Answers the service, and nobody else."""

    def do_POST(self) -> None:
        """Pass a notice on to all phones of its player; after 503 it comes again."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = 401
        try:
            notice = Webhook(os.environ["SECRET"]).verify(body, {name.lower(): it for name, it in self.headers.items()})
            phones = json.loads(Path(os.environ["PHONES"]).read_text()).get(notice["data"]["player"], [])
            game_id = notice["data"].get("game", {}).get("id", "")
            status = 204 if all([send(phone, notice["type"], game_id) for phone in phones]) else 503  # noqa: C419
        except WebhookVerificationError:
            pass
        self.send_response(status)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Notices).serve_forever()
