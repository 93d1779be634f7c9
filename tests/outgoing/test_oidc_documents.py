"""Caching of an OpenID provider's documents, and behaviour while the provider is down or wrong."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structlog
import trustme

from service.identity_providers import Provider
from service.outgoing import oidc
from service.outgoing.oidc import IdentityRefusedError
from tests.outgoing.oidc_provider import CLIENT_ID, OidcProvider, signing_key
from tests.outgoing.relying_party import NONCE, RelyingParty
from tests.patience import HANG_S, wait_until

ROOT = Path(__file__).parents[2]
HOUR_S, DAY_S = 3_600, 86_400


def start_threads(number: int, call: Callable[[], object]) -> list[threading.Thread]:
    """Start threads that make the same call at once."""
    threads = [threading.Thread(target=call) for _ in range(number)]
    for thread in threads:
        thread.start()
    return threads


def test_documents_are_fetched_on_demand_and_cached_for_an_hour(party: RelyingParty) -> None:
    assert 0 == party.provider.counts.total()
    for seconds, fetched in ((0, 1), (0, 1), (HOUR_S - 1, 1), (1, 2)):
        party.clock_s += seconds
        party.subject(party.token())
        assert {"discovery": fetched, "keys": fetched} == party.provider.counts


@pytest.mark.parametrize("path", ["/realms/games", "/realms/games/", "/"])
def test_an_issuer_can_have_a_path_and_a_trailing_slash(oidc_provider: OidcProvider, path: str) -> None:
    oidc_provider.path = path
    party = RelyingParty(oidc_provider)
    assert oidc_provider.subject == party.subject(party.token())
    assert "issuer" == party.refusal(party.token(iss=oidc_provider.issuer.rstrip("s/")))


def test_unknown_key_is_fetched_once_a_minute(party: RelyingParty) -> None:
    party.subject(party.token())
    forged = party.token(signing_key("ES256", "of-nobody"))
    for seconds, fetched in ((0, 2), (0, 2), (59, 2), (1, 3)):
        party.clock_s += seconds
        assert "signature" == party.refusal(forged)
        assert {"discovery": 1, "keys": fetched} == party.provider.counts


def test_new_keys_are_accepted_at_once_and_old_keys_rejected(party: RelyingParty) -> None:
    old = party.token()
    assert party.provider.subject == party.subject(old)
    party.provider.rotate(signing_key("ES256", "second"))
    assert party.provider.subject == party.subject(party.token())
    assert "signature" == party.refusal(old)
    assert 2 == party.provider.counts["keys"]


def test_cached_documents_are_used_for_a_day_while_a_provider_is_down(party: RelyingParty) -> None:
    token, unknown = party.token(), party.token(signing_key("ES256", "second"))
    assert party.provider.subject == party.subject(token)
    party.provider.stop()
    party.clock_s += HOUR_S
    assert party.provider.subject == party.subject(token)
    for _ in range(2):
        assert "unavailable" == party.refusal(unknown)  # it may be a new key
    party.clock_s += DAY_S - HOUR_S - 1
    assert party.provider.subject == party.subject(token)
    party.clock_s += 1
    assert "unavailable" == party.refusal(token)
    party.provider.start()
    party.clock_s += oidc.RETRY_S
    assert party.provider.subject == party.subject(token)


def test_provider_without_cached_documents_is_retried_after_some_seconds(party: RelyingParty) -> None:
    party.provider.instead["keys"] = (503, b"")
    token = party.token()
    for _ in range(3):
        assert "unavailable" == party.refusal(token)
    assert {"discovery": 1, "keys": 1} == party.provider.counts
    party.provider.instead.clear()
    party.clock_s += oidc.RETRY_S - 1
    assert "unavailable" == party.refusal(token)
    party.clock_s += 1
    assert party.provider.subject == party.subject(token)
    assert "signature" == party.refusal(party.token(signing_key("ES256", "of-nobody")))


def test_threads_with_a_new_key_wait_for_one_fetch(party: RelyingParty, monkeypatch: pytest.MonkeyPatch) -> None:
    came, renewed = list[object](), oidc._CachedDocument.refresh
    monkeypatch.setattr(oidc._CachedDocument, "refresh", lambda kept: [came.append(kept), renewed(kept)][1])  # type: ignore[func-returns-value]
    party.subject(party.token())
    party.provider.rotate(signing_key("ES256", "second"))
    token, subjects = party.token(), list[str]()
    party.provider.speaks.clear()
    threads = start_threads(8, lambda: subjects.append(party.subject(token)))
    wait_until(lambda: len(came) == 8 and party.provider.counts["keys"] == 2)
    assert [] == subjects
    party.provider.speaks.set()
    for thread in threads:
        thread.join()
    assert [party.provider.subject] * 8 == subjects
    assert 2 == party.provider.counts["keys"]


def test_only_one_of_several_threads_fetches(party: RelyingParty) -> None:
    token, unknown, codes = party.token(), party.token(signing_key("ES256", "second")), list[str]()
    for thread in start_threads(16, lambda: codes.extend([party.subject(token), party.refusal(unknown)])):
        thread.join()
    assert [party.provider.subject] * 16 + ["signature"] * 16 == sorted(codes)
    assert {"discovery": 1, "keys": 2} == party.provider.counts


NONSENSE = {
    "discovery": [(404, b""), (200, b""), (200, b"[]"), (200, b"\xff"), (200, b"x" * 70_000), (302, b"")],
    "keys": [
        (500, b""),
        (200, b"{}"),
        (200, b'{"keys": {}}'),
        (200, b'{"keys": [7, null, [], {}, {"kty": "RSA"}, {"kty": "EC", "crv": [], "x": "", "y": ""}]}'),
        (200, b'{"keys": [{"kty": "OKP", "crv": "Ed1", "x": "AA"}, {"kty": ["RSA"]}]}'),
        (200, b'{"keys": [{"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"}]}'),
    ],
}


@pytest.mark.parametrize(
    ("asked_for", "answer"), [(name, answer) for name, answers in NONSENSE.items() for answer in answers]
)
def test_invalid_document_makes_a_provider_unavailable(
    party: RelyingParty, asked_for: str, answer: tuple[int, bytes]
) -> None:
    party.provider.instead[asked_for] = answer
    assert "unavailable" == party.refusal(party.token())


NOT_TO_BE_CALLED: dict[str, list[Any]] = {
    "issuer": ["https://another.example", None, ["http://127.0.0.1"]],
    "jwks_uri": [None, 7, "http://keys.example/"],
    "token_endpoint": [None, "http://192.168.0.1/token", "ftp://127.0.0.1/token"],
    "authorization_endpoint": [
        *("http://login.example/", "javascript:alert(1)", "https://me:secret@login.example/", "//login.example/"),
        *("https://login.example/#part", "https://login.example:port/", "https://[::1/", "https://login.example/\nx"),
    ],
}


@pytest.mark.parametrize(("name", "value"), [(name, url) for name, urls in NOT_TO_BE_CALLED.items() for url in urls])
def test_another_issuer_and_forbidden_urls_are_rejected(party: RelyingParty, name: str, value: Any) -> None:
    party.provider.metadata = {name: value}
    assert "unavailable" == party.refusal(party.token())
    with pytest.raises(IdentityRefusedError, match="unavailable"):
        party.authorization_url()
    assert 0 == party.provider.counts["keys"]


@pytest.mark.parametrize("url", ["http://127.0.0.1/x", "http://localhost/x", "http://login.example/x"])
def test_remote_provider_must_use_https_in_all_urls(url: str) -> None:
    provider = Provider("login", "https://login.example", (CLIENT_ID,))
    names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
    good = {"issuer": provider.issuer, **dict.fromkeys(names, "https://login.example/x")}
    assert "https://login.example/x" == oidc.parse_metadata(provider, good).jwks_uri
    for name in names:
        with pytest.raises(ValueError, match="not https"):
            oidc.parse_metadata(provider, {**good, name: url})


def test_remote_provider_cannot_resolve_to_this_machine() -> None:
    """Its name may resolve to this machine, and its certificate may be valid."""
    party = RelyingParty(OidcProvider(), Provider("local", "https://0x7f000001:8443", (CLIENT_ID,)))
    with structlog.testing.capture_logs() as logged:
        assert "unavailable" == party.refusal(party.token())
    assert logged[0]["reason"] in ("address", "name")


def test_reason_why_a_provider_is_unavailable_is_logged(party: RelyingParty) -> None:
    token = party.token()
    with structlog.testing.capture_logs() as logged:
        party.provider.metadata = {"issuer": "https://another.example"}
        party.refusal(token)
        party.clock_s += oidc.RETRY_S
        party.provider.metadata = {}
        party.provider.instead["keys"] = (503, b"what is not to be repeated")
        party.refusal(token)
    assert [("local", "discovery", f"the issuer is not {party.setting.issuer}"), ("local", "keys", "status")] == [
        (each["provider"], each["document"], each["reason"]) for each in logged
    ]
    assert 503 == logged[1]["status"]


IN_GREENLETS = """
from gevent import monkey
monkey.patch_all()
import itertools, json, sys, threading, time
import gevent
from service.identity_providers import Provider
from service.outgoing import outbound_http
from service.outgoing.oidc import IdentityRefusedError, Providers
from tests.patience import HANG_S, wait_until
outbound_http.call.__kwdefaults__["deadline_s"] = HANG_S
issuer, token, nonce, is_silent = sys.argv[1:]
provider = Provider("local", issuer, ("games.example",))
providers = Providers([provider])
def sign_in():
    try:
        return providers.verify_token(provider, token, nonce, int(time.time())).subject
    except IdentityRefusedError as error:
        return error.code
