"""Bytes as they are stored: compressed by Zstandard, with a dictionary of what games are made of.

Each **frame** names its dictionary by number. `research.training.dictionary` makes one, with a number of its own, and
the newest is used for what is written; the older ones stay, so that what they have packed is read for ever. Those of
archived records stand apart: one for each ruleset, of which the closest is used. Bytes that are no frame were stored by
a version that packed nothing, and are read as they are.
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

DICTIONARIES = files("service.storage.base").joinpath("dictionaries")
SUFFIX, SUFFIX_OF_RECORDS = ".zdict", ".records.zdict"
QUICK, CLOSE, DENSE, ARCHIVED = 3, 6, 10, 19
"""Levels. Of an event, or a KB of a view, 1 to 3 µs; of a chunk, 70 µs; of the log of a game that is over, 0.6 ms.

Of an archived record, 10 to 50 ms: it is packed once, and kept for ever, with a checksum.
"""


class UnreadableFrameError(Exception):
    """A frame is damaged, or a newer version has packed it with a dictionary that this one does not have."""


@functools.cache
def _files() -> Mapping[int, Traversable]:
    """The dictionaries by their numbers."""
    return {int(file.name.partition(".")[0]): file for file in DICTIONARIES.iterdir() if file.name.endswith(SUFFIX)}


@functools.cache
def newest() -> int:
    """The number of the dictionary that is used for what is written."""
    return max(number for number, file in _files().items() if not file.name.endswith(SUFFIX_OF_RECORDS))


@functools.cache
def _of_records() -> tuple[int, ...]:
    return tuple(number for number, file in _files().items() if file.name.endswith(SUFFIX_OF_RECORDS))


@functools.cache
def _dictionary(number: int) -> ZstdCompressionDict:
    if number not in _files():
        raise UnreadableFrameError(f"there is no dictionary {number}")
    return ZstdCompressionDict(_files()[number].read_bytes())


_compressors: defaultdict[tuple[int, int], deque[ZstdCompressor]] = defaultdict(deque)
"""By level and dictionary, those that nobody uses now: two threads must not share one."""
_decompressors: defaultdict[int, deque[ZstdDecompressor]] = defaultdict(deque)
"""The same, by the number of their dictionary."""


def packed(content: bytes, level: int = QUICK) -> bytes:
    """The content as a frame."""
    return _packed(content, level, newest())


def packed_record(content: bytes) -> bytes:
    """The record of a game as a frame, for the archive."""
    closest = min((newest(), *_of_records()), key=lambda number: len(_packed(content, QUICK, number)))
    return _packed(content, ARCHIVED, closest)


def _packed(content: bytes, level: int, number: int) -> bytes:
    idle = _compressors[level, number]
    try:
        compressor = idle.pop()
    except IndexError:
        compressor = ZstdCompressor(level=level, dict_data=_dictionary(number), write_checksum=level == ARCHIVED)
    frame = compressor.compress(content)
    idle.append(compressor)
    return frame


def unpacked(stored: bytes) -> bytes:
    """What was packed; what is no frame, as it is. Raises `UnreadableFrameError`."""
    if not stored.startswith(FRAME_HEADER):
        return stored
    content, rest = _first_of(stored)
    if rest:
        raise UnreadableFrameError("something stands behind the frame")
    return content


def unpacked_all(stored: bytes) -> list[bytes]:
    """What was packed into each of several frames, one after another. Raises `UnreadableFrameError`."""
    contents = []
    while stored:
        content, stored = _first_of(stored)
        contents.append(content)
    return contents


def _first_of(frames: bytes) -> tuple[bytes, bytes]:
    """The content of the first frame, and the frames after it."""
    try:
        number = get_frame_parameters(frames).dict_id
        idle = _decompressors[number]
        try:
            decompressor = idle.pop()
        except IndexError:
            decompressor = ZstdDecompressor(dict_data=_dictionary(number))
        reading = decompressor.decompressobj()
        content = reading.decompress(frames)
    except ZstdError as error:
        raise UnreadableFrameError(str(error)) from None
    if not reading.eof:
        raise UnreadableFrameError("the frame is cut short")
    idle.append(decompressor)
    return content, reading.unused_data
