"""Bytes as they are stored: compressed by Zstandard, with a dictionary of what games are made of.

Each **frame** names its dictionary by number. `workers.training.dictionary` makes one, with a number of its own, and
the newest is used for what is written; the older ones stay, so that what they have packed is read for ever. Bytes that
are no frame were stored by a version that packed nothing, and are read as they are.
"""

from __future__ import annotations

import functools
from collections import defaultdict, deque
from importlib.resources import files

from zstandard import (
    FRAME_HEADER,
    ZstdCompressionDict,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
)

DICTIONARIES = files("service.storage").joinpath("dictionaries")
SUFFIX = ".zdict"
QUICK, CLOSE, DENSE, ARCHIVED = 3, 6, 10, 19
"""Levels. Of an event, or a KB of a view, 1 to 3 µs; of a chunk, 70 µs; of the log of a game that is over, 0.6 ms.

Of an archived record, 10 to 50 ms: it is packed once, and kept for ever, with a checksum.
"""


class UnreadableFrame(Exception):  # noqa: N818 - the name says what happened
    """A frame is damaged, or a newer version has packed it with a dictionary that this one does not have."""


@functools.cache
def newest() -> int:
    """The number of the dictionary that is used for what is written."""
    return max(int(file.name.removesuffix(SUFFIX)) for file in DICTIONARIES.iterdir() if file.name.endswith(SUFFIX))


@functools.cache
def _dictionary(number: int) -> ZstdCompressionDict:
    try:
        return ZstdCompressionDict(DICTIONARIES.joinpath(f"{number}{SUFFIX}").read_bytes())
    except FileNotFoundError:
        raise UnreadableFrame(f"there is no dictionary {number}") from None


_compressors: defaultdict[int, deque[ZstdCompressor]] = defaultdict(deque)
"""By level, those that nobody uses now: two threads must not share one."""
_decompressors: defaultdict[int, deque[ZstdDecompressor]] = defaultdict(deque)
"""The same, by the number of their dictionary."""


def packed(content: bytes, level: int = QUICK) -> bytes:
    """The content as a frame."""
    idle = _compressors[level]
    try:
        compressor = idle.pop()
    except IndexError:
        compressor = ZstdCompressor(level=level, dict_data=_dictionary(newest()), write_checksum=level == ARCHIVED)
    frame = compressor.compress(content)
    idle.append(compressor)
    return frame


def unpacked(stored: bytes) -> bytes:
    """What was packed; what is no frame, as it is. Raises `UnreadableFrame`."""
    if not stored.startswith(FRAME_HEADER):
        return stored
    content, rest = _first_of(stored)
    if rest:
        raise UnreadableFrame("something stands behind the frame")
    return content


def unpacked_all(stored: bytes) -> list[bytes]:
    """What was packed into each of several frames, one after another. Raises `UnreadableFrame`."""
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
        raise UnreadableFrame(str(error)) from None
    if not reading.eof:
        raise UnreadableFrame("the frame is cut short")
    idle.append(decompressor)
    return content, reading.unused_data