timers = []
class Timer(threading.Timer):
    def start(self):
        timers.append(self)
def be_late():
    ticks = itertools.count()
    wait_until(lambda: timers and next(ticks) > 20)  # while somebody waits
    wait_until(lambda: all(timer.function() for timer in timers))  # again and again
threading.Timer = Timer
if is_silent == "True":
    gevent.spawn(be_late)
said = [each.value for each in gevent.joinall([gevent.spawn(sign_in) for _ in range(20)])]
print(json.dumps([sorted(set(said)), len(said)]))
"""


def in_greenlets(provider: OidcProvider, *, is_silent: bool = False, **environment: str) -> Any:
    """Return the distinct results of twenty greenlets, and their number.

    While the provider is silent, another greenlet runs, and then ends the calls as late.
    """
    command = [sys.executable, "-c", IN_GREENLETS, provider.issuer, provider.token(NONCE), NONCE, str(is_silent)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, check=True, capture_output=True, text=True, timeout=HANG_S
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_greenlets_share_documents_fetched_over_tls(tmp_path: Path) -> None:
    authority, trusted = trustme.CA(), str(tmp_path / "authority.pem")
    authority.cert_pem.write_to_path(trusted)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with OidcProvider(context=context) as provider:
        assert provider.issuer.startswith("https://")
        assert [[provider.subject], 20] == in_greenlets(provider, SSL_CERT_FILE=trusted)
        assert {"discovery": 1, "keys": 1} == provider.counts
        assert [["unavailable"], 20] == in_greenlets(provider)  # the authority of the certificate is unknown


def test_silent_provider_does_not_delay_other_greenlets(oidc_provider: OidcProvider) -> None:
    oidc_provider.speaks.clear()
    assert [["unavailable"], 20] == in_greenlets(oidc_provider, is_silent=True)
