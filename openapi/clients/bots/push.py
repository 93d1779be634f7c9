"""A complete bot that the service calls: `SECRET=whsec_… python push.py 8080`. Its endpoint is http://127.0.0.1:8080/.

It answers each signed request with one of the legal actions. If the request does not list them, it fetches the first
500. A public bot needs https, for example from a reverse proxy. It needs only Python 3.10.
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
    """Return one of the legal actions. Replace this with your strategy."""
    return random.choice(actions)


def legal_actions(decision: Any) -> Any:
    """Return the legal actions of a decision."""
    if decision["actions"] is not None:
        return decision["actions"]
    body = json.dumps({"position": decision["game"]["position"], "form": "list"}).encode()
    prepared = request.Request(decision["positions_url"], body, {"Content-Type": "application/json"})
    with request.urlopen(prepared, timeout=4) as response:
        return json.load(response)["legal"]["actions"]


class Bot(BaseHTTPRequestHandler):
    """Accept only requests with a valid signature."""

    def do_POST(self) -> None:
        """Verify the signature and return an action."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        mac = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
        late = abs(time.time() - float(self.headers["webhook-timestamp"])) > 300
        if late or not any(hmac.compare_digest(mac, given) for given in self.headers["webhook-signature"].split()):
            self.send_error(401)
            return
        decision = json.loads(body)["data"]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"id": choose(decision["game"], legal_actions(decision))["id"]}).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Bot).serve_forever()
