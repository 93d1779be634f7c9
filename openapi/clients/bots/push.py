"""A whole bot that is called: `SECRET=whsec_… python push.py 8080`, and the seat's endpoint is http://127.0.0.1:8080/.

It answers each signed request with one of the legal actions; where they are too many to be sent it asks for the first
500 of them. From the internet it is called by https only: put it behind a proxy that has a certificate.
Needs Python 3.10 and nothing else.
"""

import base64
import hashlib
import hmac
import json
import os
import random
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib import request

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))


def choose(_game: Any, actions: list[Any]) -> Any:
    """Here goes your strength: the whole view of the game, and what is legal."""
    return random.choice(actions)


def legal(told: Any) -> Any:
    """The legal actions."""
    if told["actions"] is not None:
        return told["actions"]
    asked = json.dumps({"position": told["game"]["position"], "form": "list"}).encode()
    sent = request.Request(told["positions_url"], asked, {"Content-Type": "application/json"})
    with request.urlopen(sent, timeout=4) as answer:
        return json.load(answer)["legal"]["actions"]


class Bot(BaseHTTPRequestHandler):
    """Answers the service, and nobody else."""

    def do_POST(self) -> None:
        """Decide."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        mac = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
        late = abs(time.time() - float(self.headers["webhook-timestamp"])) > 300
        if late or not any(hmac.compare_digest(mac, one) for one in self.headers["webhook-signature"].split()):
            self.send_error(401)
            return
        told = json.loads(body)["data"]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"id": choose(told["game"], legal(told))["id"]}).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Bot).serve_forever()
