"""The archive: an object for each finished game, in a folder or an object store that fsspec reaches.

An object is named by the game's id, so a second write replaces it. fsspec is imported only if an archive is used.

Under gevent every read has a deadline, and files are read in threads of the operating system. So a hung disk delays
only the requests that need it.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from service.archive_files import open_file_system
from service.files import write_file

OBJECT_SUFFIX = ".zst"
LOCAL_FILES = "file"
MAX_THREADS = 4  # that read files
OUTAGE = "archive"
"""The name of an outage of the archive, in addition to the outages of Redis."""


class ArchiveUnavailableError(Exception):
    """The archive cannot be read or written at the moment."""


class Archive:
    """The objects, by game id. Every method may raise `ArchiveUnavailableError`."""

    def __init__(self, url: str, deadline_s: float = 10.0) -> None:
        """Describe an archive, which is opened at first use.

        `url`: a URL of fsspec, such as ``file:///srv/games`` or ``s3://bucket/games``; `deadline_s`: maximum duration
        of a read under gevent.
        """
        self._url, self._deadline_s = url, deadline_s

    @cached_property
    def _file_system(self) -> tuple[Any, str]:
        """The file system, and the folder in it."""
        from fsspec import get_filesystem_class
        from fsspec.utils import get_protocol

        get_filesystem_class(get_protocol(self._url))  # two threads that import at once may deadlock
        _start_loop_beside_gevent()
        return open_file_system(self._url)

    def _path(self, game_id: str) -> str:
        """Return the path of an object. Some thousand folders share the files."""
        return f"{self._file_system[1]}/{game_id[:2]}/{game_id}{OBJECT_SUFFIX}"

    def write(self, game_id: str, content: bytes) -> None:
        """Write an object. Replaces an existing one."""
        with _translate_errors():
            files, path = self._file_system[0], self._path(game_id)
            if LOCAL_FILES in files.protocol:
                self._make_folder(Path(path).parent)
                write_file(Path(path), content)
            else:
                files.pipe_file(path, content)

    def _make_folder(self, folder: Path) -> None:
        """Create a folder of objects, and make the archive private."""
        root = Path(self._file_system[1])
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(PermissionError):  # the folder of another user, such as a mounted disk
            root.chmod(0o700)
        folder.mkdir(exist_ok=True, mode=0o700)

    def read(self, game_id: str) -> bytes | None:
        """Return the object, or None if there is none."""
        with _translate_errors():
            try:
                return cast("bytes", self._call("cat_file", self._path(game_id)))
            except FileNotFoundError:
                return None

    def read_many(self, game_ids: Iterable[str]) -> dict[str, bytes]:
        """Return the existing objects by game id. Reads them concurrently if the file system can."""
        with _translate_errors():
            ids = {self._path(game_id): game_id for game_id in game_ids}
            contents: dict[str, bytes | Exception] = self._call("cat", [*ids], on_error="return") if ids else {}
            for content in contents.values():
                if isinstance(content, Exception) and not isinstance(content, FileNotFoundError):
                    raise content
        return {ids[path]: content for path, content in contents.items() if isinstance(content, bytes)}

    def _call(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of the file system, under gevent with a deadline. Raises TimeoutError."""
        files = self._file_system[0]
        method = getattr(files, name)
        if not _is_gevent():
            return method(*arguments, **options)
        import gevent

        with gevent.Timeout(self._deadline_s, TimeoutError(f"no answer within {self._deadline_s} s")):
            if LOCAL_FILES in files.protocol:
                return self._threads.spawn(method, *arguments, **options).get()
            return method(*arguments, **options)

    @cached_property
    def _threads(self) -> Any:
        """Threads of the operating system. While all hang, each request waits for its deadline only."""
        from gevent.threadpool import ThreadPool

        return ThreadPool(MAX_THREADS)


class _InlineExecutor(ThreadPoolExecutor):
    """Runs the blocking calls of an event loop, such as the lookup of a host, in the thread of the loop."""

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run `work` and return its result as a completed future."""
        future = Future[Any]()
        original = sys.modules["gevent.monkey"].get_original("socket", "getaddrinfo")
        work = original if work is socket.getaddrinfo else work
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the caller gets it from the future
            future.set_exception(error)
        return future


def _start_loop_beside_gevent() -> None:
    """Start fsspec's event loop in a thread of the operating system if gevent has patched this process.

    Otherwise it would run in a greenlet of this thread, and waiting for it would block the thread. With its own thread,
    other greenlets run while one waits.
    """
    if not _is_gevent():
        return
    import gevent
    from fsspec import asyn
    from gevent import monkey

    gevent.get_hub()  # two threads that import gevent's loop at once deadlock

    def run() -> None:
        gevent.get_hub()  # patched functions need a hub in this thread
        loop = asyncio.SelectorEventLoop(monkey.get_original("selectors", "DefaultSelector")())
        loop.set_default_executor(_InlineExecutor())
        asyn.loop[0] = loop
        loop.run_forever()

    if asyn.loop[0] is None:
        monkey.get_original("_thread", "start_new_thread")(run, ())
    while asyn.loop[0] is None:
        time.sleep(0.001)


def _is_gevent() -> bool:
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and monkey.is_module_patched("threading")


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise `ArchiveUnavailableError` for every error. File systems have different errors, and any may be temporary."""
    try:
        yield
    except Exception as error:
        raise ArchiveUnavailableError(f"{type(error).__name__}: {error}") from error
