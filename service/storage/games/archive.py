"""The archive: an object for each finished game, in a folder or an object store that fsspec reaches.

An object bears the game's id, so writing one again replaces it. In a folder it is written beside its place, and moved
there when it is whole and on the disk; object stores do so by themselves. fsspec is loaded where an archive is kept.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cached_property
from types import MappingProxyType
from typing import Any
from uuid import uuid4

OBJECT_SUFFIX = ".zst"
LOCAL_FILES = "file"
OUTAGE = "archive"
"""How it is told that the archive is away, beside the outages of Redis."""
OPTIONS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "s3": {
            "skip_instance_cache": True,
            "use_listings_cache": False,
            "config_kwargs": {"connect_timeout": 3, "read_timeout": 5, "retries": {"max_attempts": 2}},
        },
    }
)
"""What a file system is opened with, by protocol: who reads a game waits for some seconds at most."""


class ArchiveUnavailableError(Exception):
    """The archive cannot be read or written now."""


class Archive:
    """The objects, by game id. Every method may raise `ArchiveUnavailableError`."""

    def __init__(self, url: str) -> None:
        """`url`: as fsspec reads it, such as ``file:///srv/games`` or ``s3://bucket/games``; opened when used."""
        self._url = url

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        """The file system, and the folder in it."""
        from fsspec import get_filesystem_class
        from fsspec.core import url_to_fs
        from fsspec.utils import get_protocol

        get_filesystem_class(get_protocol(self._url))  # two threads that import at once may wait for each other
        _start_loop_beside_gevent()
        files, root = url_to_fs(self._url, **OPTIONS.get(get_protocol(self._url), {}))
        return files, root.rstrip("/")

    def _path(self, game_id: str) -> str:
        """Some thousand folders, so that none holds too many files."""
        return f"{self._opened[1]}/{game_id[:2]}/{game_id}{OBJECT_SUFFIX}"

    def write(self, game_id: str, content: bytes) -> None:
        """Put the object in the place of what was there."""
        with _away():
            files, path = self._opened[0], self._path(game_id)
            if LOCAL_FILES in files.protocol:
                _write_file(files, path, content)
            else:
                files.pipe_file(path, content)

    def read(self, game_id: str) -> bytes | None:
        """The object; None if there is none."""
        with _away():
            try:
                content: bytes = self._opened[0].cat_file(self._path(game_id))
            except FileNotFoundError:
                return None
            return content

    def read_many(self, game_ids: Iterable[str]) -> dict[str, bytes]:
        """Those objects that there are, by game id; side by side where the file system can."""
        with _away():
            ids = {self._path(game_id): game_id for game_id in game_ids}
            contents: dict[str, bytes | Exception] = self._opened[0].cat([*ids], on_error="return") if ids else {}
            for content in contents.values():
                if isinstance(content, Exception) and not isinstance(content, FileNotFoundError):
                    raise content
        return {ids[path]: content for path, content in contents.items() if isinstance(content, bytes)}


class _AtOnce(ThreadPoolExecutor):
    """What the loop would leave to other threads, such as looking a host up, it does itself."""

    def submit(self, work: Any, /, *args: Any, **more: Any) -> Future[Any]:
        """The result, at once."""
        done = Future[Any]()
        original = sys.modules["gevent.monkey"].get_original("socket", "getaddrinfo")
        work = original if work is socket.getaddrinfo else work
        try:
            done.set_result(work(*args, **more))
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            done.set_exception(error)
        return done


def _start_loop_beside_gevent() -> None:
    """Under gevent, fsspec's event loop would run in a greenlet of this thread, where nobody may wait for it.

    It gets a thread of the operating system's; who waits for it lets other greenlets run.
    """
    monkey = sys.modules.get("gevent.monkey")
    if monkey is None or not monkey.is_module_patched("threading"):
        return
    import gevent
    from fsspec import asyn

    def run() -> None:
        gevent.get_hub()  # of this thread: what is patched needs one
        loop = asyncio.SelectorEventLoop(monkey.get_original("selectors", "DefaultSelector")())
        loop.set_default_executor(_AtOnce())
        asyn.loop[0] = loop
        loop.run_forever()

    if asyn.loop[0] is None:
        monkey.get_original("_thread", "start_new_thread")(run, ())
    while asyn.loop[0] is None:
        time.sleep(0.001)


def _write_file(files: Any, path: str, content: bytes) -> None:
    """Whoever dies leaves the old file or the new one, and maybe another beside it that nobody reads."""
    beside = f"{path}.{uuid4().hex}"
    files.makedirs(files._parent(path), exist_ok=True)  # noqa: SLF001 - fsspec has no other name for it
    try:
        with open(beside, "xb") as file:  # noqa: PTH123 - as fsspec names it
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)  # noqa: PTH105
        folder = os.open(files._parent(path), os.O_RDONLY)  # noqa: SLF001
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)  # noqa: PTH108
        raise


@contextmanager
def _away() -> Iterator[None]:
    """Each file system has errors of its own; whatever it is, it may be over later."""
    try:
        yield
    except Exception as error:
        raise ArchiveUnavailableError(f"{type(error).__name__}: {error}") from error
