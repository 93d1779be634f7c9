"""Identity providers: valid settings, and URLs that they may have."""

from __future__ import annotations

from typing import Any

import pytest

from service.identity_providers import Provider, is_secure

GOOD: dict[str, Any] = {"id": "google", "issuer": "https://accounts.google.com", "client_ids": ("web.example",)}


WRONG: list[Any] = [
    {"id": "a"},
    {"id": "0-" * 20},
    {"issuer": "https://login.example:8443/realms/games/"},
    {"issuer": "https://192.168.0.1"},
    {"issuer": "http://localhost:8080"},
    {"issuer": "http://127.8.8.8"},
    {"issuer": "http://[::1]:8080"},
    {"client_ids": ("a", "x" * 255)},
    {"client_secret": "8letters"},
    {"client_secret": "x" * 4_000},
]


def test_valid_providers_are_accepted() -> None:
    for changes in WRONG:
        assert {**GOOD, **changes}["id"] == Provider(**{**GOOD, **changes}).id, changes


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        *(({"id": wrong}, "the id") for wrong in ("", "a" * 41, "Google", "a b", "a_b", "a\n", "ä")),
        *(
            ({"issuer": wrong}, "the issuer")
            for wrong in (
                "",
                "accounts.google.com",
                "http://accounts.google.com",
                "http://0.0.0.0",
                "http://localhost.example",
                "ftp://localhost",
                "https://login.example/?x=1",
                "https://login.example/?",
                "https://login.example/#x",
                "https://login.example/#",
                "https://me:secret@login.example",
                "https://@login.example",
                "https://login.example\n",
                "https://login.example/a b",
                "https://löggin.example",
                "https://" + "x" * 2_000,
            )
        ),
        *(
            ({"client_ids": wrong}, "at least one client id")
            for wrong in ((), ("",), ("a", ""), ("a b",), ("x" * 256,), ("a\n",))
        ),
        *(
            ({"client_secret": wrong}, "a client secret")
            for wrong in ("7letter", "x" * 4_001, "eight letters", "x" * 8 + "\n")
        ),
    ],
)
def test_invalid_providers_are_refused_with_the_wrong_field(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Provider(**{**GOOD, **changes})


@pytest.mark.parametrize(
    ("issuer", "expected"), [("https://localhost", True), ("http://[::1]:1", True), ("https://login.example", False)]
)
def test_a_provider_on_this_machine_is_local(issuer: str, *, expected: bool) -> None:
    assert expected == Provider("a", issuer, ("b",)).is_local


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://login.example/keys?x=1", True),
        ("http://127.0.0.1:8080/keys", False),
        ("https://login.example:port/", False),
        ("https://[::1/", False),
        ("https:///keys", False),
        ("//login.example/", False),
    ],
)
def test_a_secure_url_is_https_or_on_this_machine_if_allowed(url: str, *, expected: bool) -> None:
    assert expected == is_secure(url, loopback=False)
    assert is_secure("http://127.0.0.1:8080/keys", loopback=True)
    assert not is_secure("http://login.example/keys", loopback=True)


def test_the_repr_of_a_provider_does_not_contain_its_secret() -> None:
    assert "agreed-upon" not in repr(Provider(**GOOD, client_secret="agreed-upon"))
