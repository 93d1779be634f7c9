"""The generator of draws in Python integers, written from the published recipe and not from our code."""

from __future__ import annotations

import hashlib
import hmac

MASK = (1 << 64) - 1


class Textbook:
    """Xoshiro256** seeded with four little-endian words."""

    def __init__(self, seed: bytes) -> None:
        self.s = [int.from_bytes(seed[k : k + 8], "little") for k in range(0, 32, 8)]

    @classmethod
    def of_draw(cls, seed: bytes, revision: int) -> Textbook:
        """Return the generator for the draw that is event `revision` of a game."""
        return cls(hmac.new(seed, str(revision).encode(), hashlib.sha256).digest())

    def next_word(self) -> int:
        """Return the next 64 bits."""
        s = self.s
        x = s[1] * 5 & MASK
        result = ((x << 7 | x >> 57) & MASK) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = (s[3] << 45 | s[3] >> 19) & MASK
        return result

    def integer_below(self, n: int) -> int:
        """Return an integer in [0, n), each equally likely, by Lemire's method."""
        while True:
            m = (self.next_word() >> 32) * n
            if m & 0xFFFFFFFF >= (2**32 - n) % n:
                return m >> 32
