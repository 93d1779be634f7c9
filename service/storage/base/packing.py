"""Compression of stored bytes by Zstandard, with a dictionary of typical content of games.

Each **frame** contains the number of its dictionary. `research.training.dictionary` makes a dictionary with a new
number. The newest packs all new content; older ones stay, so that their frames remain readable forever. Archived
records have dictionaries of their own, one for each ruleset. The dictionary with the smallest frame is used. Versions
without compression stored plain bytes, which are returned unchanged.
"""

from __future__ import annotations

import functools
from collections import defaultdict, deque
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from zstandard import (
    FRAME_HEADER,
    ZstdCompressionDict,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
)

from service.stored_json import NewerRecordError, UnreadableRecordError

DICTIONARIES = files("service.storage.base").joinpath("dictionaries")
SUFFIX, SUFFIX_OF_RECORDS = ".zdict", ".records.zdict"
QUICK, CLOSE, DENSE, ARCHIVED = 3, 6, 10, 19
"""Compression levels. An event, or a KB of a view, takes 1 to 3 µs; a chunk 70 µs; the log of a finished game 0.6 ms.

An archived record takes 10 to 50 ms. It is packed once and kept forever, with a checksum.
"""


class UnreadableFrameError(UnreadableRecordError):
    """A frame is damaged."""


class NewerFrameError(UnreadableFrameError, NewerRecordError):
    """A newer version has packed a frame with a dictionary that this version does not have."""


@functools.cache
def _files() -> Mapping[int, Traversable]:
    """Return the files of the dictionaries by number."""
    return {int(file.name.partition(".")[0]): file for file in DICTIONARIES.iterdir() if file.name.endswith(SUFFIX)}


@functools.cache
def newest_dictionary() -> int:
    """Return the number of the dictionary for new content."""
    return max(number for number, file in _files().items() if not file.name.endswith(SUFFIX_OF_RECORDS))


@functools.cache
def _record_dictionaries() -> tuple[int, ...]:
    return tuple(number for number, file in _files().items() if file.name.endswith(SUFFIX_OF_RECORDS))


@functools.cache
def _dictionary(number: int) -> ZstdCompressionDict:
    if number not in _files():
        raise NewerFrameError(f"dictionary {number} is missing: a newer version has packed the frame")
    return ZstdCompressionDict(_files()[number].read_bytes())


_compressors: defaultdict[tuple[int, int], deque[ZstdCompressor]] = defaultdict(deque)
"""Idle compressors by level and dictionary. Two threads must not share one."""
_decompressors: defaultdict[int, deque[ZstdDecompressor]] = defaultdict(deque)
"""Idle decompressors by dictionary."""


def pack(content: bytes, level: int = QUICK) -> bytes:
    """Return the content as a frame."""
    return _pack(content, level, newest_dictionary())


def pack_record(content: bytes) -> bytes:
    """Return the record of a game as a frame for the archive."""
    numbers = (newest_dictionary(), *_record_dictionaries())
    best = min(numbers, key=lambda number: len(_pack(content, QUICK, number)))
    return _pack(content, ARCHIVED, best)


def _pack(content: bytes, level: int, number: int) -> bytes:
    idle = _compressors[level, number]
    try:
        compressor = idle.pop()
    except IndexError:
        compressor = ZstdCompressor(level=level, dict_data=_dictionary(number), write_checksum=level == ARCHIVED)
    frame = compressor.compress(content)
    idle.append(compressor)
    return frame


def unpack(stored: bytes) -> bytes:
    """Return the content of a frame. Other bytes are returned unchanged. Raises `UnreadableFrameError`."""
    if not stored.startswith(FRAME_HEADER):
        return stored
    content, rest = _unpack_first(stored)
    if rest:
        raise UnreadableFrameError(f"{len(rest)} bytes follow the frame")
    return content


def unpack_object(stored: bytes) -> bytes:
    """Return the content of a frame, which is a JSON object. Raises `UnreadableFrameError`."""
    content = unpack(stored)
    if not content.startswith(b"{"):
        raise UnreadableFrameError("the content is not an object")
    return content


def unpack_all(stored: bytes) -> list[bytes]:
    """Return the contents of consecutive frames. Raises `UnreadableFrameError`."""
    contents = []
    while stored:
        content, stored = _unpack_first(stored)
        contents.append(content)
    return contents


def _unpack_first(frames: bytes) -> tuple[bytes, bytes]:
    """Return the content of the first frame, and the frames after it."""
    try:
        number = get_frame_parameters(frames).dict_id
        idle = _decompressors[number]
        try:
            decompressor = idle.pop()
        except IndexError:
            decompressor = ZstdDecompressor(dict_data=_dictionary(number))
        reader = decompressor.decompressobj()
        content = reader.decompress(frames)
    except ZstdError as error:
        raise UnreadableFrameError(str(error)) from None
    if not reader.eof:
        raise UnreadableFrameError("the frame is cut short")
    idle.append(decompressor)
    return content, reader.unused_data
