"""Calls without deadlines that a busy machine could miss, and an identity provider with its client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.outgoing import outbound_http
from tests.outgoing.oidc_provider import OidcProvider, oidc_provider
from tests.outgoing.relying_party import RelyingParty
from tests.patience import HANG_S

__all__ = ["oidc_provider"]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = {**(outbound_http.call.__kwdefaults__ or {}), "deadline_s": HANG_S}
    monkeypatch.setattr(outbound_http.call, "__kwdefaults__", defaults)


@pytest.fixture
def party(oidc_provider: OidcProvider) -> RelyingParty:
    return RelyingParty(oidc_provider)


@pytest.fixture(scope="module")
def shared_party() -> Iterator[RelyingParty]:
    """Yield a client for tests that create many tokens and change nothing."""
    with OidcProvider() as provider:
        yield RelyingParty(provider)
