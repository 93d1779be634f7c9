"""The service as the client of one OpenID provider, with a clock that tests advance."""

from __future__ import annotations

import time
from typing import Any

import pytest

from service.identity_providers import Provider
from service.outgoing.oidc import IDENTITY_CODES, IdentityRefusedError, Providers, code_challenge
from tests.outgoing.oidc_provider import OidcProvider, SigningKey

NONCE = "n-0S6_WzA2Mj"
BACK = "https://games.example/back?x=1"


class RelyingParty:
    """A running provider, its setting (by default the provider's own), and its client. Tests advance `clock_s`."""

    def __init__(self, provider: OidcProvider, setting: Provider | None = None) -> None:
        self.clock_s = 1_000.0
        self.provider = provider
        self.setting = setting or provider.provider()
        self.providers = Providers([self.setting], lambda: self.clock_s)

    def token(self, key: SigningKey | None = None, header: Any = (), **claims: Any) -> str:
        """Return an ID token for the sign-in NONCE with changes, see `OidcProvider.token`."""
        return self.provider.token(NONCE, key, header, **claims)

    def subject(self, token: str | bytes, now_s: int | None = None) -> str:
        """Return the subject of a valid token."""
        return self.providers.verify_token(self.setting, token, NONCE, now_s or int(time.time())).subject

    def refusal(self, token: str | bytes, nonce: str = NONCE, now_s: int | None = None) -> str:
        """Return the code of the refusal of a token."""
        with pytest.raises(IdentityRefusedError) as error:
            self.providers.verify_token(self.setting, token, nonce, now_s or int(time.time()))
        assert error.value.code in IDENTITY_CODES
        assert (error.value.code,) == error.value.args  # no text from the token or the provider
        return error.value.code

    def authorization_url(self, verifier: str = "v" * 43, state: str = "the-state") -> str:
        """Return the URL that a browser opens to sign in."""
        return self.providers.authorization_url(self.setting, BACK, state, NONCE, code_challenge(verifier))

    def code(self, verifier: str = "v" * 43) -> str:
        """Return the code from a browser's redirect after the sign-in."""
        back = self.provider.sign_in(self.authorization_url(verifier))
        assert "the-state" == back["state"]
        return back["code"]

    def redeem(self, code: str, verifier: str = "v" * 43, back: str = BACK) -> str:
        """Return the ID token for a code."""
        return self.providers.redeem_code(self.setting, code, verifier, back)

    def redeem_error(self, code: str, verifier: str = "v" * 43, back: str = BACK) -> str:
        """Return the code of the refusal of an authorization code."""
        with pytest.raises(IdentityRefusedError) as error:
            self.redeem(code, verifier, back)
        return error.value.code
