"""Bytes as they are stored: compressed by Zstandard, with a dictionary of what games are made of.

Each **frame** names its dictionary by number. `workers.training.dictionary` makes one, with a number of its own, and
the newest is used for what is written; the older ones stay, so that what they have packed is read for ever. Bytes that
are no frame were stored by a version that packed nothing, and are read as they are.
"""

from __future__ import annotations

import functools
from collections import deque
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
QUICK, DENSE = 3, 12
"""Levels: what every commit writes anew takes 5 µs a KB; what stays, some 20 µs a KB, and is a quarter smaller."""


class UnreadableFrame(Exception):  # noqa: N818 - the name says what happened
    """A frame is damaged, or a newer version has packed it with a dictionary that this one does not have."""


@functools.cache
def newest() -> int:
    """The number of the dictionary that is used for what is written."""
    return max(int(file.name.removesuffix(SUFFIX)) for file in DICTIONARIES.iterdir() if file.name.endswith(SUFFIX))


@functools.cache
def _content(number: int) -> bytes:
    try:
        return DICTIONARIES.joinpath(f"{number}{SUFFIX}").read_bytes()
    except FileNotFoundError:
        raise UnreadableFrame(f"there is no dictionary {number}") from None


@functools.cache
def _compressors(level: int) -> tuple[ZstdCompressionDict, deque[ZstdCompressor]]:
    """The dictionary, prepared for a level; and compressors that nobody uses now, as two threads must not share one."""
    dictionary = ZstdCompressionDict(_content(newest()))
    dictionary.precompute_compress(level=level)
    return dictionary, deque()


@functools.cache
def _decompressors(number: int) -> tuple[ZstdCompressionDict, deque[ZstdDecompressor]]:
    return ZstdCompressionDict(_content(number)), deque()


def packed(content: bytes, level: int = QUICK) -> bytes:
    """The content as a frame."""
    dictionary, idle = _compressors(level)
    try:
        compressor = idle.pop()
    except IndexError:
        compressor = ZstdCompressor(level=level, dict_data=dictionary)
    frame = compressor.compress(content)
    idle.append(compressor)
    return frame


def unpacked(stored: bytes) -> bytes:
    """What was packed into a frame, or into several, one after another; what is no frame, as it is.

    Raises `UnreadableFrame`.
    """
    if not stored.startswith(FRAME_HEADER):
        return stored
    contents = []
    while stored:
        content, stored = _first_of(stored)
        contents.append(content)
    return contents[0] if len(contents) == 1 else b"".join(contents)


def _first_of(frames: bytes) -> tuple[bytes, bytes]:
    """The content of the first frame, and the frames after it."""
    try:
        dictionary, idle = _decompressors(get_frame_parameters(frames).dict_id)
        try:
            decompressor = idle.pop()
        except IndexError:
            decompressor = ZstdDecompressor(dict_data=dictionary)
        reading = decompressor.decompressobj()
        content = reading.decompress(frames)
    except ZstdError as error:
        raise UnreadableFrame(str(error)) from None
    if not reading.eof:
        raise UnreadableFrame("the frame is cut short")
    idle.append(decompressor)
    return content, reading.unused_data
