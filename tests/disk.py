"""What a server has on disk before a test kills it."""

from __future__ import annotations

from redis import Redis


def be_written(url: str) -> None:
    """Wait until all that the server has answered is on its disk.

    With `appendfsync everysec` it may write the last two seconds later where the disk is slow; a kill loses them then.
    """
    with Redis.from_url(url, single_connection_client=True) as client:
        client.set("written", 1, ex=60)  # WAITAOF waits for what its own connection has changed, and so for all before
        assert [1, 0] == client.execute_command("WAITAOF", 1, 0, 20_000)
