"""The file system of the archive, which fsspec opens. It is imported only if an archive is used."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

OPTIONS: Mapping[str, dict[str, Any]] = MappingProxyType(
    {
        "s3": {
            "skip_instance_cache": True,
            "use_listings_cache": False,
            "config_kwargs": {"connect_timeout": 3, "read_timeout": 5, "retries": {"max_attempts": 2}},
        },
    }
)
"""Options of file systems by protocol. Their timeouts limit a request to some seconds."""


def open_file_system(url: str) -> tuple[Any, str]:
    """Return the file system of an fsspec URL, and the folder in it."""
    from fsspec.core import url_to_fs
    from fsspec.utils import get_protocol

    files, root = url_to_fs(url, **OPTIONS.get(get_protocol(url), {}))
    return files, root.rstrip("/")
