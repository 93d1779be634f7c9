"""Bodies that cannot be read: broken JSON, wrong encodings, compressed content."""

from __future__ import annotations

import codecs
import json

import pytest

from tests.web.client import Client, body_of, refusal_of

SEATS = [{"kind": "player"}] * 2
GAME = json.dumps({"ruleset": "azul", "variant": "grey", "seats": SEATS})
BROKEN = {
    b'{"ruleset":\n "azul",}': (2, 8),
    b'{"ruleset": NaN}': (1, 13),
    b'{"ruleset": -Infinity}': (1, 14),
    b"": (1, 1),
    b"{\r\n\xff": (2, 1),
    '{"name": "\u00e9\u20ac", x}'.encode(): (1, 16),
    codecs.BOM_UTF8 + b"{\n{": (2, 1),
    b"[" * 2000: (1, 1026),
    '{"a": 1}'.encode("latin-1") + b"\xe9": (1, 9),
    GAME.encode("utf-16-le"): (1, 2),
}


def send(anyone: Client, content: bytes, **headers: str) -> tuple[int, str, object, object]:
    answer = anyone.send("POST", "/v1/games", data=content, content_type="application/json", headers=headers)
    problem = answer.json or {}
    return *refusal_of(answer), problem.get("line"), problem.get("column")


@pytest.mark.parametrize("content", BROKEN)
def test_broken_json_is_refused_with_line_and_column(anyone: Client, content: bytes) -> None:
    assert (400, "request/malformed", *BROKEN[content]) == send(anyone, content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_json_with_a_byte_order_mark_is_read(anyone: Client, encoding: str) -> None:
    sent = {"data": GAME.encode(encoding), "content_type": "application/json"}
    assert body_of(anyone.send("POST", "/v1/games", **sent, headers={"Content_Encoding": "identity"}), 201)


@pytest.mark.parametrize("encoding", ["gzip", "br", "identity, deflate"])
def test_encoded_bodies_are_refused(anyone: Client, encoding: str) -> None:
    answer = anyone.post("/v1/games", json.loads(GAME), Content_Encoding=encoding)
    assert (415, "request/unsupported_encoding", "identity") == (*refusal_of(answer), answer.headers["Accept-Encoding"])
