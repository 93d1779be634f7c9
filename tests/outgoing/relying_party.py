"""The service as the client of one OpenID provider, at a clock that a test moves."""

from __future__ import annotations

import time
from typing import Any

import pytest

from service.identity_providers import Provider
from service.outgoing.oidc import IDENTITY_CODES, IdentityRefusedError, Providers, challenge_of
from tests.outgoing.oidc_provider import OidcProvider, SigningKey

NONCE = "n-0S6_WzA2Mj"
BACK = "https://games.example/back?x=1"


class RelyingParty:
    """A running provider, the operator's setting for it (the provider's own, if none is given), and its client.

    `clock_s`: seconds, moved by the test.
    """

    def __init__(self, provider: OidcProvider, setting: Provider | None = None) -> None:
        self.clock_s = 1_000.0
        self.provider = provider
        self.setting = setting or provider.provider()
        self.providers = Providers([self.setting], lambda: self.clock_s)

    def token(self, key: SigningKey | None = None, header: Any = (), **claims: Any) -> str:
        """An ID token for the sign-in NONCE, with changes, see `OidcProvider.token`."""
        return self.provider.token(NONCE, key, header, **claims)

    def subject(self, token: str | bytes, now_s: int | None = None) -> str:
        """The subject of a token."""
        return self.providers.verified(self.setting, token, NONCE, now_s or int(time.time())).subject

    def refusal(self, token: str | bytes, nonce: str = NONCE, now_s: int | None = None) -> str:
        """The code with which a token is refused."""
        with pytest.raises(IdentityRefusedError) as error:
            self.providers.verified(self.setting, token, nonce, now_s or int(time.time()))
        assert error.value.code in IDENTITY_CODES
        assert (error.value.code,) == error.value.args  # no text of the token or of the provider
        return error.value.code

    def authorization_url(self, verifier: str = "v" * 43, state: str = "the-state") -> str:
        """The URL that a browser opens to sign in."""
        return self.providers.authorization_url(self.setting, BACK, state, NONCE, challenge_of(verifier))

    def code(self, verifier: str = "v" * 43) -> str:
        """The code with which a browser comes back."""
        back = self.provider.signed_in(self.authorization_url(verifier))
        assert "the-state" == back["state"]
        return back["code"]

    def redeemed(self, code: str, verifier: str = "v" * 43, back: str = BACK) -> str:
        """The ID token for a code."""
        return self.providers.redeemed(self.setting, code, verifier, back)

    def not_redeemed(self, code: str, verifier: str = "v" * 43, back: str = BACK) -> str:
        """The code with which an authorization code is refused."""
        with pytest.raises(IdentityRefusedError) as error:
            self.redeemed(code, verifier, back)
        return error.value.code
