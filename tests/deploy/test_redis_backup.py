"""The documented commands back up and restore a server of deploy/redis."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from service.operate.redis.launcher import redis_binary
from tests.deploy.samples import DEPLOY, ROOT
from tests.deploy.servers import server
from tests.e2e.stack import free_port
from tests.patience import HANG_S
from tests.tools import program

PASSWORDS = {f"{name}_PASSWORD": name * 20 for name in ("OPERATOR", "WEB", "WORKERS")}


def documented_commands() -> tuple[str, str]:
    """Return the commands of a backup and of a restore, both with the shell function that they use."""
    page = (ROOT / "docs" / "operations" / "backup.md").read_text("utf-8").partition("## External Redis")[2]
    backup, restore = (block.partition("```")[0] for block in page.split("```sh\n")[1:])
    return backup, f"{backup.splitlines()[0]}\n{restore}"


@contextmanager
def running(folder: Path, *, append_only: str) -> Iterator[redis.Redis]:
    """Run the server as in the samples. `valkey-cli` in the folder above connects to it."""
    port = free_port()
    cli = folder.parent / "valkey-cli"
    cli.write_text(f'#!/bin/sh\nexec {program("redis-cli")} -p {port} "$@"\n')
    cli.chmod(0o755)
    options = {"dir": str(folder), "appendonly": append_only, "port": str(port), "bind": "127.0.0.1"}
    command = [str(DEPLOY / "redis" / "start.sh"), str(redis_binary())]
    command += [word for name, value in options.items() for word in (f"--{name}", value)]
    environment = {**os.environ, **PASSWORDS, "USERS_FILE": str(folder.parent / "users.acl")}
    with redis.Redis(port=port, username="operator", password=PASSWORDS["OPERATOR_PASSWORD"]) as client:  # noqa: SIM117
        with server(command, folder, client, environment):
            yield client


def execute(script: str, folder: Path) -> None:
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", **PASSWORDS}
    ended = subprocess.run(
        ["sh", "-ec", script], env=environment, capture_output=True, text=True, timeout=HANG_S, check=False
    )
    assert 0 == ended.returncode, ended.stdout + ended.stderr


def test_documented_backup_is_restored_by_the_documented_commands(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
    back_up, restore = documented_commands()
    with running(before, append_only="yes") as client:
        client.set("kept", "1")
        execute(back_up, tmp_path)
    shutil.copy(before / "dump.rdb", after)
    with running(after, append_only="no"):
        execute(restore, tmp_path)
    with running(after, append_only="yes") as client:
        assert (1, b"1") == (client.dbsize(), client.get("kept"))
