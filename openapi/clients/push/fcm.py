"""A webhook that forwards notices to phones with Firebase Cloud Messaging, iPhones included: `python fcm.py 8090`.

Environment: SECRET of the webhook. PROJECT of Firebase. ACCESS_TOKEN for OAuth 2.0, scope firebase.messaging, which
google-auth renews. PHONES, a JSON file: player id -> registration tokens from your app. Needs `standardwebhooks`.
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
    """Return False if the notice should be sent again. A rejected message (404: unknown phone) is not retried."""
    message: dict[str, Any] = {"token": phone, "notification": {"title": "Azul", "body": TEXTS.get(kind, kind)}}
    message |= {"data": {"type": kind, "game_id": game_id}, "android": {"priority": "high", "collapse_key": kind}}
    headers = {"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}", "Content-Type": "application/json"}
    try:
        with request.urlopen(request.Request(URL, json.dumps({"message": message}).encode(), headers), timeout=4):
            return True
    except error.HTTPError as failure:
        return failure.code in (400, 403, 404)
    except OSError:
        return False


class Notices(BaseHTTPRequestHandler):
    """Accept only requests with a valid signature."""

    def do_POST(self) -> None:
        """Forward a notice to all phones of its player. After 503 the service sends it again."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = 401
        try:
            headers = {name.lower(): value for name, value in self.headers.items()}
            notice = Webhook(os.environ["SECRET"]).verify(body, headers)
            phones = json.loads(Path(os.environ["PHONES"]).read_text()).get(notice["data"]["player"], [])
            game_id = notice["data"].get("game", {}).get("id", "")
            status = 204 if all([send(phone, notice["type"], game_id) for phone in phones]) else 503  # noqa: C419
        except WebhookVerificationError:
            pass
        self.send_response(status)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Notices).serve_forever()
