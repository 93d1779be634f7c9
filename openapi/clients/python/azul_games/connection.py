"""The connection to a service: one generated client per token, with retries and stored tokens."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from azul_games.errors import raise_refusals
from azul_games.tokens import Tokens, usual_path
from azul_games.transport import Patient
from azul_games_client import AuthenticatedClient

LONG_POLL_S = 25
TIMEOUT = httpx.Timeout(10.0, read=40.0)  # long polls take 25 s; streams send a keep-alive every 4 s


class Connection:
    """A connection to the service at `url`.

    `tokens`: file for tokens, or None. `language`: language of sentences, en or de. `api_key`: for services that
    require one. `patience`: seconds for which safe requests are retried.

    All methods raise ServiceError for error responses, and httpx.TransportError if the service cannot be reached.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        tokens: Path | None = usual_path(),  # noqa: B008 - the environment at the start of the program applies
        language: str = "en",
        api_key: str | None = None,
        patience: float = 60.0,
    ) -> None:
        self.url = url.rstrip("/")
        self.tokens = Tokens(self.url, tokens)
        self._headers = {"Accept-Language": language, **({"X-Api-Key": api_key} if api_key else {})}
        self._transport = Patient(httpx.HTTPTransport(), patience)
        self._clients: dict[str | None, AuthenticatedClient] = {}

    def client(self, token: str | None = None) -> AuthenticatedClient:
        """Return the generated client with a token, for operations without a method here (`azul_games_client.api`)."""
        if token not in self._clients:
            http = httpx.Client(
                base_url=self.url,
                headers={**self._headers, **({"Authorization": f"Bearer {token}"} if token else {})},
                transport=self._transport,
                timeout=TIMEOUT,
                event_hooks={"response": [raise_refusals]},
            )
            self._clients[token] = AuthenticatedClient(self.url, token=token or "").set_httpx_client(http)
        return self._clients[token]

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
